"""The rule that reads the outcome of two tokens off their cosine."""

import numpy as np
import pytest

from deeplimits.fedorov2026 import outcomes, pair, theory
from deeplimits.fedorov2026.pair import Pair


def z_of(rho: float) -> float:
    return float(np.arctanh(rho))


def test_bounds_in_the_plane():
    """At d = 2 p = arccos(ρ)/π, so the bounds are cosines of .99π and .01π whatever β."""
    bounds = outcomes.rule(1.7, 2)
    assert bounds.antipodal == pytest.approx(z_of(np.cos(0.99 * np.pi)), abs=1e-9)
    assert bounds.consensus == pytest.approx(z_of(np.cos(0.01 * np.pi)), abs=1e-9)


@pytest.mark.parametrize(("beta", "d"), [(0.5, 3), (0.75, 4), (1.5, 5), (3.0, 64)])
@pytest.mark.parametrize("doubt", [0.01, 1e-4])
def test_bounds_are_where_p_says(beta, d, doubt):
    bounds = outcomes.rule(beta, d, doubt)
    p = theory.antipodal_probability_at(beta, d, np.array(bounds))
    assert 1 - p[0] == pytest.approx(doubt, rel=1e-6)
    # Consensus needs both p ≤ doubt and 1 − ρ ≤ 1e-3: the later of the two.
    assert p[1] <= doubt * (1 + 1e-9)
    assert bounds.consensus >= z_of(0.999) - 1e-12
    assert p[1] == pytest.approx(doubt) or bounds.consensus == pytest.approx(z_of(0.999))


def test_no_run_is_antipodal_where_antipodes_repel():
    bounds = outcomes.rule(0.6, 4)  # β* = .658
    assert bounds == (-np.inf, pytest.approx(z_of(0.999)))
    antipodal, consensus = bounds.of(pair.near_antipodal(np.array([1e-300, 1e-3, 1.9995])))
    assert not antipodal.any()
    np.testing.assert_array_equal(consensus, [False, False, True])


def test_a_fixed_distance_would_mislead_near_the_transition():
    """At d = 4, β* + .05, 1 + ρ = 1e-3 (p = .25) is undecided, 1e-30 is not yet enough either."""
    beta = theory.critical_beta(4) + 0.05
    antipodal, consensus = outcomes.rule(beta, 4).of(pair.near_antipodal(np.array([1e-3, 1e-250])))
    np.testing.assert_array_equal(antipodal, [False, True])
    assert not consensus.any()


def test_bounds_hold_at_every_scale():
    """Comparing e^{2z} with (1+ρ)/(1−ρ) agrees with comparing z, down to the smallest pairs."""
    gaps = np.logspace(-299, 0, 60)
    pairs = Pair(*np.concatenate([pair.near_antipodal(gaps), pair.near_consensus(gaps)], axis=1))
    bounds = outcomes.rule(1.5, 5, 1e-6, 1e-9)
    antipodal, consensus = bounds.of(pairs)
    np.testing.assert_array_equal(antipodal, pairs.z <= bounds.antipodal)
    np.testing.assert_array_equal(consensus, pairs.z >= bounds.consensus)
    assert antipodal.any()
    assert consensus.any()


@pytest.mark.parametrize("wrong", [{"doubt": 0.0}, {"doubt": 0.5}, {"gap": -1e-3}, {"gap": np.nan}])
def test_refuses_what_is_no_bound(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must lie between"):
        outcomes.rule(1.0, 3, **wrong)
