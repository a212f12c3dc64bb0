"""Slopes of log(1 − u) at each step ε and extrapolated to ε = 0, beside the predictions."""

import numpy as np
import pandas as pd

from deeplimits import stats
from deeplimits.agazzi2026 import theory, two_tokens
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.schema import Column

KEY = (*two_tokens.AXES, "epsilon")
COLUMNS = (
    *two_tokens.COLUMNS,
    Column("epsilon", "float64", "1", "κ(1)(d−1)Δt; 0: extrapolated from the others"),
    Column("dt", "float64", "1", "Δt"),
    Column("t", "float64", "1", "depth T of the runs"),
    Column("replicas", "int64", "1", "number of pairs at each step"),
    Column("slope", "float64", "1", "mean of [log(1−u_T) − log(1−u_0)]/T"),
    Column("slope_se", "float64", "1", "its standard error"),
    Column("half", "float64", "1", "the same from 0 to T/2"),
    Column("half_se", "float64", "1", "its standard error"),
    Column("drift", "float64", "1", "slope from T/2 to T minus that from 0 to T/2"),
    Column("drift_se", "float64", "1", "its standard error"),
    Column("exact", "float64", "1", "what `slope` estimates: twice the discrete exponent"),
    Column("limit", "float64", "1", "2λ₁, the limit Δt → 0"),
)
MEASURED = ("slope", "half", "drift")

DEGREE = 2
"""Degree in ε of the polynomial that extrapolates; less if there are too few steps."""


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a step, and one with ε = 0 for each model simulated at two steps or more."""
    steps = pd.DataFrame(
        [
            _step(dict(zip(KEY, key, strict=True)), runs)
            for key, runs in table.groupby(list(KEY), sort=True)
        ]
    )
    limits = [
        _limit(model) for _, model in steps.groupby(two_tokens.AXES, sort=True) if len(model) > 1
    ]
    result = pd.concat([steps, pd.DataFrame(limits)], ignore_index=True)
    return result[[column.name for column in COLUMNS]]


def _step(cell: dict, runs: pd.DataFrame) -> dict:
    """Slopes of one cell."""
    shift = runs.pivot(index="replica", columns="t", values="log_ratio")
    middle, end = shift.columns
    first = shift[middle] / middle
    second = (shift[end] - shift[middle]) / (end - middle)
    samples = {"slope": shift[end] / end, "half": first, "drift": second - first}
    kernel = Kernel(*(cell[axis] for axis in two_tokens.AXES))
    dt = end / runs["layer"].max()
    return {
        **cell,
        "dt": dt,
        "t": end,
        "replicas": len(shift),
        **{name: values.mean() for name, values in samples.items()},
        **{f"{name}_se": values.sem() for name, values in samples.items()},
        "exact": 2.0 * theory.discrete_exponent(kernel, dt),
        "limit": 2.0 * theory.lambda1(kernel),
    }


def _limit(steps: pd.DataFrame) -> dict:
    """The row at ε = 0 of one model; `exact` is extrapolated alike, to show what that leaves."""
    row = {**steps.iloc[0], "epsilon": 0.0, "dt": 0.0, "t": steps["t"].max()}
    for name in MEASURED:
        weights = stats.weights_at_zero(steps["epsilon"], steps[f"{name}_se"], DEGREE)
        row[name] = weights @ steps[name]
        row[f"{name}_se"] = np.sqrt(weights**2 @ steps[f"{name}_se"] ** 2)
        if name == "slope":
            row["exact"] = weights @ steps["exact"]
    return row
