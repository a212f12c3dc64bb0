"""The rule about steps 1/ℓ, on runs whose fate is known."""

import numpy as np
import pandas as pd
import pytest

from deeplimits.kale2026.verdicts import inverse_loss

CLAIM = inverse_loss.data_decide_whether_inverse_loss_diverges


def runs(*, replicas: int = 30, t: int = 20_000, up: float = 1.0, down: float = 1.0):
    """Runs that diverge on one set and converge on another, at `up` and `down` of their rates."""
    spread = np.linspace(-0.02, 0.02, replicas)
    common = {"gamma": 0.1, "replica": np.arange(replicas), "t": t}
    log_loss = np.log(0.05 * t * (up + spread))
    first = pd.DataFrame({**common, "data": "1 in 20", "log_loss": log_loss, "rate": 0.05})
    log_loss = -0.3 * t * (down + spread)
    second = pd.DataFrame({**common, "data": "toy", "log_loss": log_loss, "rate": 0.0})
    return pd.concat([first.assign(speed=-0.8), second.assign(speed=0.3)], ignore_index=True)


def verdict(table: pd.DataFrame) -> str:
    return CLAIM.judge({CLAIM.tables[0]: table}).verdict


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "reproduced"),
        ({"up": 0.81, "down": 1.19}, "reproduced"),
        ({"up": 1.203}, "inconclusive"),
        ({"up": 1.25}, "contradicted"),
        ({"down": 0.7}, "contradicted"),
        ({"replicas": 19}, "inconclusive"),
        ({"t": 9000}, "inconclusive"),
    ],
)
def test_rates(changes, expected):
    assert verdict(runs(**changes)) == expected


@pytest.mark.parametrize(("exceptions", "expected"), [(1, "inconclusive"), (12, "contradicted")])
@pytest.mark.parametrize(
    ("column", "value", "offset"),
    [("rate", 0.0, 0), ("speed", -0.1, 30)],  # diverges without a runaway; converges without speed
)
def test_exceptions(exceptions, expected, column, value, offset):
    table = runs()
    table.loc[offset : offset + exceptions - 1, column] = value
    assert verdict(table) == expected


def test_both_fates_are_needed():
    assert verdict(runs().head(30)) == "inconclusive"
    assert verdict(runs().tail(30)) == "inconclusive"


def test_sets_on_which_every_run_diverges_are_named():
    found = CLAIM.judge({CLAIM.tables[0]: runs()})
    assert found.measured.endswith("Every run diverges on 1 in 20, γ = 0.1")


def test_mean_that_is_furthest_off_is_reported_with_its_error():
    found = CLAIM.judge({CLAIM.tables[0]: runs(up=0.9)})
    assert found.value == pytest.approx(0.9)
    assert found.error == pytest.approx(np.linspace(-0.02, 0.02, 30).std(ddof=1) / np.sqrt(30))
