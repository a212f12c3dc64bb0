"""Cosines of all pairs of tokens, at a geometric sequence of the recorded depths."""

import numpy as np
import pandas as pd

from deeplimits import sphere
from deeplimits.schema import Column

AXES = ("dynamics", "beta")
KEY = (*AXES, "layer", "first", "second")
COLUMNS = (
    Column("dynamics", "string", "1", "noise: σ = 1, a = 0; flow: σ = 0, a = 1"),
    Column("beta", "float64", "1", "β"),
    Column("layer", "int64", "1", "ℓ, number of layers passed"),
    Column("first", "int64", "1", "i, index of a token"),
    Column("second", "int64", "1", "j > i"),
    Column("t", "float64", "1", "depth"),
    Column("cosine", "float64", "1", "⟨x_i, x_j⟩, of one run, known to rounding"),
)
DEPTHS = 120
"""Number of depths after the first one, before those that coincide are dropped."""


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a run, depth and pair."""
    parts = [
        _run(runs).assign(**dict(zip(AXES, cell, strict=True)))
        for cell, runs in table.groupby(list(AXES))
    ]
    result = pd.concat(parts).sort_values(list(KEY), ignore_index=True)
    return result[[column.name for column in COLUMNS]]


def _run(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows.sort_values(["layer", "token"])
    tokens = rows["token"].nunique()
    x = rows[["x1", "x2", "x3"]].to_numpy().reshape(-1, tokens, 3)
    layer, t = (rows[name].to_numpy().reshape(-1, tokens)[:, 0] for name in ("layer", "t"))
    chosen = np.append(0, np.unique(np.geomspace(1, len(x) - 1, DEPTHS).round().astype(np.int64)))
    cosines = np.clip(sphere.upper(sphere.gram(x[chosen])), -1.0, 1.0)
    first, second = np.triu_indices(tokens, k=1)
    return pd.DataFrame(
        {
            "layer": np.repeat(layer[chosen], first.size),
            "first": np.tile(first, chosen.size),
            "second": np.tile(second, chosen.size),
            "t": np.repeat(t[chosen], first.size),
            "cosine": cosines.ravel(),
        }
    )
