"""Means, intervals and paired differences of the noise ablation, against hand-made networks."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats as reference

from deeplimits.fedorov2026.estimates import noise_ablation
from deeplimits.fedorov2026.experiments import noise_ablation as experiment

SEED_EFFECT = np.array([0.0, 0.1, -0.1, 0.05])
JITTER = np.array([0.01, -0.01, 0.005, 0.0])


def networks(values: str, a: float, horizon: float, noise: float, mu: float = 1.0) -> list[dict]:
    level = 0.5 + 0.1 * a + (0.2 * noise + 0.03) * mu + 0.001 * horizon
    accuracy = level + SEED_EFFECT + noise * JITTER
    place = {"values": values, "a": a, "horizon": horizon, "noise": noise, "mu": mu}
    row = {**place, "role": "test", "rate": 0.01, "measure": "test", "layer": 3}
    return [{**row, "seed": seed, "value": value} for seed, value in enumerate(accuracy)]


@pytest.fixture(scope="module")
def estimates() -> pd.DataFrame:
    rows = [
        *networks("trained", 0.0, 2.0, 0.0),
        *networks("trained", 0.0, 2.0, 0.0, mu=0.0),
        *networks("trained", 0.0, 2.0, 1.0),
        *networks("trained", 0.0, 10.0, 1.0),
        *networks("trained", 0.0, 10.0, 1.0, mu=0.0),
        *networks("frozen", 1.0, 2.0, 1.0),
    ]
    tuning = {**rows[0], "role": "tuning", "value": 99.0}
    return noise_ablation.estimate(pd.DataFrame([*rows, tuning]))


def pick(estimates: pd.DataFrame, *place) -> pd.Series:
    (row,) = (
        row
        for _, row in estimates.iterrows()
        if tuple(row[list(noise_ablation.CELL)]) == place[:4] and row["mu"] == place[4]
    )
    return row


def test_mean_and_interval(estimates):
    row = pick(estimates, "frozen", 1.0, 2.0, 1.0, 1.0)
    sample = np.array([r["value"] for r in networks("frozen", 1.0, 2.0, 1.0)])
    low, high = reference.t.interval(0.95, 3, sample.mean(), sample.std(ddof=1) / 2)
    assert (row["value"], row["low"], row["high"]) == pytest.approx((sample.mean(), low, high))
    assert (row["seeds"], row["rate"], row["reference"]) == (4, 0.01, "none")
    assert np.isnan(row["difference"])


def test_differences_are_paired(estimates):
    """The spread between seeds drops out: only the jitter is left."""
    row = pick(estimates, "trained", 0.0, 2.0, 1.0, 1.0)
    sample = 0.2 + JITTER
    assert row["reference"] == "noise = 0"
    assert row["difference"] == pytest.approx(sample.mean())
    assert row["difference_se"] == pytest.approx(sample.std(ddof=1) / 2)
    ends = reference.t.interval(0.95, 3, sample.mean(), sample.std(ddof=1) / 2)
    assert (row["difference_low"], row["difference_high"]) == pytest.approx(ends)


def test_the_network_without_values_stands_under_every_horizon(estimates):
    silent = estimates[(estimates["noise"] == 0) & (estimates["a"] == 0) & (estimates["mu"] == 1)]
    assert silent["horizon"].tolist() == [2.0, 10.0]
    assert silent["value"].nunique() == 1
    row = pick(estimates, "trained", 0.0, 10.0, 1.0, 1.0)
    assert row["difference"] == pytest.approx(0.208 + JITTER.mean())


def test_suppressed_networks_are_compared_with_themselves(estimates):
    row = pick(estimates, "trained", 0.0, 10.0, 1.0, 0.0)
    assert row["reference"] == "mu = 1"
    assert row["difference"] == pytest.approx(-0.23)
    assert row["difference_se"] == pytest.approx(0.0, abs=1e-12)


def test_suppression_is_compared_with_that_of_networks_without_noise(estimates):
    """At λ = 0 suppression costs .03, at λ = 1 .23."""
    row = pick(estimates, "trained", 0.0, 10.0, 1.0, 0.0)
    assert row["excess"] == pytest.approx(-0.2)
    assert row["excess_se"] == pytest.approx(0.0, abs=1e-12)
    assert np.isnan(pick(estimates, "trained", 0.0, 10.0, 0.0, 0.0)["excess"])


def test_columns_and_key(estimates):
    assert list(estimates) == [column.name for column in noise_ablation.COLUMNS]
    assert not estimates.duplicated(list(noise_ablation.KEY)).any()
    assert tuple(experiment.Cell.model_fields) == noise_ablation.CELL


def test_a_grid_of_the_silent_network_alone():
    only = noise_ablation.estimate(pd.DataFrame(networks("frozen", 0.0, 2.0, 0.0)))
    assert len(only) == 1
