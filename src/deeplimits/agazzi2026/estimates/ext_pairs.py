"""Shares of pairs that have met or are opposite, and the mean gap, at every recorded depth."""

import numpy as np
import pandas as pd

from deeplimits import stats
from deeplimits.agazzi2026 import theory, two_tokens
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.schema import Column

KEY = (*two_tokens.AXES, "clock")
COLUMNS = (
    *two_tokens.COLUMNS,
    Column("clock", "float64", "1", "τ = (κ(1) + κ′(1))t"),
    Column("t", "float64", "1", "depth"),
    Column("dt", "float64", "1", "Δt"),
    Column("replicas", "int64", "1", "number of pairs"),
    Column("met", "float64", "1", "share of pairs with 1 − u below 1e-3"),
    Column("met_low", "float64", "1", "lower end of its 95% Wilson interval"),
    Column("met_high", "float64", "1", "upper end"),
    Column("axial", "float64", "1", "share of pairs with 1 − |u| below 1e-3"),
    Column("axial_low", "float64", "1", "lower end of its 95% Wilson interval"),
    Column("axial_high", "float64", "1", "upper end"),
    Column("gap", "float64", "1", "mean of 1 − u"),
    Column("gap_se", "float64", "1", "its standard error"),
    Column("lambda1", "float64", "1", "λ₁"),
    Column("discrete_exponent", "float64", "1", "its counterpart at this Δt"),
    Column("odd", "bool", "1", "whether G is odd"),
)

NEAR = 1e-3


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a model and recorded depth."""
    groups = table.groupby(list(KEY), sort=True)
    rows = [_row(dict(zip(KEY, key, strict=True)), runs) for key, runs in groups]
    return pd.DataFrame(rows)[[column.name for column in COLUMNS]]


def _row(place: dict, runs: pd.DataFrame) -> dict:
    kernel = Kernel(*(place[axis] for axis in two_tokens.AXES))
    t, layer = runs[["t", "layer"]].iloc[0]
    met, axial = (np.count_nonzero(runs[gap] < NEAR) for gap in ("gap", "axial_gap"))
    met_ends, axial_ends = (stats.wilson(count, len(runs)) for count in (met, axial))
    return {
        **place,
        "t": t,
        "dt": t / layer,
        "replicas": len(runs),
        "met": met / len(runs),
        "met_low": float(met_ends.low),
        "met_high": float(met_ends.high),
        "axial": axial / len(runs),
        "axial_low": float(axial_ends.low),
        "axial_high": float(axial_ends.high),
        "gap": runs["gap"].mean(),
        "gap_se": runs["gap"].sem(),
        "lambda1": theory.lambda1(kernel),
        "discrete_exponent": theory.discrete_exponent(kernel, t / layer),
        "odd": kernel.odd,
    }
