"""Fits of a convergence rate: the exponent of a mean error along levels such as L, m or N.

The runs of one curve give an error at every level, on shared noise, so errors of fitted numbers
come from the runs as independent units: to first order ln of a mean moves with the relative
deviation of a run, and every fitted number is a linear function of the ln means.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from deeplimits.schema import Column
from deeplimits.stats import Estimate

MODEL = (
    Column("activation", "string", "1", "φ"),
    Column("d", "int64", "1", "dimension of the tokens"),
    Column("sigma_u", "float64", "1", "σ_U, standard deviation of the bias b_U"),
    Column("sigma_w", "float64", "1", "σ_W, standard deviation of the bias b_W"),
    Column("a", "float64", "1", "attention scale"),
    Column("horizon", "float64", "1", "T"),
)
"""Columns that tell the models of an experiment apart."""
COLUMNS = (
    Column("replicas", "int64", "1", "number of runs"),
    Column("error", "float64", "1", "mean over runs of the squared error at this level"),
    Column("error_se", "float64", "1", "its standard error"),
    Column(
        "local_slope",
        "float64",
        "1",
        "slope of ln error against ln level, from the level before",
        nullable=True,
    ),
    Column("local_slope_se", "float64", "1", "its standard error", nullable=True),
    Column("slope", "float64", "1", "slope of ln error against ln level, over all levels"),
    Column("slope_se", "float64", "1", "its standard error"),
    Column("trend", "float64", "1", "change of the slope per doubling of the level"),
    Column("trend_se", "float64", "1", "its standard error"),
    Column("last_slope", "float64", "1", "slope at the largest level, by the quadratic fit"),
    Column("last_slope_se", "float64", "1", "its standard error"),
    Column("bound", "float64", "1", "slope of the theorem's upper bound, without logarithms"),
)
"""Columns of a fitted curve, one row a level."""


class Fit(NamedTuple):
    """A curve of mean errors along K levels: its means and slopes, with standard errors."""

    error: Estimate
    local: Estimate
    slope: Estimate
    trend: Estimate
    last: Estimate


def fit(levels: Sequence[int], errors: np.ndarray) -> Fit:
    """Slopes of ln E[error] against ln level.

    Parameters
    ----------
    levels
        K ≥ 3 increasing levels l.
    errors
        Errors (R, K) of R ≥ 2 independent runs; those of one run may depend on each other.

    Returns
    -------
    Fit
        `error`, the K means; `local`, the K − 1 slopes between neighbouring levels; `slope`, of
        the unweighted least-squares line; `trend` and `last`, of the least-squares parabola in
        log₂ l: the change of d ln E/d ln l per doubling, and its value at the largest level.

    Raises
    ------
    ValueError
        If a mean is not positive, so that it has no logarithm.
    """
    runs = len(errors)
    means = errors.mean(axis=0)
    if not (means > 0).all():
        raise ValueError(f"mean errors {means} must be positive")
    deviations = errors / means - 1.0

    def combine(weights: np.ndarray) -> Estimate:
        """Σ_k w_k ln(mean_k), and its standard error by the delta method."""
        spread = np.sum((deviations @ weights.T) ** 2, axis=0) / (runs * (runs - 1))
        return Estimate(weights @ np.log(means), np.sqrt(spread))

    x = np.log2(levels)
    x -= x[-1]
    per_log = 1.0 / np.log(2.0)
    step = np.diff(np.eye(len(x)), axis=0) / np.diff(x)[:, None]
    line = np.linalg.pinv(np.vander(x, 2, increasing=True))
    parabola = np.linalg.pinv(np.vander(x, 3, increasing=True))
    identity = combine(np.eye(len(x)))
    return Fit(
        error=Estimate(means, means * identity.error),
        local=combine(step * per_log),
        slope=combine(line[1] * per_log),
        trend=combine(2.0 * parabola[2] * per_log),
        last=combine(parabola[1] * per_log),
    )


def estimates(runs: pd.DataFrame, curve: Sequence[str], level: str, value: str) -> pd.DataFrame:
    """Fits of many curves: one row a curve and level, what belongs to the whole curve repeated.

    Parameters
    ----------
    runs
        One row a curve, `replica` and level, with the error in column `value`.
    curve, level
        Columns that tell curves apart, and that of the level.

    Returns
    -------
    Frame with `curve`, `level` and `COLUMNS` but the bound.
    """
    parts = []
    for key, rows in runs.groupby(list(curve), sort=True):
        errors = rows.pivot(index="replica", columns=level, values=value)
        levels = errors.columns.to_numpy()
        found = fit(levels, errors.to_numpy())
        parts.append(
            pd.DataFrame(
                {
                    **dict(zip(curve, key, strict=True)),
                    level: levels,
                    "replicas": len(errors),
                    "error": found.error.value,
                    "error_se": found.error.error,
                    "local_slope": np.append(np.nan, found.local.value),
                    "local_slope_se": np.append(np.nan, found.local.error),
                    **_scalars("slope", found.slope),
                    **_scalars("trend", found.trend),
                    **_scalars("last_slope", found.last),
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def _scalars(name: str, estimate: Estimate) -> dict[str, float]:
    return {name: float(estimate.value), f"{name}_se": float(estimate.error)}
