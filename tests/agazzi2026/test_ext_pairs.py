"""`ext_pairs`: the runs and the shares of pairs that have met."""

import numpy as np
import pandas as pd
import pytest

from deeplimits import stats
from deeplimits.agazzi2026 import theory
from deeplimits.agazzi2026.estimates import ext_pairs as estimates
from deeplimits.agazzi2026.experiments import ext_pairs as experiment
from deeplimits.agazzi2026.kernel import Kernel


def run(activation: str, d: int = 5, sigma: float = 0.0, **changes) -> pd.DataFrame:
    settings = {"clock": 1.0, "doublings": 4, "epsilon": 0.4, "replicas": 200, "block": 80}
    cell = experiment.Cell(activation=activation, d=d, sigma_u=sigma, sigma_w=sigma)
    protocol = experiment.Protocol(**{**settings, **changes})
    rows = experiment.simulate(cell, protocol, np.random.SeedSequence(2))
    return pd.DataFrame({**cell.model_dump(), **rows})


def last(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["layer"] == table["layer"].max()]


def test_depths_double_and_the_step_is_at_most_the_one_asked_for():
    kernel = Kernel("silu", 5)
    table = run("silu", replicas=2)
    layers = np.sort(table["layer"].unique())
    np.testing.assert_array_equal(layers, layers[0] * np.array([1, 2, 4, 8, 16]))
    np.testing.assert_allclose(np.sort(table["clock"].unique()), [1, 2, 4, 8, 16])
    dt = table["t"] / table["layer"]
    np.testing.assert_allclose(dt, dt.iloc[0])
    longest = 0.4 / (kernel.kappa1 * 4)
    assert longest * layers[0] / (layers[0] + 1) < dt.iloc[0] <= longest


def test_a_run_goes_on_where_it_was_recorded():
    """The last depth is the same whether or not earlier ones are recorded."""
    stepwise = run("silu", clock=1.0, doublings=3)
    at_once = run("silu", clock=4.0, doublings=1)
    np.testing.assert_array_equal(last(stepwise)["gap"], last(at_once)["gap"])


def test_tokens_meet_where_they_should():
    """All 200 sigmoid pairs; tanh without bias at both ends, half of them each (± 4 errors)."""
    met = last(run("sigmoid"))
    assert (met["gap"] < 1e-3).all()
    np.testing.assert_array_equal(met["gap"], met["axial_gap"])
    opposite = last(run("tanh", doublings=6))
    assert (opposite["axial_gap"] < 0.05).mean() > 0.95
    assert abs((opposite["gap"] < 1).mean() - 0.5) < 4 * 0.5 / np.sqrt(200)


def test_shares_means_and_predictions():
    gaps = np.array([1e-5, 2e-3, 1.9999, 0.5])
    kernel = {"activation": "tanh", "d": 5, "sigma_u": 0.0, "sigma_w": 0.0}
    table = pd.DataFrame({"gap": gaps, "axial_gap": np.minimum(gaps, 2 - gaps)})
    table = table.assign(**kernel, clock=3.0, t=10.0, layer=20, replica=range(4))
    row = estimates.estimate(table).iloc[0]
    assert (row["met"], row["axial"], row["dt"], row["replicas"]) == (0.25, 0.5, 0.5, 4)
    assert (row["met_low"], row["met_high"]) == stats.wilson(1, 4)
    assert (row["axial_low"], row["axial_high"]) == stats.wilson(2, 4)
    assert row["gap"] == pytest.approx(gaps.mean())
    assert row["gap_se"] == pytest.approx(gaps.std(ddof=1) / 2)
    assert row["odd"]
    assert row["lambda1"] == theory.lambda1(Kernel("tanh", 5))
    assert row["discrete_exponent"] == theory.discrete_exponent(Kernel("tanh", 5), 0.5)
