"""`ext_lyapunov`: the runs and what is estimated from them."""

import itertools

import numpy as np
import pandas as pd
import pytest

from deeplimits.agazzi2026 import theory
from deeplimits.agazzi2026.estimates import ext_lyapunov as estimates
from deeplimits.agazzi2026.experiments import ext_lyapunov as experiment
from deeplimits.agazzi2026.kernel import Kernel

MODEL = {"activation": "erf", "d": 128, "sigma_u": 0.1, "sigma_w": 0.1}
KERNEL = Kernel(**MODEL)


def protocol(**changes) -> experiment.Protocol:
    settings = {"start_gap": 1e-100, "shift": 6.0, "variance": 24.0, "replicas": 2000}
    return experiment.Protocol(**{**settings, "block": 500, **changes})


def run(epsilon: float, entropy: int = 1, **changes) -> pd.DataFrame:
    cell = experiment.Cell(**MODEL, epsilon=epsilon)
    rows = experiment.simulate(cell, protocol(**changes), np.random.SeedSequence(entropy))
    return pd.DataFrame({**cell.model_dump(), **rows})


def test_slope_is_that_of_the_discrete_chain():
    """Level 1e-3 (two tests at 3.48); a standard error is .2%, so that an exponent off by 1% fails.

    The limit 2λ₁ itself, 20% away at this step, must be rejected.
    """
    result = estimates.estimate(run(0.4)).iloc[0]
    assert abs(result["slope"] - result["exact"]) < 3.48 * result["slope_se"]
    assert abs(result["drift"]) < 3.48 * result["drift_se"]
    assert abs(result["slope"] - result["limit"]) > 10 * result["slope_se"]
    assert result["slope_se"] < 0.0025 * abs(result["slope"])


def test_step_and_depth_are_what_was_asked_for():
    table = run(0.2, replicas=3)
    dt = 0.2 / (KERNEL.kappa1 * 127)
    np.testing.assert_allclose(table["t"], table["layer"] * dt)
    half, end = sorted(table["layer"].unique())
    assert end == 2 * half
    # The mean moves by 6 long before the variance reaches 24.
    assert (end - 2) * dt < 6.0 / abs(2 * theory.lambda1(KERNEL)) <= end * dt


def test_variance_ends_a_run_where_the_slope_is_small():
    kernel = Kernel("relu", 5)
    cell = experiment.Cell(activation="relu", d=5, sigma_u=0.0, sigma_w=0.0, epsilon=0.1)
    settings = protocol(replicas=2, shift=1e3)
    rows = experiment.simulate(cell, settings, np.random.SeedSequence(0))
    assert np.max(rows["t"]) == pytest.approx(24.0 / theory.log_variance_rate(kernel), rel=0.02)


def test_more_replicas_keep_the_first_blocks():
    few, many = run(0.4, replicas=1000), run(0.4, replicas=1500)
    pd.testing.assert_frame_equal(few, many[many["replica"] < 1000])
    assert many["log_ratio"].nunique() == len(many)


def test_runs_down_to_the_smallest_floats_are_refused():
    with pytest.raises(ValueError, match="less shift or variance"):
        run(0.4, replicas=2, start_gap=1e-299)


def synthetic(slopes: dict[float, float], noise: float, replicas: int = 50) -> pd.DataFrame:
    """Log ratios with the given slope at each step, halfway at t = 2 and at t = 4."""
    random = np.random.default_rng(0)
    rows = []
    for (epsilon, slope), replica in itertools.product(slopes.items(), range(replicas)):
        steps = 2 * slope + noise * random.standard_normal(2)
        for part, log_ratio in enumerate(np.cumsum(steps), start=1):
            place = {"epsilon": epsilon, "replica": replica, "layer": 10 * part, "t": 2.0 * part}
            rows.append({**MODEL, **place, "log_ratio": log_ratio})
    return pd.DataFrame(rows)


def test_slopes_and_errors_of_independent_pairs():
    table = synthetic({0.1: -1.0}, noise=0.3)
    ends = table.pivot(index="replica", columns="t", values="log_ratio")
    drift = (ends[4.0] - 2 * ends[2.0]) / 2
    result = estimates.estimate(table)
    assert len(result) == 1  # one step can't be extrapolated
    row = result.iloc[0]
    for name, samples in {"slope": ends[4.0] / 4, "half": ends[2.0] / 2, "drift": drift}.items():
        assert row[name] == pytest.approx(samples.mean())
        assert row[f"{name}_se"] == pytest.approx(samples.std(ddof=1) / np.sqrt(50))
    assert row["dt"] == pytest.approx(0.2)
    assert row["exact"] == 2 * theory.discrete_exponent(KERNEL, 0.2)
    assert row["limit"] == 2 * theory.lambda1(KERNEL)


def test_extrapolation_finds_the_constant_of_a_quadratic():
    slopes = {epsilon: -1.0 + 2.0 * epsilon - 1.5 * epsilon**2 for epsilon in (0.1, 0.2, 0.4)}
    result = estimates.estimate(synthetic(slopes, noise=1e-9)).set_index("epsilon")
    assert result.loc[0.0, "slope"] == pytest.approx(-1.0, abs=1e-8)
    assert result.loc[0.0, "t"] == 4.0
    # The three weights of Lagrange's polynomial at 0 give the error and the extrapolated `exact`.
    weights = {0.1: 8 / 3, 0.2: -2.0, 0.4: 1 / 3}
    squares = sum((w * result.loc[e, "slope_se"]) ** 2 for e, w in weights.items())
    assert result.loc[0.0, "slope_se"] == pytest.approx(np.sqrt(squares))
    exact = sum(w * result.loc[e, "exact"] for e, w in weights.items())
    assert result.loc[0.0, "exact"] == pytest.approx(exact)
