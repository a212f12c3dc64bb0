"""Rate of the strong error in the width, for every number of layers."""

import pandas as pd

from deeplimits.agazzi2026 import rates
from deeplimits.schema import Column

BOUND = -1.0
"""Slope of the term 1/m in the theorem's bound."""

_CURVE = (
    *rates.MODEL,
    Column("tokens", "int64", "1", "N"),
    Column("layers", "int64", "1", "L"),
)
KEY = (*(column.name for column in _CURVE), "width")
COLUMNS = (*_CURVE, Column("width", "int64", "1", "m"), *rates.COLUMNS)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and m."""
    fits = rates.estimates(table, KEY[:-1], "width", "error").assign(bound=BOUND)
    return fits[[column.name for column in COLUMNS]]
