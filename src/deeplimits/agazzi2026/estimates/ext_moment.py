"""E[1 − u_t] at each step Δt and extrapolated to Δt → 0, beside the backward equation."""

import numpy as np
import pandas as pd

from deeplimits import stats
from deeplimits.agazzi2026 import backward, two_tokens
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.schema import Column

KEY = (*two_tokens.AXES, "t", "dt")
COLUMNS = (
    *two_tokens.COLUMNS,
    Column("t", "float64", "1", "depth"),
    Column("dt", "float64", "1", "Δt; 0: extrapolated from the others"),
    Column("replicas", "int64", "1", "number of pairs at each step"),
    Column("gap", "float64", "1", "mean of 1 − u"),
    Column("gap_se", "float64", "1", "its standard error"),
    Column("exact", "float64", "1", "E[1 − u_t] in the limit Δt → 0, from the backward equation"),
)
DEGREE = 2
"""Degree in Δt of the polynomial that extrapolates log E[1 − u_t]; less if there are few steps.

A step Δt changes the rate of decay, so it multiplies the mean by about e^{ctΔt}.
"""


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a model, depth and step, and one with Δt = 0 where there are two steps or more."""
    models = table.groupby(two_tokens.AXES, sort=True)
    result = pd.concat([_model(dict(zip(two_tokens.AXES, k, strict=True)), t) for k, t in models])
    return result[[column.name for column in COLUMNS]]


def _model(cell: dict, table: pd.DataFrame) -> pd.DataFrame:
    steps = [_step(runs) for _, runs in table.groupby("refinement")]
    if len(steps) > 1:
        steps.append(_limit(steps))
    exact = backward.mean_gap(Kernel(**cell), steps[0]["t"], u0=0.0)
    return pd.concat([step.assign(**cell, exact=exact) for step in steps])


def _step(runs: pd.DataFrame) -> pd.DataFrame:
    """Means over the pairs of all blocks, at every depth of one step."""
    depths = runs.sort_values("layer").groupby("layer")
    pairs, t = depths["pairs"].sum(), depths["t"].first()
    gap, square = (
        (runs[name] * runs["pairs"]).groupby(runs["layer"]).sum() / pairs
        for name in ("gap", "square")
    )
    error = np.sqrt((square - gap**2) / (pairs - 1))
    dt = t.max() / t.index.max()
    step = {"t": t, "dt": dt, "replicas": pairs, "gap": gap, "gap_se": error}
    return pd.DataFrame(step).reset_index(drop=True)


def _limit(steps: list[pd.DataFrame]) -> pd.DataFrame:
    """The extrapolated rows; steps record the same depths."""
    dt, gap, error = (
        np.stack([step[name] for step in steps], axis=1) for name in ("dt", "gap", "gap_se")
    )
    relative = error / gap
    weights = np.stack(
        [stats.weights_at_zero(*point, DEGREE) for point in zip(dt, relative, strict=True)]
    )
    limit = np.exp(np.sum(weights * np.log(gap), axis=1))
    return steps[0].assign(
        dt=0.0, gap=limit, gap_se=limit * np.sqrt(np.sum(weights**2 * relative**2, axis=1))
    )
