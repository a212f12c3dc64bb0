"""`exponent`: the runs and what is estimated from them."""

import itertools

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from deeplimits.fedorov2026 import discrete, theory
from deeplimits.fedorov2026.estimates import exponent as estimates
from deeplimits.fedorov2026.experiments import exponent as experiment

OFFSETS = np.array([-0.45, -0.3, -0.15, 0.0, 0.15, 0.3, 0.45])
"""β − β* of the experiment."""


def protocol(**changes) -> experiment.Protocol:
    settings = {"start": 1e-100, "leave": 1e-3, "horizon": 9.0, "replicas": 2000, "block": 500}
    return experiment.Protocol(**{**settings, **changes})


def run(epsilon: float = 0.4, entropy: int = 1, **changes) -> pd.DataFrame:
    cell = experiment.Cell(d=5, offset=0.15, epsilon=epsilon)
    rows = experiment.simulate(cell, protocol(**changes), np.random.SeedSequence(entropy))
    return pd.DataFrame({**cell.model_dump(), **rows})


def test_slope_is_that_of_the_discrete_chain():
    """Level 1e-3 (two tests at 3.48); the limit, .21 off at this step, is rejected."""
    result = estimates.estimate(run()).iloc[0]
    assert abs(result["slope"] - result["exact"]) < 3.48 * result["slope_se"]
    assert abs(result["drift"]) < 3.48 * result["drift_se"]
    assert abs(result["slope"] - result["limit"]) > 8 * result["slope_se"]


def test_step_and_depth_are_what_was_asked_for():
    table = run(epsilon=0.2, replicas=3)
    np.testing.assert_allclose(table["t"], table["layer"] * 0.05)
    assert sorted(table["layer"].unique()) == [90, 180]
    assert experiment.Cell(d=5, offset=0.15, epsilon=0.2).beta == theory.critical_beta(5) + 0.15


def test_more_replicas_keep_the_first_blocks():
    few, many = run(replicas=1000), run(replicas=1500)
    pd.testing.assert_frame_equal(few, many[many["replica"] < 1000])
    assert many["log_ratio"].nunique() == len(many)


@pytest.mark.parametrize("start", [1e-299, 5e-4])
def test_runs_that_freeze_or_leave_are_refused(start):
    with pytest.raises(ValueError, match="shorter horizon"):
        run(replicas=20, start=start)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"d": 1}, "d"),
        ({"epsilon": 0.0}, "epsilon"),
        ({"offset": -1.0}, "beta = "),
        ({"offset": np.nan}, "offset"),
    ],
)
def test_bad_cells_are_named(change, name):
    with pytest.raises(ValidationError, match=name):
        experiment.Cell(**{"d": 5, "offset": 0.0, "epsilon": 0.1, **change})


def synthetic(slopes: dict[tuple[float, float], float], noise: float) -> pd.DataFrame:
    """Log ratios of d = 5 with the given slope for each offset and ε, at t = 2 and t = 4, σ = 1."""
    random = np.random.default_rng(0)
    rows = []
    for ((offset, epsilon), slope), replica in itertools.product(slopes.items(), range(50)):
        steps = 2 * slope + noise * random.standard_normal(2)
        for part, log_ratio in enumerate(np.cumsum(steps), start=1):
            place = {"d": 5, "offset": offset, "epsilon": epsilon, "replica": replica}
            rows.append(
                {
                    **place,
                    "layer": round(8 / epsilon) * part,
                    "t": 2.0 * part,
                    "log_ratio": log_ratio,
                }
            )
    return pd.DataFrame(rows)


def test_slopes_and_errors_of_independent_pairs():
    table = synthetic({(0.1, 0.8): -1.0}, noise=0.3)
    ends = table.pivot(index="replica", columns="t", values="log_ratio")
    drift = (ends[4.0] - 2 * ends[2.0]) / 2
    result = estimates.estimate(table)
    assert len(result) == 1  # one step can't be extrapolated
    row = result.iloc[0]
    for name, samples in {"slope": ends[4.0] / 4, "half": ends[2.0] / 2, "drift": drift}.items():
        assert row[name] == pytest.approx(samples.mean())
        assert row[f"{name}_se"] == pytest.approx(samples.std(ddof=1) / np.sqrt(50))
    beta = theory.critical_beta(5) + 0.1
    assert row["exact"] == discrete.exponent_antipodal(beta, 5, 0.2)
    assert row["limit"] == theory.exponent_antipodal(beta, 5)
    assert np.isnan(row["crossing"])


def test_extrapolation_and_crossing_of_known_curves():
    """Slopes −2(x − .03) + ε − ε²: without error 0 is at .03 for ε = 0, at .03 + (ε−ε²)/2 else."""
    steps = (0.1, 0.2, 0.4)
    slopes = {(x, e): -2 * (x - 0.03) + e - e * e for x in OFFSETS for e in steps}
    result = estimates.estimate(synthetic(slopes, noise=1e-9))
    limit = result[result["epsilon"] == 0]
    np.testing.assert_allclose(limit["slope"], -2 * (limit["offset"] - 0.03), atol=1e-7)
    for epsilon in (0.0, *steps):
        row = result[result["epsilon"] == epsilon].iloc[0]
        assert row["crossing"] == pytest.approx(0.03 + (epsilon - epsilon**2) / 2, abs=1e-7)
    assert abs(limit["exact_crossing"].iloc[0]) < 0.003


def test_error_of_a_crossing():
    """Against the spread of 300 draws, which has a standard error of 4%."""
    error, random = np.full(7, 0.04), np.random.default_rng(0)
    truth = 0.1 - OFFSETS + OFFSETS**2
    draws = truth + error * random.standard_normal((300, 7))
    zeros, errors = np.array([estimates.crossing(OFFSETS, y, error) for y in draws]).T
    exact = estimates.crossing(OFFSETS, truth, error)
    assert exact[0] == pytest.approx((1 - np.sqrt(0.6)) / 2)
    assert zeros.std() == pytest.approx(exact[1], rel=0.15)
    assert errors.mean() == pytest.approx(exact[1], rel=0.15)


@pytest.mark.parametrize("d", [4, 5, 8, 16, 32, 64])
def test_cubic_finds_the_threshold_of_the_prediction(d):
    beta = theory.critical_beta(d) + OFFSETS
    slopes = [theory.exponent_antipodal(b, d) for b in beta]
    zero, _ = estimates.crossing(OFFSETS, slopes, np.ones(7))
    assert abs(zero) < 0.002


@pytest.mark.parametrize("y", [[1.0, 1.0, 1.0, 1.0, 1.0], [1.0, -1.0, 1.0, -1.0, 1.0], [1.0, -1.0]])
def test_no_crossing_or_several_are_none(y):
    assert np.isnan(estimates.crossing(np.arange(len(y)), y, np.full(len(y), 0.1))).all()
