"""How stable the steps of every rule were, over the sets of one kind, at every recorded time."""

import pandas as pd

from deeplimits.kale2026 import stability
from deeplimits.schema import Column

KEY = ("rule", "data", "gamma", "t")
COLUMNS = (
    Column("rule", "string", "1", "step-size rule"),
    Column("data", "string", "1", "kind of the data sets"),
    Column("gamma", "float64", "1", "γ"),
    Column("t", "int64", "1", "iteration"),
    Column("sets", "int64", "1", "number of data sets"),
    Column("log_loss", "float64", "1", "ln L(w_t), largest of all sets"),
    *stability.COLUMNS,
)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a rule, kind of data, margin and recorded iteration."""
    key = list(KEY)
    groups = table.groupby(key, sort=True)
    counts = groups.agg(sets=("replica", "size"), log_loss=("log_loss", "max"))
    joined = counts.join(stability.worst(table, key)).reset_index()
    return joined[[column.name for column in COLUMNS]]
