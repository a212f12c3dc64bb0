"""Averages over the runs of `synchronization`, pooled quantiles, exponents of each panel."""

import numpy as np
import pandas as pd

from deeplimits.agazzi2026 import summaries, theory
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.schema import Column

AXES = ["activation", "d", "sigma_u", "sigma_w", "a"]
KEY = (*AXES, "layer")
COLUMNS = (
    Column("activation", "string", "1", "φ; none: no MLP"),
    Column("d", "int64", "1", "dimension of the tokens"),
    Column("sigma_u", "float64", "1", "σ_U, standard deviation of the bias b_U"),
    Column("sigma_w", "float64", "1", "σ_W, standard deviation of the bias b_W"),
    Column("a", "float64", "1", "attention scale"),
    Column("layer", "int64", "1", "ℓ, number of layers passed"),
    Column("t", "float64", "1", "depth ℓ Δt"),
    Column("replicas", "int64", "1", "number of runs"),
    Column("cosine", "float64", "1", "mean over runs of the mean pairwise cosine"),
    Column("cosine_se", "float64", "1", "standard error of `cosine` over runs"),
    Column("cosine_q05", "float64", "1", "5% quantile of the pairs of all runs"),
    Column("cosine_q95", "float64", "1", "95% quantile of the pairs of all runs"),
    Column("gap", "float64", "1", "mean of 1 − cosine, free of cancellation"),
    Column("past_gap", "float64", "1", "mean over runs of the gap's mean over depths up to t"),
    Column("past_gap_se", "float64", "1", "standard error of `past_gap` over runs"),
    Column("energy", "float64", "1", "mean over runs of E_β"),
    Column("energy_se", "float64", "1", "standard error of `energy` over runs"),
    Column("lambda1", "float64", "1", "λ₁ of the noise alone"),
    Column("lambda_bar", "float64", "1", "λ̄ of the noise alone"),
    Column("lambda_bar_prime", "float64", "1", "λ̄′ = −inf F of the energy theorem"),
    Column("log_slope", "float64", "1", "predicted slope of log(1 − cosine) near synchrony at Δt"),
)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and depth."""
    table = table.reset_index(drop=True)
    table["past_gap"] = _past_mean(table)
    groups = table.groupby(list(KEY), sort=True)
    replicas = groups.size()
    means = groups[["t", "gap", "past_gap", "energy"]].mean()
    errors = groups[["gap", "past_gap", "energy"]].std(ddof=1).div(np.sqrt(replicas), axis=0)
    result = means.assign(
        replicas=replicas,
        cosine=1.0 - means["gap"],
        cosine_se=errors["gap"],
        past_gap_se=errors["past_gap"],
        energy_se=errors["energy"],
        **_pooled_quantiles(table, len(means)),
    ).reset_index()
    result = result.merge(_exponents(table), on=AXES)
    return result[[column.name for column in COLUMNS]]


def _past_mean(table: pd.DataFrame) -> pd.Series:
    """Mean of each run's gap over the depths up to its own, by the trapezoidal rule."""
    ordered = table.sort_values([*KEY[:-1], "replica", "layer"])
    runs = ordered.groupby([*KEY[:-1], "replica"])["gap"]
    first = runs.transform("first")
    area = runs.cumsum() - 0.5 * (first + ordered["gap"])
    return (area / ordered["layer"]).where(ordered["layer"] > 0, first)


def _pooled_quantiles(table: pd.DataFrame, groups: int) -> dict[str, np.ndarray]:
    """5% and 95% quantiles of the pairs of all runs, for each group of `KEY` in sorted order."""
    names = [summaries.quantile_name(level) for level in summaries.LEVELS]
    ordered = table.sort_values([*KEY, "replica"])
    knots = ordered[names].to_numpy().reshape(groups, -1, len(names))
    return {
        f"cosine_q{round(100 * level):02d}": pooled_quantile(knots, summaries.LEVELS, level)
        for level in (0.05, 0.95)
    }


def pooled_quantile(knots: np.ndarray, levels: tuple[float, ...], level: float) -> np.ndarray:
    """Quantile of equal mixtures of laws that are known by some quantiles.

    Each law's distribution function is taken linear between its known quantiles; the mean of the
    functions is inverted by bisection to 1e-12 of the range.

    Parameters
    ----------
    knots
        (groups, laws, levels), quantiles in ascending order; the first and last levels are 0 and 1.
    levels
        Their levels.
    level
        The one asked for.

    Returns
    -------
    One quantile for each group.
    """
    low, high = knots[..., 0].min(axis=1), knots[..., -1].max(axis=1)
    steps = np.diff(levels)
    widths = np.diff(knots, axis=-1)
    for _ in range(40):
        middle = 0.5 * (low + high)
        beyond = middle[:, None, None] - knots[..., :-1]
        # Where neighbouring quantiles agree the distribution function jumps.
        share = np.divide(beyond, widths, out=(beyond >= 0).astype(float), where=widths > 0)
        reached = (np.clip(share, 0.0, 1.0) * steps).sum(axis=-1).mean(axis=1)
        low, high = np.where(reached < level, middle, low), np.where(reached < level, high, middle)
    return 0.5 * (low + high)


def _exponents(table: pd.DataFrame) -> pd.DataFrame:
    """λ₁, λ̄ and the slope near synchrony for every cell."""
    rows = []
    last = table[table["layer"] == table["layer"].max()].drop_duplicates(AXES)
    for cell in last.itertuples():
        kernel = Kernel(cell.activation, cell.d, cell.sigma_u, cell.sigma_w)
        dt = cell.t / cell.layer
        rows.append(
            {
                **{axis: getattr(cell, axis) for axis in AXES},
                "lambda1": theory.lambda1(kernel),
                "lambda_bar": theory.lambda_bar(kernel),
                "lambda_bar_prime": theory.lambda_bar_prime(kernel, cell.beta).value,
                "log_slope": 2.0 * theory.discrete_exponent(kernel, dt, cell.a),
            }
        )
    return pd.DataFrame(rows)
