"""Weak errors E f(ρ_T) − E f of the limit against L, and the slope of each curve."""

from functools import cache

import numpy as np
import pandas as pd

from deeplimits import stats
from deeplimits.fedorov2026 import backward
from deeplimits.fedorov2026.experiments import deep_limit
from deeplimits.schema import Column

MODEL = ["entries", "d", "beta", "rho0", "horizon"]
CURVE = [*MODEL, "function"]
KEY = (*CURVE, "layers")
COLUMNS = (
    Column("entries", "string", "1", "law of the entries of V"),
    Column("d", "int64", "1", "dimension of the tokens"),
    Column("beta", "float64", "1", "β"),
    Column("rho0", "float64", "1", "ρ₀"),
    Column("horizon", "float64", "1", "T"),
    Column("function", "string", "1", "f: square ρ², exponential e^ρ, cosine cos πρ"),
    Column("layers", "int64", "1", "L"),
    Column("replicas", "int64", "1", "number of runs"),
    Column("mean", "float64", "1", "mean of f(ρ_T)"),
    Column("limit", "float64", "1", "E f(ρ_T) of the limit, from the backward equation"),
    Column("error", "float64", "1", "mean − limit, the weak error"),
    Column("error_se", "float64", "1", "its standard error"),
    Column("resolved", "bool", "1", "whether the error exceeds 3 standard errors"),
    Column(
        "slope",
        "float64",
        "1",
        "slope of ln|error| against ln L over the resolved L of the curve",
        nullable=True,
    ),
    Column("slope_se", "float64", "1", "its standard error", nullable=True),
    Column(
        "last",
        "float64",
        "1",
        "the same over the three largest resolved L",
        nullable=True,
    ),
    Column("last_se", "float64", "1", "its standard error", nullable=True),
)

RESOLVED = 3.0
"""Standard errors below which an error is left out of the fit: its logarithm would be biased."""
LEAST = 3
"""Least number of resolved L, of one sign, to which a line is fitted."""


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a curve and L, what belongs to the whole curve repeated."""
    table = table.sort_values(list(KEY), ignore_index=True)
    keys = table[[*MODEL[1:], "function"]].itertuples(index=False)
    limit = np.array([_limit(*key[:-1])[key[-1]] for key in keys])
    error = table["mean"] - limit
    error_se = np.sqrt(table["variance"] / table["replicas"])
    table = table.assign(
        limit=limit, error=error, error_se=error_se, resolved=error.abs() > RESOLVED * error_se
    )
    parts = [curve.assign(**_slope(curve)) for _, curve in table.groupby(CURVE, sort=True)]
    return pd.concat(parts, ignore_index=True)[[column.name for column in COLUMNS]]


@cache
def _limit(d: int, beta: float, rho0: float, horizon: float) -> dict[str, float]:
    """E f(ρ_T) of the limit, for every function."""
    functions = deep_limit.FUNCTIONS
    means = backward.mean_at(
        lambda rho: np.stack([f(rho) for f in functions.values()], axis=-1),
        beta=beta,
        d=d,
        horizon=horizon,
        rho0=rho0,
    )
    return dict(zip(functions, means.tolist(), strict=True))


def _slope(curve: pd.DataFrame) -> dict[str, float]:
    """Weighted lines through the resolved points; NaN where they are few or of both signs."""
    kept = curve[curve["resolved"]]
    if len(kept) < LEAST or kept["error"].gt(0).nunique() != 1:
        return dict.fromkeys(("slope", "slope_se", "last", "last_se"), np.nan)
    whole, last = (
        stats.fit_power(part["layers"], part["error"].abs(), part["error_se"])
        for part in (kept, kept.tail(LEAST))
    )
    return {
        "slope": whole.slope,
        "slope_se": whole.slope_error,
        "last": last.slope,
        "last_se": last.slope_error,
    }
