"""`ext_backward`: the depths, and the rates beside what they tend to."""

import numpy as np
import pandas as pd
import pytest

from deeplimits.agazzi2026 import backward, theory
from deeplimits.agazzi2026.estimates import ext_backward as estimates
from deeplimits.agazzi2026.experiments import ext_backward as experiment
from deeplimits.agazzi2026.kernel import Kernel


def run(activation: str, d: int = 5, sigma: float = 0.0, **changes) -> pd.DataFrame:
    settings = {"clock": 100.0, "folds": 25.0, "halvings": 2, "per_halving": 1}
    cell = experiment.Cell(activation=activation, d=d, sigma_u=sigma, sigma_w=sigma)
    protocol = experiment.Protocol(**{**settings, **changes})
    rows = experiment.simulate(cell, protocol, np.random.SeedSequence(0))
    return pd.DataFrame({**cell.model_dump(), **rows})


def test_depths_are_halved_from_the_last():
    table = run("relu", clock=2.0, per_halving=2)
    np.testing.assert_allclose(table["t"], 10.0 * 2.0 ** (-np.arange(4, -1, -1) / 2))
    kernel = Kernel("relu", 5)
    np.testing.assert_allclose(table["gap"], backward.mean_gap(kernel, table["t"], 0.0))
    slope = np.gradient(np.log(backward.mean_gap(kernel, [9.99, 10.0, 10.01], 0.0)), 0.01)[1]
    assert table["rate"].iloc[-1] == pytest.approx(-slope, rel=1e-4)


def test_depth_ends_before_the_mean_is_too_small():
    table = run("sigmoid")
    assert table["t"].max() == pytest.approx(25.0 / backward.decay_rate(Kernel("sigmoid", 5)))
    # 100 on the clock would be 366.
    assert table["t"].max() < 60


def test_local_rates_of_the_notes():
    """ReLU d = 5, the rate less 3/(2t): .0241 at t = 200 and .0250 at t = 800."""
    row = estimates.estimate(run("relu", clock=160.0, folds=50.0)).iloc[0]
    assert row["t"] == pytest.approx(800.0)
    assert row["rate_quarter"] - 1.5 / 200 == pytest.approx(0.0241, abs=1e-4)
    assert row["rate"] - 1.5 / 800 == pytest.approx(0.0250, abs=1e-4)
    assert np.isnan(row["bulk"])
    assert row["decay"] == row["edge"] == pytest.approx(1 / 40)


@pytest.mark.parametrize(
    ("activation", "sigma", "bulk", "edge", "digits"),
    [("silu", 0.0, 0.0120, 0.0130, 4), ("tanh", 0.02, 0.0082, 0.0352, 4)],
)
def test_rates_of_the_slow_region_in_the_notes(activation, sigma, bulk, edge, digits):
    row = estimates.estimate(run(activation, sigma=sigma)).iloc[0]
    assert (round(row["bulk"], digits), round(row["edge"], digits)) == (bulk, edge)
    assert row["decay"] == row["bulk"]


def test_rows_at_a_quarter_a_half_and_the_end_in_any_order():
    table = run("relu", clock=1.0, halvings=3, per_halving=4)
    row = estimates.estimate(table.sample(frac=1, random_state=0)).iloc[0]
    rates = table["rate"].to_numpy()
    assert (row["rate_quarter"], row["rate_half"], row["rate"]) == (rates[4], rates[8], rates[12])
    assert (row["t"], row["gap"]) == (table["t"].iloc[-1], table["gap"].iloc[-1])
    kernel = Kernel("relu", 5)
    assert row["lambda1"] == theory.lambda1(kernel)
    assert row["lambda_bar"] == theory.lambda_bar(kernel)
    assert row["minimiser"] == pytest.approx(0.25)
