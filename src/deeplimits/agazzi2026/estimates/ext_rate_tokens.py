"""Rate of E W₂² between two populations in their size N, at several depths."""

import pandas as pd

from deeplimits.agazzi2026 import rates
from deeplimits.schema import Column

_CURVE = (
    *rates.MODEL,
    Column("layers", "int64", "1", "L"),
    Column("width", "int64", "1", "m"),
    Column("times", "string", "1", "start: at t = 0; end: at T; all: largest over recorded depths"),
)
KEY = (*(column.name for column in _CURVE), "tokens")
COLUMNS = (
    *_CURVE,
    Column("tokens", "int64", "1", "N"),
    *rates.COLUMNS,
    Column("expected", "float64", "1", "slope for independent uniform tokens, without logarithms"),
)


def bound(d: int) -> float:
    """Slope of the theorem's bound: N^{−1/2} for d < 4, N^{−1/2} log N at d = 4, then N^{−2/d}."""
    return -0.5 if d <= 4 else -2.0 / d


def expected(d: int) -> float:
    """Slope of E W₂² for uniform samples of the (d−1)-dimensional sphere.

    1/N on the circle, log N/N at d = 3 (Ajtai, Komlós and Tusnády 1984, "On optimal matchings"),
    N^{−2/(d−1)} above (Fournier and Guillin 2015, "On the rate of convergence in Wasserstein
    distance of the empirical measure", for the dimension d − 1 of the sphere).
    """
    return -1.0 if d <= 3 else -2.0 / (d - 1)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a cell, kind of depths and N."""
    table = table.assign(horizon=table["t"].max())
    layer = table["layer"]
    kinds = {"start": layer == 0, "end": layer == layer.max(), "all": layer >= 0}
    runs = pd.concat(table[rows].assign(times=times) for times, rows in kinds.items())
    largest = runs.groupby([*KEY, "replica"], as_index=False)["distance"].max()
    fits = rates.estimates(largest, KEY[:-1], "tokens", "distance")
    fits = fits.assign(bound=fits["d"].map(bound), expected=fits["d"].map(expected))
    return fits[[column.name for column in COLUMNS]]
