"""Estimates of recorded GD runs: medians and ranges over the data sets of one kind and margin."""

import numpy as np
import pandas as pd

from deeplimits.kale2026 import theory
from deeplimits.schema import Column

KEY = ("rule", "data", "gamma", "t")
COLUMNS = (
    Column("rule", "string", "1", "step-size rule"),
    Column("data", "string", "1", "kind of the data sets: random, unbalanced (1 in n) or toy"),
    Column("gamma", "float64", "1", "γ, their margin"),
    Column("t", "int64", "1", "iteration"),
    Column("sets", "int64", "1", "number of data sets"),
    Column("log_loss", "float64", "1", "median over the sets of ln L(w_t)"),
    Column("log_loss_low", "float64", "1", "least of them"),
    Column("log_loss_high", "float64", "1", "largest of them"),
    Column("gap", "float64", "1", "median of 1 − min_i ⟨z_i, w_t⟩/(γ|w_t|)"),
    Column("gap_low", "float64", "1", "least of them"),
    Column("gap_high", "float64", "1", "largest of them"),
    Column("increases", "int64", "1", "most steps up to t that raised the loss of one set"),
    Column("law", "float64", "1", "y(t) of y + y³/6 = γ²t, predicted −ln L of the reconstruction"),
)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a rule, kind of set, margin and iteration."""
    # Rounding may push the normalized margin of a run that has all but converged beyond γ.
    gap = 1.0 - table["least_margin"] / (table["gamma"] * table["norm"])
    table = table.assign(gap=np.maximum(gap, 0.0))
    groups = table.groupby(list(KEY), sort=True)
    spread = {
        f"{name}{ending}": getattr(groups[name], statistic)()
        for name in ("log_loss", "gap")
        for ending, statistic in (("", "median"), ("_low", "min"), ("_high", "max"))
    }
    result = pd.DataFrame(
        {"sets": groups.size(), **spread, "increases": groups["increases"].max()}
    ).reset_index()
    result["law"] = theory.decay(result["gamma"], result["t"])
    return result[[column.name for column in COLUMNS]]
