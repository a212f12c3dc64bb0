"""Recorded GD runs as rows, and how stable their steps were, the worst of all data sets."""

import numpy as np
import pandas as pd

from deeplimits.kale2026.trace import Trace
from deeplimits.schema import Column

COLUMNS = (
    Column("t", "int64", "1", "iteration"),
    Column("log_loss", "float64", "1", "ln L(w_t)"),
    Column("log_step", "float64", "1", "ln η_t"),
    Column("log_sharpness", "float64", "1", "ln λ_max(∇²L(w_t))"),
    Column("increases", "int64", "1", "steps up to t that raised the loss"),
    Column("largest_increase", "float64", "1", "largest rise of ln L in one of them, else 0"),
    Column("log_step_loss", "float64", "1", "largest ln(η_s L(w_s)), s ≤ t"),
)


def rows(runs: Trace) -> dict[str, np.ndarray]:
    """Return `COLUMNS`: data sets one after the other, in each its runs, in each its iterations."""
    sets, each, _ = runs.reached.shape
    series = {name: runs.series[name].ravel() for name in (c.name for c in COLUMNS[1:])}
    return {"t": np.tile(runs.iterations, sets * each), **series}


STABILITY = (
    Column("increases", "int64", "1", "steps up to t that raised the loss, most of all sets"),
    Column("largest_increase", "float64", "1", "largest rise of ln L in a step up to t, else 0"),
    Column("largest_step_loss", "float64", "1", "largest η_s L(w_s) of all s ≤ t"),
    Column("step_loss", "float64", "1", "η_t L(w_t), largest of all sets"),
    Column("edge", "float64", "1", "η_t λ_max(∇²L(w_t)), largest of all sets"),
)
"""Exact numbers, without a standard error: each is the worst of the sets that were run."""


def stability(table: pd.DataFrame, key: list[str]) -> pd.DataFrame:
    """Return `STABILITY` of rows with the columns `COLUMNS`, indexed by `key`."""
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
