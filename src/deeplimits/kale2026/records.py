"""Recorded GD runs as rows."""

import numpy as np

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
