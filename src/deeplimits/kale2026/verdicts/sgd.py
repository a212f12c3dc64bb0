"""SGD: whether adaptive steps reach the law on every kind of set, and which of them fail."""

import numpy as np
import pandas as pd

from deeplimits import stats
from deeplimits.claims import Finding, Verdict, claim

ADAPTIVE = "reconstructed_averaged"
PLAIN = "reconstructed"
CAPPED = "reconstructed_capped"
BASELINES = ("constant(1)", "inverse_sqrt(1)")

LEVEL = 0.01
"""Family-wise error rate of the intervals of shares, over the sets of one claim."""
MOST, HALF = 0.75, 0.5
ERRORS = 3.0
"""Standard errors that resolve the sign of a contrast: one-sided 1.35e-3 a test."""
DEEP = 4.0
"""Least y that decides: before, a constant step decays as fast as the law."""

REPORTED = (
    "SGD with a lightweight adaptive step size, without line search, reaches exponential "
    "convergence, in the published version stretched-exponential (abstract)."
)
PAPER = "not stated: only the abstract is known; the paper's step size is not known"
RULE = (
    "On every set, over its independent runs: how many end with −ln L ≥ .9 y, y + y³/6 = γ²T, and "
    "the contrast k(T) − 1.5 k(T/10), k(t) being the order of the decay over the decade before t, "
    "negative for a polynomial past its start. The law is met on a set if more than 3/4 of runs "
    "get there (Wilson intervals, family-wise 1% over the sets, Bonferroni) and the contrast is "
    "above 0 by 3 standard errors; it is refuted if the contrast is below 0 by 3 standard errors, "
    "or more than half of the runs (same intervals) stay below .5 y; sets with y < 4 decide "
    "nothing."
)


def standing(rows: pd.DataFrame) -> dict[str, Verdict]:
    """The verdict on each set from one rule's estimates at the last iteration, one row a set."""
    level = 1 - LEVEL / max(len(rows), 1)
    return {row.data: _standing(row, level) for row in rows.itertuples()}


def _standing(row: tuple, level: float) -> Verdict:
    if row.law < DEEP:
        return "inconclusive"
    reached = stats.wilson(row.reached, row.runs, level)
    behind = stats.wilson(row.behind, row.runs, level)
    if row.contrast < -ERRORS * row.contrast_se or behind.low > HALF:
        return "contradicted"
    if reached.low > MOST and row.contrast > ERRORS * row.contrast_se:
        return "reproduced"
    return "inconclusive"


def at_the_end(table: pd.DataFrame, rule: str) -> pd.DataFrame:
    """The estimates of one rule at its last iteration, one row a set, balanced sets first."""
    rows = table[table["rule"] == rule]
    if rows.empty:
        return rows
    return rows.loc[rows.groupby("data")["t"].idxmax()].sort_values(["one_in", "data"])


def overall(sets: dict[str, Verdict]) -> Verdict:
    """Reproduced if it is on every set, contradicted if it is on one."""
    found = set(sets.values())
    if "contradicted" in found:
        return "contradicted"
    return "reproduced" if found == {"reproduced"} else "inconclusive"


def words(row: tuple, verdict: Verdict) -> str:
    """What was found on one set."""
    error = f" ± {row.contrast_se:.2f}" if row.runs > 1 else ""
    return (
        f"{row.data}: {verdict} (ln L {row.median:.2f}, 5–95% [{row.low:.2f}, {row.high:.2f}], "
        f"−y = {-row.law:.2f}, {row.reached} of {row.runs} runs there, k(T) = {row.order:.2f}, "
        f"contrast {row.contrast:.2f}{error})"
    )


def follows_law(table: pd.DataFrame, rule: str) -> Finding:
    """Judge one rule on all sets."""
    rows = at_the_end(table, rule)
    sets = standing(rows)
    both = {"balanced", "unbalanced"} <= set(np.where(rows["one_in"] > 0, "unbalanced", "balanced"))
    verdict = overall(sets)
    if verdict == "reproduced" and not both:
        verdict = "inconclusive"
    measured = "; ".join(words(row, sets[row.data]) for row in rows.itertuples())
    others = [text for name in BASELINES if (text := _range(table, name))]
    if others:
        measured += f". Polynomial baselines: {'; '.join(others)}"
    ratio = (-rows["median"] / rows["law"]).min() if len(rows) else None
    return Finding(verdict, measured or "no such run", _setting(rows), ratio)


def _range(table: pd.DataFrame, rule: str) -> str:
    """Medians of ln L of a baseline over the sets."""
    rows = at_the_end(table, rule)
    if rows.empty:
        return ""
    low, high = rows["median"].min(), rows["median"].max()
    return f"{rule} ends at ln L from {low:.2f} to {high:.2f}"


def _setting(rows: pd.DataFrame) -> str:
    if rows.empty:
        return "none"
    return (
        f"{rows['runs'].min()} runs a set, γ = {rows['gamma'].max():g}, {rows['t'].max()} steps, "
        f"{len(rows)} sets"
    )


@claim(
    statement="SGD with a lightweight adaptive step size, our reconstructed_averaged, reaches "
    "stretched-exponential convergence on balanced and unbalanced sets.",
    reported=REPORTED,
    rule=f"{RULE} Reproduced if the law is met on every set, of both kinds; contradicted if it is "
    "refuted on one; else inconclusive.",
    origin="paper",
    scale="ours",
    setting=PAPER,
    tables=("sgd_losses_estimates",),
)
def adaptive_sgd_is_stretched_exponential(table: pd.DataFrame) -> Finding:
    """The best adaptive rule on every set."""
    return follows_law(table, ADAPTIVE)


@claim(
    statement="The plain schedule of GD, not adaptive and told γ, follows the same law under SGD.",
    reported="Ours: the paper's rule for SGD is adaptive (abstract).",
    rule=f"{RULE} Reproduced if the law is met on every set, of both kinds; contradicted if it is "
    "refuted on one; else inconclusive.",
    origin="ours",
    scale="ours",
    setting=PAPER,
    tables=("sgd_losses_estimates",),
)
def plain_schedule_suffices_for_sgd(table: pd.DataFrame) -> Finding:
    """The schedule itself on every set."""
    return follows_law(table, PLAIN)


@claim(
    statement="Capped by the sampled loss, min(schedule, 1/ℓ), the schedule fails on unbalanced "
    "data, where the schedule alone does not.",
    reported="Ours: the cap is the first adaptive rule that comes to mind.",
    rule=f"{RULE} Reproduced if the capped rule meets the law on every balanced set and is refuted "
    "on the set with the rarest point, where more than 3/4 of the runs of the plain schedule (same "
    "intervals) get to .9 y. Contradicted if it meets the law on every unbalanced set; else "
    "inconclusive.",
    origin="ours",
    scale="ours",
    setting=PAPER,
    tables=("sgd_losses_estimates",),
)
def capped_sgd_fails_on_rare_points(table: pd.DataFrame) -> Finding:
    """The cap on balanced sets, and on the rarest point."""
    rows, plain = at_the_end(table, CAPPED), at_the_end(table, PLAIN)
    sets = standing(rows)
    balanced = {sets[name] for name in rows.loc[rows["one_in"] == 0, "data"]}
    rare = {sets[name] for name in rows.loc[rows["one_in"] > 0, "data"]}
    if not rare or not balanced:
        return Finding("inconclusive", "no such runs", _setting(rows))
    end = rows.iloc[-1]
    uncapped = plain[plain["data"] == end["data"]]
    if rare == {"reproduced"}:
        verdict = "contradicted"
    elif (
        balanced == {"reproduced"}
        and sets[end["data"]] == "contradicted"
        and _most_get_there(uncapped, 1 - LEVEL / len(rows))
    ):
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    parts = [words(row, sets[row.data]) + _delay(table, row.data) for row in rows.itertuples()]
    parts += [
        f"without the cap on {row.data} ln L {row.median:.2f}, {row.reached} of {row.runs} there"
        for row in uncapped.itertuples()
    ]
    return Finding(verdict, "; ".join(parts), _setting(rows), -end["median"] / end["law"])


def _most_get_there(rows: pd.DataFrame, level: float) -> bool:
    """Whether there is such a set, and more than 3/4 of its runs reach the law."""
    if rows.empty:
        return False
    return bool((stats.wilson(rows["reached"], rows["runs"], level).low > MOST).all())


def _delay(table: pd.DataFrame, name: str) -> str:
    """Until when the median of the capped rule stays below half of the law, from y ≥ 4 on."""
    rows = table[(table["rule"] == CAPPED) & (table["data"] == name) & (table["law"] >= DEEP)]
    late = rows[-rows["median"] < 0.5 * rows["law"]]
    return f", below .5 y until t = {late['t'].max()}" if len(late) else ""
