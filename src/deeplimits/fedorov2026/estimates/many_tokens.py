"""Shares of the outcomes, of the minority's sizes, of what lasted, and of the cosines."""

import numpy as np
import pandas as pd
from scipy.special import roots_jacobi

from deeplimits import stats
from deeplimits.fedorov2026 import formations, theory
from deeplimits.schema import Column

AXES = ("dynamics", "n", "d", "beta", "horizon")
KEY = (*AXES, "t", "quantity", "item")
COLUMNS = (
    Column("dynamics", "string", "1", "noise: σ = 1, a = 0; flow: σ = 0, a = 1"),
    Column("n", "int64", "1", "number of tokens"),
    Column("d", "int64", "1", "dimension"),
    Column("beta", "float64", "1", "β"),
    Column("horizon", "float64", "1", "T"),
    Column("t", "float64", "1", "depth"),
    Column(
        "quantity",
        "string",
        "1",
        "outcome; minority: of antipodal runs; kept: of runs antipodal at t/4; cosine: of pairs",
    ),
    Column("item", "int64", "1", "as in `many_tokens`"),
    Column("value", "float64", "1", "minority: size/n; cosine: centre of the bin; else the item"),
    Column("dt", "float64", "1", "Δt"),
    Column("count", "int64", "1", "runs (for cosines: pairs of all runs) that are in the item"),
    Column("runs", "int64", "1", "number of independent runs"),
    Column("share", "float64", "1", "share of the runs, or of the pairs"),
    Column("low", "float64", "1", "lower end of its 95% interval: Wilson; for cosines over runs"),
    Column("high", "float64", "1", "upper end"),
    Column(
        "limit",
        "float64",
        "1",
        "of two antipodal tokens under noise: share as t → ∞, Δt → 0, by quadrature",
        nullable=True,
    ),
)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a cell, depth, quantity and item."""
    of_pairs = table["quantity"] == "cosine"
    result = pd.concat([_runs(table[~of_pairs]), _pairs(table[of_pairs])])
    result = result.sort_values(list(KEY), ignore_index=True)
    return result[[column.name for column in COLUMNS]]


def _runs(rows: pd.DataFrame) -> pd.DataFrame:
    """Shares of independent runs, with Wilson's intervals."""
    low, high = stats.wilson(rows["count"], rows["runs"])
    share = rows["count"] / rows["runs"]
    return rows.assign(share=share, low=low, high=high, limit=_limits(rows))


def _pairs(rows: pd.DataFrame) -> pd.DataFrame:
    """Shares of pairs; those of a run depend on each other, so errors come from runs."""
    share = rows["count"] / (rows["runs"] * rows["per_run"])
    mean_square = rows["squares"] / (rows["runs"] * rows["per_run"] ** 2)
    variance = (mean_square - share**2).clip(lower=0) / (rows["runs"] - 1)
    half = stats.critical_value() * np.sqrt(variance)
    low, high = (share - half).clip(lower=0), (share + half).clip(upper=1)
    return rows.assign(share=share, low=low, high=high, limit=np.nan)


def _limits(rows: pd.DataFrame) -> pd.Series:
    """The probability of antipodes where it is known: two tokens, noise alone."""
    known = (rows["dynamics"] == "noise") & (rows["n"] == 2) & (rows["quantity"] == "outcome")
    known &= rows["item"] == formations.ANTIPODAL
    limits = pd.Series(np.nan, rows.index)
    for (beta, d), group in rows[known].groupby(["beta", "d"]):
        limits[group.index] = uniform_start(beta, d)
    return limits


def uniform_start(beta: float, d: int, nodes: int = 200) -> float:
    """Probability that two independent uniform tokens end antipodal.

    ∫ p(ρ₀) (1−ρ₀²)^{(d−3)/2} dρ₀ / ∫ (1−ρ₀²)^{(d−3)/2} dρ₀ by Gauss–Jacobi quadrature, with p of
    `theory.antipodal_probability`. Our derivation.
    """
    exponent = (d - 3) / 2
    rho0, weights = roots_jacobi(nodes, exponent, exponent)
    return float(np.average(theory.antipodal_probability(beta, d, rho0), weights=weights))
