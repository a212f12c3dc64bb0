"""The paper's claims for GD and SGD on two classes of images."""

from collections.abc import Callable

import pandas as pd

from deeplimits.claims import Finding, Verdict, claim
from deeplimits.kale2026.verdicts import sgd

FOLLOWED = {"gd": "", "sgd": " at most from record to record"}
"""GD is watched at every step, SGD at recorded iterations."""
PAIRS = 2
"""Fewest pairs of classes, of different margins, that the claims are read from."""


@claim(
    statement="On two classes of images GD with the reconstructed schedule decays as the law and "
    "never raises the loss.",
    reported="GD with an increasing, non-adaptive schedule reaches exponential convergence, in the "
    "published version stretched-exponential, and stays in the stable regime (abstract).",
    rule="GD is one run a pair, without chance. The law is met where no step raised the loss, "
    "−ln L ≥ .9 y, y + y³/6 = γ²T, and k(T) > 1.5 k(T/10), k(t) being the order of the decay over "
    "the decade before t. Reproduced if it is met on every pair, of two or more; contradicted if "
    "on one the loss rose, or y ≥ 4 with −ln L < .5 y or k(T) < 1.5 k(T/10); else inconclusive, "
    "and where y < 4.",
    origin="paper",
    scale="ours",
    setting=sgd.PAPER,
    tables=("real_data_estimates",),
)
def growing_steps_on_images(table: pd.DataFrame) -> Finding:
    """GD on every pair."""
    return _judge(table, "gd", sgd.PLAIN, _deterministic)


@claim(
    statement="On two classes of images SGD with a lightweight adaptive step size, our "
    "reconstructed_averaged, reaches stretched-exponential convergence.",
    reported=sgd.REPORTED,
    rule=f"{sgd.RULE} Reproduced if the law is met on every pair, of two or more; contradicted if "
    "it is refuted on one; else inconclusive.",
    origin="paper",
    scale="ours",
    setting=sgd.PAPER,
    tables=("real_data_estimates",),
)
def adaptive_sgd_on_images(table: pd.DataFrame) -> Finding:
    """SGD on every pair."""
    return _judge(table, "sgd", sgd.ADAPTIVE, sgd.standing)


def _deterministic(rows: pd.DataFrame) -> dict[str, Verdict]:
    return {row.data: _single(row) for row in rows.itertuples()}


def _single(row: tuple) -> Verdict:
    """The verdict on one run without chance."""
    if row.increases > 0:
        return "contradicted"
    if row.law < sgd.DEEP:
        return "inconclusive"
    if row.behind or row.contrast < 0:
        return "contradicted"
    return "reproduced" if row.reached and row.contrast > 0 else "inconclusive"


def _judge(
    table: pd.DataFrame,
    algorithm: str,
    rule: str,
    standing: Callable[[pd.DataFrame], dict[str, Verdict]],
) -> Finding:
    table = named(table[table["algorithm"] == algorithm])
    rows = sgd.at_the_end(table, rule)
    pairs = standing(rows)
    verdict = sgd.overall(pairs)
    if verdict == "reproduced" and len(pairs) < PAIRS:
        verdict = "inconclusive"
    parts = [
        f"{sgd.words(row, pairs[row.data])}, γ = {row.gamma:.4f}, T = {row.t}, "
        f"the loss rose {row.increases} times{FOLLOWED[algorithm]}; other rules: "
        f"{_others(table, row)}"
        for row in rows.itertuples()
    ]
    setting = "none"
    if len(rows):
        sizes = ", ".join(f"{row.data}: {row.n} images" for row in rows.itertuples())
        setting = f"{sizes}; runs a pair: {rows['runs'].max()}"
    ratio = (-rows["median"] / rows["law"]).min() if len(rows) else None
    return Finding(verdict, "; ".join(parts) or "no such run", setting, ratio)


def named(table: pd.DataFrame) -> pd.DataFrame:
    """The table with one column for the pair, as for the sets of `sgd`."""
    pair = table["positive"].astype(str) + " against " + table["negative"].astype(str)
    return table.assign(data=table["dataset"] + " " + pair, one_in=0)


def _others(table: pd.DataFrame, row: tuple) -> str:
    """Medians of ln L of the other rules at the same iteration."""
    others = table[
        (table["data"] == row.data) & (table["t"] == row.t) & (table["rule"] != row.rule)
    ]
    found = [f"{other.rule} {other.median:.2f}" for other in others.itertuples()]
    return ", ".join(found) or "none"
