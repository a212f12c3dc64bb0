"""Mean last position of the walks."""

import numpy as np
import pandas as pd

from deeplimits.schema import Column

KEY = ("kind", "drift", "spread")
COLUMNS = (
    Column("kind", "string", "1", "a label"),
    Column("drift", "float64", "1", "mean of one step"),
    Column("spread", "float64", "1", "standard deviation of one step"),
    Column("walks", "int64", "1", "number of walks"),
    Column("end", "float64", "m", "mean last position"),
    Column("end_se", "float64", "m", "its standard error"),
)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """Average the last positions over the replicas."""
    last = table[table["step"] == table["step"].max()]
    ends = last.groupby(list(KEY))["position"].agg(["mean", "std", "count"]).reset_index()
    ends["end_se"] = ends.pop("std") / np.sqrt(ends["count"])
    return ends.rename(columns={"mean": "end", "count": "walks"})
