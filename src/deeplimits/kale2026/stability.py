"""How stable the steps of recorded GD runs were, the worst of all data sets."""

import numpy as np
import pandas as pd

from deeplimits.schema import Column

COLUMNS = (
    Column("increases", "int64", "1", "steps up to t that raised the loss, most of all sets"),
    Column("largest_increase", "float64", "1", "largest rise of ln L in a step up to t, else 0"),
    Column("largest_step_loss", "float64", "1", "largest η_s L(w_s) of all s ≤ t"),
    Column("step_loss", "float64", "1", "η_t L(w_t), largest of all sets"),
    Column("edge", "float64", "1", "η_t λ_max(∇²L(w_t)), largest of all sets"),
)
"""Exact numbers, without a standard error: each is the worst of the sets that were run."""


def worst(table: pd.DataFrame, key: list[str]) -> pd.DataFrame:
    """Return `COLUMNS` of rows with the columns of `records`, indexed by `key`."""
    derived = pd.DataFrame(
        {
            "increases": table["increases"],
            "largest_increase": table["largest_increase"],
            "largest_step_loss": np.exp(table["log_step_loss"]),
            "step_loss": np.exp(table["log_step"] + table["log_loss"]),
            "edge": np.exp(table["log_step"] + table["log_sharpness"]),
        }
    )
    return derived.groupby([table[name] for name in key], sort=True).max()
