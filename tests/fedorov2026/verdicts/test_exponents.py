"""The rule about the threshold by exponent, on estimates whose answer is known."""

import numpy as np
import pandas as pd
import pytest

from deeplimits.fedorov2026.verdicts.exponents import threshold_by_exponent

OFFSETS = (-0.3, -0.15, 0.0, 0.15, 0.3)


def table(dims=(4, 5, 8), *, error=0.04, at_step=0.0, at_limit=0.0, flat=1.0, **changes):
    """Slopes −3·offset with errors; the first is moved at a step or the limit, in errors."""
    rows = []
    for d in dims:
        for offset in OFFSETS:
            for epsilon in (0.0, 0.1, 0.2, 0.4):
                first = (d, offset) == (dims[0], OFFSETS[0])
                off = (at_step if epsilon else at_limit) if first else 0.0
                exact = -3 * offset * flat + epsilon
                row = {"d": d, "offset": offset, "epsilon": epsilon, "t": 9.0, "replicas": 100}
                row |= {"slope": exact + off * error, "slope_se": error, "drift": 0.0}
                row |= {"drift_se": 1.0, "exact": exact, "limit": -3 * offset * flat}
                row |= {"crossing": 0.004, "crossing_se": 0.008, **changes}
                rows.append(row)
    return pd.DataFrame(rows)


def judge(frame: pd.DataFrame):
    return threshold_by_exponent.judge({"exponent_estimates": frame})


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "reproduced"),
        ({"at_step": 3.0, "at_limit": 2.5}, "reproduced"),
        ({"at_step": 4.5}, "contradicted"),
        ({"at_limit": -4.5}, "contradicted"),
        ({"crossing": 0.03}, "contradicted"),
        ({"crossing": -0.018}, "reproduced"),
        ({"drift": 4.5}, "inconclusive"),
        ({"crossing_se": 0.021}, "inconclusive"),
        ({"crossing": np.nan, "crossing_se": np.nan}, "inconclusive"),
        ({"error": 0.16}, "inconclusive"),  # signs at ±.15 not resolved
        ({"flat": 0.1}, "inconclusive"),
        ({"flat": -1.0}, "inconclusive"),  # the sign is wrong, but as its own prediction says
        ({"dims": (4, 5)}, "inconclusive"),
        ({"dims": (3, 4, 5)}, "inconclusive"),
    ],
)
def test_answers(changes, expected):
    assert judge(table(**changes)).verdict == expected


def test_one_dimension_off_is_enough():
    frame = table()
    frame.loc[frame["d"] == 8, "crossing"] = -0.03
    assert judge(frame).verdict == "contradicted"
    frame.loc[frame["d"] == 8, ["crossing", "crossing_se"]] = np.nan
    assert judge(frame).verdict == "inconclusive"


def test_without_extrapolated_slopes_nothing_is_found():
    assert judge(table()[lambda f: f["epsilon"] > 0]).verdict == "inconclusive"
    assert judge(table().head(0)).verdict == "inconclusive"


def test_the_number_is_the_pooled_change_of_sign():
    found = judge(table())
    assert found.value == pytest.approx(0.004)
    assert found.error == pytest.approx(0.008 / np.sqrt(3))
