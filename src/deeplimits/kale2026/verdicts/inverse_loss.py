"""Where SGD with the pure step 1/ℓ of the sampled loss diverges. All of it is ours."""

import numpy as np
import pandas as pd

from deeplimits import stats
from deeplimits.claims import Finding, claim

START = np.log(np.log(2))
"""Logarithm of the loss at w₀ = 0: a run that ends above it has diverged."""
LONG, MANY = 10_000, 20
"""Fewest iterations, and runs on a set, that decide: the predictions are leading orders in t."""
TOLERANCE = 0.2
"""Relative; the predicted rates themselves span orders of magnitude."""
ERRORS = 3.0
EXCEPTIONS = 0.05
LEVEL = 0.99


@claim(
    statement="SGD with the uncapped step 1/ℓ diverges or converges as the data decide: L ≈ rt "
    "with r of a self-sustaining set of misclassified points, or −ln L ≈ t min⟨z_i, z̄⟩.",
    reported="Ours: no such statement is known from the abstract.",
    rule="A run diverges if its loss ends above that of w₀. An exception is a run that diverges "
    "though its misclassified points sustain no runaway, or converges though min⟨z_i, z̄⟩ ≤ 0. Of "
    "every set and fate with two runs or more, the mean of measured over predicted rate. "
    "Reproduced if there is no exception, both fates occur, and all means lie within 20% of 1; "
    "contradicted if the share of exceptions is above 5% (99% Wilson interval) or a mean differs "
    "from 1 by more than 20% by over 3 standard errors; inconclusive otherwise, and with fewer "
    "than 20 runs on a set or 10⁴ iterations.",
    origin="ours",
    scale="ours",
    setting="not stated: only the abstract is known",
    tables=("sgd_inverse_loss",),
)
def data_decide_whether_inverse_loss_diverges(table: pd.DataFrame) -> Finding:
    """Compare fates and rates with those predicted."""
    up = table["log_loss"] > START
    exceptions = int(((up & (table["rate"] == 0)) | (~up & (table["speed"] <= 0))).sum())
    means = ratios(table, up)
    off = (means["ratio"] - 1).abs() - TOLERANCE
    groups = table.groupby(["data", "gamma"])["log_loss"].size()
    setting = (
        f"{groups.min()} runs a set, {len(groups)} sets with γ from {table['gamma'].min():g} to "
        f"{table['gamma'].max():g}, {table['t'].min()} steps"
    )
    if groups.min() < MANY or table["t"].min() < LONG:
        verdict = "inconclusive"
    elif (
        stats.wilson(exceptions, len(table), LEVEL).low > EXCEPTIONS
        or (off > ERRORS * means["error"]).any()
    ):
        verdict = "contradicted"
    elif exceptions == 0 and up.any() and not up.all() and (off <= 0).all():
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    worst = means.loc[off.idxmax()] if len(means) else {"ratio": None, "error": None}
    measured = (
        f"{up.sum()} of {len(table)} runs diverge, {exceptions} exceptions; measured over "
        f"predicted rate, means by set: {_span(means, True)} where L rises, {_span(means, False)} "
        f"where it falls. Every run diverges on {_always(table, up) or 'no set'}"
    )
    return Finding(verdict, measured, setting, worst["ratio"], worst["error"])


def ratios(table: pd.DataFrame, up: pd.Series) -> pd.DataFrame:
    """Mean of measured over predicted rate and its standard error, by set and fate."""
    predicted = np.where(up, table["rate"], table["speed"])
    rate = np.where(up, np.exp(table["log_loss"].clip(upper=50)), -table["log_loss"]) / table["t"]
    known = predicted > 0
    ratio = pd.Series(rate[known] / predicted[known], index=table.index[known])
    rows = table.loc[known, ["data", "gamma"]].assign(up=up, ratio=ratio)
    means = rows.groupby(["data", "gamma", "up"])["ratio"].agg(ratio="mean", error="sem").dropna()
    return means.reset_index()


def _span(means: pd.DataFrame, up: bool) -> str:
    part = means.loc[means["up"] == up, "ratio"]
    return f"{part.min():.3f} to {part.max():.3f}" if len(part) else "none"


def _always(table: pd.DataFrame, up: pd.Series) -> str:
    """The sets on which no run converges, with their margins."""
    share = up.groupby([table["data"], table["gamma"]]).mean()
    sets = share[share == 1].reset_index().groupby("data")["gamma"]
    return "; ".join(
        f"{data}, γ = {', '.join(f'{gamma:g}' for gamma in gammas)}" for data, gammas in sets
    )
