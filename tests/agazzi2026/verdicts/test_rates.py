"""The rules about rates, on fits whose answer is known."""

import pandas as pd
import pytest

from deeplimits.agazzi2026.verdicts import rates


def fits(slope: float, error: float, trend: float = 0.0, last: float | None = None):
    """Two curves against the bound −1: a good one, and one with the given slope and trend."""
    columns = ["slope", "slope_se", "bound", "trend", "trend_se", "last_slope"]
    rows = [
        [-1.2, 0.01, -1.0, 0.0, 0.05, -1.2],
        [slope, error, -1.0, trend, 0.05, slope if last is None else last],
    ]
    return pd.DataFrame(rows, columns=columns)


@pytest.mark.parametrize(
    ("curves", "verdict"),
    [
        (fits(-1.0, 0.02), "reproduced"),
        (fits(-0.8, 0.02), "contradicted"),
        (fits(-0.95, 0.1), "inconclusive"),
        # Too flat, but steepening with the level: the growth is not yet visible.
        (fits(-0.8, 0.02, trend=-0.5, last=-1.1), "inconclusive"),
        # Steep enough on the whole, but flattening out towards the end.
        (fits(-1.0, 0.02, trend=0.5, last=-0.5), "inconclusive"),
    ],
)
def test_verdict(curves, verdict):
    assert rates.verdict(curves, rates.MARGIN) == verdict


def test_least_margin_is_that_of_the_slowest_curve():
    margin, error = rates.least_margin(fits(-0.8, 0.02))
    assert margin == pytest.approx(0.2)
    assert error == 0.02


def test_curves_keep_what_is_fitted_to_the_largest_level():
    table = pd.DataFrame(
        {
            "d": [2, 2, 3, 3],
            "tokens": [16, 32, 32, 16],
            "replicas": 8,
            "slope": [1.0, 2.0, 3.0, 4.0],
        }
    )
    assert rates.curves(table, "tokens")["slope"].tolist() == [2.0, 3.0]
