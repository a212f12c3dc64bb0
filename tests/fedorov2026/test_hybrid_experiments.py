"""`hybrid` and `hybrid_exponent`: the runs and what is estimated from them."""

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from deeplimits import stats
from deeplimits.fedorov2026 import discrete, theory
from deeplimits.fedorov2026.estimates import hybrid as outcome_estimates
from deeplimits.fedorov2026.estimates import hybrid_exponent as slope_estimates
from deeplimits.fedorov2026.experiments import hybrid, hybrid_exponent


def outcomes(beta=1.0, ratio=0.8, **changes) -> pd.DataFrame:
    cell = hybrid.Cell(beta=beta, ratio=ratio)
    settings = {"clock": 2.0, "doublings": 2, "step": 0.05, "near": 0.1, "replicas": 300}
    protocol = hybrid.Protocol(**{**settings, "block": 100, **changes})
    rows = hybrid.simulate(cell, protocol, np.random.SeedSequence(1))
    return pd.DataFrame({**cell.model_dump(), **rows})


def test_depths_double_and_steps_are_small_enough():
    table = outcomes(replicas=2)
    np.testing.assert_allclose(table["clock"], [2.0, 4.0, 8.0])
    np.testing.assert_allclose(table["t"], np.e * table["clock"])
    dt = table["t"] / table["layer"]
    assert np.ptp(dt) < 1e-12
    assert 0.045 < np.e * dt[0] <= 0.05


@pytest.mark.parametrize(
    ("ratio", "near_one", "near_minus_one"), [(0.5, 0.98, 0.0), (0.8, 0.75, 0.05), (2.0, 0.0, 1.0)]
)
def test_outcomes_known_from_elsewhere(ratio, near_one, near_minus_one):
    """β = 1, T = 60, 1 ∓ ρ < .1: shares from the project's own trials at half the step.

    Within 4 standard errors of 300 runs and a rounding of .02, and more for the share near 1.
    """
    table = outcomes(ratio=ratio, clock=60 / np.e / 4)
    last = table.iloc[-1]
    assert last["t"] == pytest.approx(60.0)
    for name, share, allowed in (
        ("antipodal", near_minus_one, 0.02),
        ("consensus", near_one, 0.05),
    ):
        spread = 4 * np.sqrt(max(share * (1 - share), 1e-3) / 300)
        assert abs(last[name] / 300 - share) < spread + allowed


def test_nearness_is_that_of_the_cosine():
    """One layer without noise moves z from 0 to a known place: its 1 − ρ is the boundary."""
    table = outcomes(ratio=0.0, clock=0.05 / np.e**2, doublings=2, step=0.05, replicas=2)
    assert table["layer"].iloc[0] == 1
    eta, a = table["t"].iloc[0], 0.5 * np.e
    gap = 1 - np.tanh(np.log((1 + eta * (a + 0.5)) / (1 + eta * (a - 0.5))))
    for near, count in ((gap * 1.001, 2), (gap * 0.999, 0)):
        moved = outcomes(
            ratio=0.0, clock=0.05 / np.e**2, doublings=2, step=0.05, replicas=2, near=near
        )
        assert moved["consensus"].iloc[0] == count
        assert moved["antipodal"].iloc[0] == 0


def test_shares_add_up_and_have_wilson_intervals():
    table = outcomes()
    result = outcome_estimates.estimate(table)
    sums = result.groupby("clock")["share"].sum()
    np.testing.assert_allclose(sums, 1.0)
    row = result[(result["outcome"] == "consensus") & (result["clock"] > 7)].iloc[0]
    count = table["consensus"].iloc[-1]
    interval = stats.wilson(count, 300)
    assert (row["share"], row["low"], row["high"]) == (count / 300, interval.low, interval.high)
    assert row["dt"] == pytest.approx(table["t"].iloc[-1] / table["layer"].iloc[-1])


def slopes(step=0.5, ratio=1.25, beta=1.0, **changes) -> pd.DataFrame:
    cell = hybrid_exponent.Cell(beta=beta, ratio=ratio, step=step)
    settings = {"reach": 150.0, "clock": 20.0, "replicas": 2000, "block": 500}
    protocol = hybrid_exponent.Protocol(**{**settings, **changes})
    rows = hybrid_exponent.simulate(cell, protocol, np.random.SeedSequence(1))
    return pd.DataFrame({**cell.model_dump(), **rows})


@pytest.mark.parametrize("ratio", [0.8, 1.25])
def test_slopes_are_those_of_the_discrete_chain(ratio):
    """Level 1e-4 (two tests at 4 standard errors); planted: the two ends exchanged."""
    result = slope_estimates.estimate(slopes(step=0.1, ratio=ratio)).set_index("end")
    z = (result["slope"] - result["exact"]) / result["slope_se"]
    assert z.abs().max() < 4
    swapped = (result["slope"] - result["exact"].iloc[::-1].to_numpy()) / result["slope_se"]
    assert swapped.abs().min() > 8
    assert result.loc["antipodal", "limit"] == pytest.approx(1 - ratio)
    assert result.loc["consensus", "limit"] == pytest.approx(ratio - 1)
    assert result["slope_se"].max() < 0.02


def test_without_noise_every_run_has_the_exact_slope():
    """No chance: errors of the scale or the clock show to all digits."""
    table = slopes(step=0.1, ratio=0.0, replicas=2)
    exact = discrete.hybrid_exponents(1.0, 0.0, table["dt"].iloc[0])
    assert list(table["end"]) == ["antipodal", "consensus"]
    np.testing.assert_allclose(table["mean"] / table["t"], exact, rtol=1e-10)


def test_extrapolation_finds_the_constant_of_a_quadratic():
    rows = []
    for step in (0.1, 0.2, 0.4):
        mean = (-1.0 + 2 * step - 1.5 * step**2) * 2 * np.exp(-1.0) * 10
        numbers = {"dt": step / np.e, "t": 10.0, "replicas": 50, "mean": mean, "variance": 1.0}
        rows.append({"beta": 1.0, "ratio": 2.0, "step": step, "end": "antipodal", **numbers})
    result = slope_estimates.estimate(pd.DataFrame(rows)).set_index("step")
    assert result.loc[0.0, "slope"] == pytest.approx(-1.0)
    error = np.sqrt(1 / 50) / 10 / (2 * np.exp(-1.0))
    assert result.loc[0.1, "slope_se"] == pytest.approx(error)
    squares = (8 / 3) ** 2 + 2**2 + (1 / 3) ** 2
    assert result.loc[0.0, "slope_se"] == pytest.approx(error * np.sqrt(squares))
    exact = result["exact"]
    expected = 8 / 3 * exact[0.1] - 2 * exact[0.2] + exact[0.4] / 3
    assert exact[0.0] == pytest.approx(expected)


def test_runs_that_come_back_are_refused():
    with pytest.raises(ValueError, match="larger reach"):
        slopes(ratio=2.0, clock=200.0, replicas=2)


def test_noise_scale_follows_the_ratio():
    cell = hybrid.Cell(beta=2.0, ratio=1.5)
    assert cell.epsilon**2 == pytest.approx(1.5 * theory.hybrid_threshold(2.0))


@pytest.mark.parametrize(("change", "name"), [({"beta": -1.0}, "beta"), ({"ratio": -0.1}, "ratio")])
def test_bad_cells_are_named(change, name):
    with pytest.raises(ValidationError, match=name):
        hybrid.Cell(**{"beta": 1.0, "ratio": 1.0, **change})
