"""Bands of ln L over the runs on two classes of images, the margin reached, and increases."""

import pandas as pd

from deeplimits.kale2026 import curves
from deeplimits.schema import Column

PLACE = ("dataset", "positive", "negative", "algorithm", "rule", "last")
KEY = (*PLACE, "t")
COLUMNS = (
    Column("dataset", "string", "1", "digits or mnist"),
    Column("positive", "int64", "1", "class with y = 1"),
    Column("negative", "int64", "1", "class with y = −1"),
    Column("algorithm", "string", "1", "gd or sgd"),
    Column("rule", "string", "1", "step-size rule"),
    Column("last", "int64", "1", "iterations"),
    Column("n", "int64", "1", "number of images"),
    Column("d", "int64", "1", "number of pixels that are not 0 in all of them"),
    Column("gamma", "float64", "1", "γ, the margin"),
    *curves.COLUMNS,
    Column("margin", "float64", "1", "median of min_i ⟨z_i, w_t⟩/(γ|w_t|) over runs"),
    Column("increases", "int64", "1", "largest number of increases of the loss of all runs"),
)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a pair, algorithm, rule and recorded iteration."""
    parts = []
    for key, runs in table.groupby(list(PLACE), sort=True):
        first = runs.iloc[0]
        place = dict(zip(PLACE, key, strict=True)) | {name: first[name] for name in ("n", "d")}
        by_time = runs.groupby("t", sort=True)
        part = curves.summarize(runs, first["gamma"]).assign(**place, gamma=first["gamma"])
        part["margin"] = by_time["normalized_margin"].median().to_numpy()
        part["increases"] = by_time["increases"].max().to_numpy()
        parts.append(part)
    return pd.concat(parts, ignore_index=True)[[column.name for column in COLUMNS]]
