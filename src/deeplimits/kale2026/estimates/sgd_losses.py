"""Bands of ln L over the runs of SGD, for every rule and set."""

import pandas as pd

from deeplimits.kale2026 import curves, sgd_sets
from deeplimits.schema import Column

PLACE = ("rule", "data", "gamma")
KEY = (*PLACE, "t")
COLUMNS = (
    Column("rule", "string", "1", "step-size rule"),
    Column("data", "string", "1", "mirrored pair, 1 in n (one rare point), random or toy"),
    Column("gamma", "float64", "1", "γ, the margin of the set"),
    Column("one_in", "int64", "1", "n of a set with one rare point in n; 0 for balanced sets"),
    *curves.COLUMNS,
)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a rule, set and recorded iteration."""
    parts = []
    for (rule, data, gamma), runs in table.groupby(list(PLACE), sort=True):
        place = {"rule": rule, "data": data, "gamma": gamma, "one_in": sgd_sets.one_in(data)}
        parts.append(curves.summarize(runs, gamma).assign(**place))
    return pd.concat(parts, ignore_index=True)[[column.name for column in COLUMNS]]
