"""Rate of the strong error in the number of layers, at common and at a chain's own depths."""

import pandas as pd

from deeplimits.agazzi2026 import rates
from deeplimits.schema import Column

BOUND = -1.0
"""Slope of the theorem's bound 1/L at the depths ℓT/L."""

_CURVE = (
    *rates.MODEL,
    Column("tokens", "int64", "1", "N"),
    Column("reference", "int64", "1", "L of the reference"),
    Column(
        "times",
        "string",
        "1",
        "depths of the supremum: common, those of the coarsest chain; own, all ℓT/L of a chain",
    ),
)
KEY = (*(column.name for column in _CURVE), "layers")
COLUMNS = (*_CURVE, Column("layers", "int64", "1", "L"), *rates.COLUMNS)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a cell, kind of depths and L; errors are divided by 1 − L/L_ref.

    To leading order the error of an Euler chain is a sum, over the pairs of reference layers within
    each of its own layers, of orthogonal terms; those within one layer of the reference are missing
    in the distance to it. Hence E|X_L − X_ref|² is 1 − L/L_ref times E|X_L − X|² (our derivation).
    """
    share = 1.0 - table["layers"] / table["reference"]
    kinds = [
        table.assign(times=times, error=table[f"error_{times}"] / share)
        for times in ("common", "own")
    ]
    fits = rates.estimates(pd.concat(kinds), KEY[:-1], "layers", "error").assign(bound=BOUND)
    return fits[[column.name for column in COLUMNS]]
