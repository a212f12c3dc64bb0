"""The two-token chain against vectors in law, and against the theory of its limit.

`law` (conftest) rejects at level 1e-3: 3% more variance and one dimension too many must be caught.
"""

import numpy as np
import pytest

from deeplimits import sphere
from deeplimits.fedorov2026 import pair, theory
from deeplimits.fedorov2026.layer import evolve
from deeplimits.fedorov2026.model import DirectLayer
from deeplimits.fedorov2026.pair import PairLayer

LAYERS = 2


def rng(seed):
    return np.random.default_rng(seed)


def parameters(d, drift):
    return {"beta": 1.5, "dt": 0.3 / d, "sigma": 0.9, "drift": drift}


def statistics(one_minus, one_plus, rho):
    """Moments of a draw; the squared increment is the one most sensitive to the noise."""
    columns = one_minus, one_plus, one_minus**2, one_plus**2, (one_minus - (1 - rho)) ** 2
    return np.stack(columns, axis=1)


def by_vectors(law, d, rho, drift, seed, block=8192):
    x = np.zeros((block, 2, d))
    x[:, :, 0] = 1.0
    x[:, 1, :2] = rho, np.sqrt(1 - rho**2)
    layer, generator, parts = DirectLayer(**parameters(d, drift)), rng(seed), []
    for _ in range(law.DRAWS // block):
        y = evolve(generator, x, layer, LAYERS)
        parts.append(
            [f(y[:, 0], y[:, 1]) for f in (sphere.one_minus_cosine, sphere.one_plus_cosine)]
        )
    return statistics(*np.concatenate(parts, axis=-1), rho)


def by_chain(law, d, rho, drift, seed, changes=None):
    layer = PairLayer(**{**parameters(d, drift), "d": d, **(changes or {})})
    end = evolve(rng(seed), pair.at_cosine(np.full(law.DRAWS, rho)), layer, LAYERS)
    return statistics(*end, rho)


@pytest.mark.parametrize("d", [2, 3, 9])
@pytest.mark.parametrize(("rho", "drift"), [(0.3, 0.0), (-0.8, 2.0), (0.999, -1.0)])
def test_chain_has_the_law_of_vectors(law, d, rho, drift):
    vectors = by_vectors(law, d, rho, drift, 1)
    assert not law.rejects(law.z(vectors, by_chain(law, d, rho, drift, 2)))


@pytest.mark.parametrize("d", [2, 3, 9])
@pytest.mark.parametrize(
    "fault",
    [lambda d: {"sigma": 0.9 * np.sqrt(1.03)}, lambda d: {"d": d + 1}, lambda d: {"beta": 1.8}],
    ids=["3% more variance", "d + 1", "beta"],
)
def test_comparison_detects_a_wrong_chain(law, d, fault):
    vectors = by_vectors(law, d, -0.5, 0.0, 1)
    assert law.rejects(law.z(vectors, by_chain(law, d, -0.5, 0.0, 2, fault(d))))


def test_starts_and_z():
    values = np.array([1e-300, 1e-20, 0.5, 1.5])
    near, far = pair.near_consensus(values), pair.near_antipodal(values)
    np.testing.assert_array_equal(near.one_minus, values)
    np.testing.assert_array_equal(far.one_plus, values)
    np.testing.assert_array_equal(near[::-1], far)
    np.testing.assert_array_equal(near.one_minus + near.one_plus, 2.0)
    np.testing.assert_allclose(far.z, -near.z)
    np.testing.assert_allclose(far.z[0], 0.5 * np.log(0.5e-300), rtol=1e-14)
    rho = np.array([-0.9, 0.0, 0.3])
    np.testing.assert_allclose(pair.at_cosine(rho).z, np.arctanh(rho), atol=1e-15)


@pytest.mark.parametrize("rho0", [-1.0, 1.0, 2.0, np.nan, [0.0, 1.0]])
def test_cosines_outside_are_refused(rho0):
    with pytest.raises(ValueError, match=r"^rho0 must"):
        pair.at_cosine(rho0)


def test_bad_parameters_are_named():
    for change in ({"d": 1}, {"beta": -1.0}, {"dt": 0.0}, {"sigma": np.inf}):
        name = next(iter(change))
        with pytest.raises(ValueError, match=rf"^{name}.* must"):
            PairLayer(**{"d": 3, "beta": 1.0, "dt": 0.1, **change})


def log_slope(start, seed, d, beta, dt, layers, replicas=20_000):
    """Mean slope of the log of the vanishing coordinate in σ²(d−1)t, and its standard error."""
    start = pair.Pair(*(np.full(replicas, value) for value in start))
    end = evolve(rng(seed), start, PairLayer(beta=beta, d=d, dt=dt), layers)
    slopes = (np.log(np.minimum(*end)) - np.log(np.minimum(*start))) / (layers * dt * (d - 1))
    return slopes.mean(), slopes.std() / np.sqrt(replicas)


ENDS = {
    "antipodal": (
        pair.near_antipodal(1e-200),
        lambda beta, d: theory.exponent_antipodal(beta, d) / (d - 1),
    ),
    "consensus": (pair.near_consensus(1e-200), lambda beta, d: -1.0),
}


@pytest.mark.parametrize("d", [2, 5, 64, 10**6])
@pytest.mark.parametrize("end", ENDS)
def test_log_slopes_at_both_ends_are_the_exponents(end, d):
    """Slopes at Δt and Δt/2 extrapolated to 0, within four standard errors and their order two.

    At 1 ± ρ = 1e-200, where only a chain free of cancellation can go. The antipodal end is taken
    below and above the critical β.
    """
    start, exponent = ENDS[end]
    for beta in (0.3, theory.critical_beta(d) + 0.4):
        exact = exponent(beta, d)
        dt = 0.06 / (d - 1)
        coarse, coarse_error = log_slope(start, 1, d, beta, dt, 20)
        fine, fine_error = log_slope(start, 2, d, beta, dt / 2, 40)
        error = np.hypot(2 * fine_error, coarse_error)
        assert abs(2 * fine - coarse - exact) < 4 * error + (dt * (d - 1)) ** 2
        assert error < 0.05


@pytest.mark.parametrize(("beta", "d", "rho0"), [(1.0, 3, 0.0), (1.5, 5, -0.5), (3.5, 100, -0.9)])
def test_antipodal_probability_is_a_martingale_of_the_chain(beta, d, rho0):
    """E p(ρ_T) = p(ρ₀) as Δt → 0, from two steps extrapolated; a drift 10% off is caught."""
    replicas, horizon = 60_000, 1.0 / (d - 1)
    exact = theory.antipodal_probability(beta, d, rho0)
    means, errors = [], []
    for layers in (16, 32):
        layer = PairLayer(beta=beta, d=d, dt=horizon / layers)
        end = evolve(rng(layers), pair.at_cosine(np.full(replicas, rho0)), layer, layers)
        values = theory.antipodal_probability_at(beta, d, end.z)
        means.append(values.mean())
        errors.append(values.std() / np.sqrt(replicas))
    error = np.hypot(2 * errors[1], errors[0])
    assert abs(2 * means[1] - means[0] - exact) < 4 * error
    wrong = theory.antipodal_probability_at(1.1 * beta, d, end.z).mean()
    assert abs(wrong - exact) > 4 * error


def test_frequencies_of_the_ends_are_the_probabilities():
    """At d = 3, β = 1, ρ₀ = 0: .2224. By T = 24 all but 1% of pairs have p(ρ) near 0 or 1."""
    replicas = 4000
    start = pair.at_cosine(np.zeros(replicas))
    end = evolve(rng(3), start, PairLayer(beta=1.0, d=3, dt=0.02), 1200)
    p = theory.antipodal_probability_at(1.0, 3, end.z)
    antipodal, undecided = np.mean(p >= 0.99), np.mean((p > 0.01) & (p < 0.99))
    assert undecided < 0.02
    expected = theory.antipodal_probability(1.0, 3, 0.0)
    error = np.sqrt(expected * (1 - expected) / replicas)
    assert abs(antipodal - expected) < 4 * error + undecided  # .026 + .01


def test_pairs_freeze_below_the_floor_and_others_go_on():
    start = pair.Pair(np.array([1e-298, 1.0]), np.array([2.0, 1.0]))
    seen = []
    end = evolve(
        rng(4), start, PairLayer(beta=1.0, d=20, dt=0.01), 150, record=lambda *a: seen.append(a)
    )
    path = np.array([state.one_minus[0] for _, state in seen])
    frozen = path < pair.FLOOR
    assert frozen[-1]
    assert not frozen[0]
    assert len(np.unique(path[frozen])) == 1
    assert path.min() > 0
    assert seen[-1][1] is end
    assert len({state.one_minus[1] for _, state in seen}) == 151


def test_chain_without_noise_is_the_flow():
    x = np.array([[[1.0, 0.0], [-0.4, np.sqrt(1 - 0.16)]]])
    setting = {"beta": 2.0, "dt": 0.1, "sigma": 0.0, "drift": 1.0}
    y = evolve(rng(5), x, DirectLayer(**setting), 5)
    end = evolve(rng(5), pair.at_cosine(np.array([-0.4])), PairLayer(**setting, d=2), 5)
    np.testing.assert_allclose(end.one_plus, 1 + y[:, 0, 0] * y[:, 1, 0] + y[:, 0, 1] * y[:, 1, 1])
