"""How two tokens end: the transition, the probability of antipodes, and nothing in between."""

import numpy as np
import pandas as pd
from scipy import special

from deeplimits import stats
from deeplimits.claims import Finding, claim
from deeplimits.fedorov2026 import frequencies

LEVEL = 0.01
"""Family-wise error rate of a group of tests."""
PAPER = "not stated: only the abstract and a note on the paper are known"

SETTLED = 1e-3
"""Share of runs, at most, that were left out on the way to the other end."""
PRECISE = 0.05
"""Half width of interval plus allowance that a comparison may have, at most."""
HELD = 0.02
"""Share of runs near −1 that tells the two sides of the transition apart."""
START = -0.9
"""ρ₀ of the runs that show the transition: from 0 it is invisible at large d."""
VISIBLE = 0.05
"""Exact p above which the far side of the transition must show."""


@claim(
    statement="Two tokens end antipodal with the probability p(ρ₀; β, d) of the one-dimensional "
    "limit, for every d.",
    reported="The transition of two tokens; the formula of p is ours.",
    rule="Models, starts and steps with p > 0 where both clocks are 20 or more and "
    "|(d−1)sech²β − 2| ≥ .3. Undecided runs may end either way, so two exact one-sided binomial "
    "tests each: too many antipodal runs even if no undecided one counts, too few even if all do. "
    "The step may shift the log odds by ±ε/|(d−1)sech²β − 2|, ε = σ²(d−1)Δt (about twice the shift "
    "of the discrete exponent), and 1e-3 of the runs may have been left out wrongly. Contradicted "
    "if a test rejects (Holm, family-wise 1%). Reproduced if none does, in 9 of 10 comparisons at "
    "the least step half the 95% interval plus allowance is .05 or less, and p there covers .02 to "
    ".5 or more; else inconclusive.",
    origin="ours",
    scale="ours",
    setting=PAPER,
    tables=("phase_diagram_estimates", "transition_estimates"),
)
def antipodal_probability_is_exact(diagram: pd.DataFrame, transition: pd.DataFrame) -> Finding:
    """Test every comparable frequency against p."""
    rows = pd.concat([compared(diagram), compared(transition)])
    rows = rows[rows["exact"] > 0]
    least, most = allowed(rows)
    n, low = (rows[name].to_numpy() for name in ("replicas", "antipodal"))
    high = low + rows["undecided"].to_numpy()
    p_values = np.concatenate(
        [frequencies.at_least(low, n, most), frequencies.at_most(high, n, least)]
    )
    fine = rows["epsilon"] == rows.groupby(frequencies.RUN[:3])["epsilon"].transform("min")
    width = (rows["high"] - rows["low"] + most - least) / 2
    precise = fine.any() and (width[fine] <= PRECISE).mean() >= 0.9
    covered = rows["exact"].min() <= 0.02 and rows["exact"].max() >= 0.5
    if len(rows) and stats.holm(p_values).min() < LEVEL:
        verdict = "contradicted"
    elif precise and covered:
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    if not len(rows):
        return Finding(verdict, "nothing to compare", setting(diagram, transition))
    steps = "; ".join(
        f"ε = {epsilon:g}: {offset:+.4f} ± {error:.4f} ({number} comparisons)"
        for epsilon, number, offset, error in mean_offsets(rows)
    )
    measured = (
        f"mean of share − p: {steps}; least adjusted p-value {stats.holm(p_values).min():.2g} of "
        f"{p_values.size}; p from {rows['exact'].min():.1g} to {rows['exact'].max():.2f}; without "
        f"any allowance root mean square of scores {np.sqrt((rows['score'] ** 2).mean()):.2f}"
    )
    _, _, offset, error = mean_offsets(rows)[0]
    return Finding(verdict, measured, setting(diagram, transition), offset, error)


def compared(table: pd.DataFrame) -> pd.DataFrame:
    """Rows at the last depth where claims about the outcome hold."""
    last = frequencies.final(table)
    return last[last["comparable"]]


def allowed(rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest probability that the rule allows beside the exact one."""
    centre = special.logit(rows["exact"].to_numpy())
    shift = (rows["epsilon"] / rows["exponent"].abs()).to_numpy()
    ends = special.expit(centre - shift) - SETTLED, special.expit(centre + shift) + SETTLED
    return np.clip(ends[0], 0, 1), np.clip(ends[1], 0, 1)


def mean_offsets(rows: pd.DataFrame) -> list[tuple[float, int, float, float]]:
    """Step, number of rows, mean of share − p (half the undecided count) and standard error."""
    share = rows["share"] + rows["undecided_share"] / 2
    variance = rows["exact"] * (1 - rows["exact"]) / rows["replicas"]
    parts = rows.assign(off=share - rows["exact"], variance=variance).groupby("epsilon")
    return [
        (
            float(step),
            len(part),
            float(part["off"].mean()),
            float(part["variance"].sum() ** 0.5 / len(part)),
        )
        for step, part in parts
    ]


@claim(
    statement="Antipodal tokens attract with positive probability if and only if d − 2 < cosh 2β.",
    reported="The same condition, for two tokens with QᵀK = βI (note on the paper).",
    rule="Runs from ρ₀ = −.9, where both clocks are 20 or more and "
    "|(d−1)sech²β − 2| ≥ .3; the share with 1 + ρ ≤ 1e-3 at T, which needs no theory, against 2%. "
    "It must exceed 2% above the transition, where p ≥ .05 (elsewhere it is too rare to see), and "
    "fall short of 2% below: exact one-sided binomial tests. Contradicted if a share is on the "
    "wrong side of 2% (Holm over all tests, family-wise 1%). Reproduced if every share is on the "
    "right side (Holm, 1%) and 5 dimensions with β* > 0 or more have both; else inconclusive.",
    origin="paper",
    scale="ours",
    setting=PAPER,
    tables=("phase_diagram_estimates", "transition_estimates"),
)
def threshold_of_antipodes(diagram: pd.DataFrame, transition: pd.DataFrame) -> Finding:
    """Look for runs that stay opposite, on both sides."""
    rows = pd.concat([compared(diagram), compared(transition)])
    rows = rows[rows["rho0"] == START]
    rows = rows[(rows["exponent"] > 0) | (rows["exact"] >= VISIBLE)]
    above = (rows["exponent"] < 0).to_numpy()
    n, k = (rows[name].to_numpy() for name in ("replicas", "opposite"))
    many, few = frequencies.at_least(k, n, HELD), frequencies.at_most(k, n, HELD)
    right, wrong = np.where(above, many, few), np.where(above, few, many)
    sides = rows[rows["beta_star"] > 0].groupby("d")["exponent"].agg(lambda e: np.sign(e).nunique())
    bracketed = sides.index[sides == 2]
    if len(rows) and stats.holm(wrong).min() < LEVEL:
        verdict = "contradicted"
    elif len(bracketed) >= 5 and stats.holm(right).max() < LEVEL:
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    if not len(rows):
        return Finding(verdict, "nothing to compare", setting(diagram, transition))
    brackets = ", ".join(bracket(d, rows[rows["d"] == d]) for d in bracketed)
    share = rows["opposite"] / rows["replicas"]
    measured = (
        f"share opposite at T: at most {share[~above].max():.4f} in {np.count_nonzero(~above)} "
        f"cells below, at least {share[above].min():.3f} in {np.count_nonzero(above)} above; last "
        f"β without and first with antipodes (β*): {brackets}"
    )
    return Finding(verdict, measured, setting(diagram, transition))


def bracket(d: int, rows: pd.DataFrame) -> str:
    """Between which β the share of opposite runs passes `HELD`."""
    held = rows["opposite"] / rows["replicas"] > HELD
    below, above = rows.loc[~held, "beta"].max(), rows.loc[held, "beta"].min()
    return f"d={d} {below:g}–{above:g} ({rows['beta_star'].iloc[0]:.2f})"


@claim(
    statement="Two tokens end at ρ = 1 or ρ = −1 and nowhere else.",
    reported="Antipodal formations and clusters; for two tokens no other limit.",
    rule="Runs recorded at three depths or more that double up to T, where both clocks are 20 or "
    "more and |(d−1)sech²β − 2| ≥ .3; the share more than 1e-3 from both ends. Reproduced if over "
    "all runs it falls with every doubling, by more than 3 standard errors (counts b₁, b₂ of one "
    "set of runs: (b₁ − b₂)/√(b₁ + b₂)), in every model it is less at T than at the first depth, "
    "and the upper end of its 95% Wilson interval at T is 1% or less over all runs, 2% in every "
    "model. "
    "Contradicted if it rises with a doubling in a model (z tests, Holm, family-wise 1%), or over "
    "all runs has not halved from the first depth to T; else inconclusive.",
    origin="paper",
    scale="ours",
    setting=PAPER,
    tables=("transition_estimates",),
)
def two_tokens_end_at_plus_or_minus_one(table: pd.DataFrame) -> Finding:
    """Follow the share between the ends over doubling depths."""
    counts, replicas = between_by_depth(table)
    if counts.shape[1] < 3 or not len(counts):
        return Finding("inconclusive", "fewer than three depths", setting(table))
    total = counts.sum(axis=0)
    rises = stats.p_value_above(-falls(counts[:, :-1], counts[:, 1:]))
    ends = stats.wilson(total[-1], replicas.sum())
    small = ends.high <= 0.01 and (stats.wilson(counts[:, -1], replicas).high <= 0.02).all()
    everywhere = (counts[:, -1] < counts[:, 0]).all()
    if stats.holm(rises.ravel()).min() < LEVEL or total[-1] > total[0] / 2:
        verdict = "contradicted"
    elif (falls(total[:-1], total[1:]) > 3).all() and everywhere and small:
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    shares = ", ".join(f"{share:.5f}" for share in total / replicas.sum())
    measured = (
        f"share between the ends at doubling depths up to T: {shares} of {replicas.sum()} runs of "
        f"{len(counts)} models (95% interval at T {ends.low:.5f} to {ends.high:.5f}); largest "
        f"share of a model at T {(counts[:, -1] / replicas).max():.4f}"
    )
    value = total[-1] / replicas.sum()
    error = np.sqrt(value * (1 - value) / replicas.sum())
    return Finding(verdict, measured, setting(table), float(value), float(error))


def between_by_depth(table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Counts between the ends, one row a model and one column a depth, and numbers of runs."""
    runs = table[table["replicas"] > 0].merge(compared(table)[frequencies.RUN], on=frequencies.RUN)
    rank = runs.groupby(frequencies.RUN)["layer"].rank().astype(int)
    counts = runs.assign(rank=rank).pivot(index=frequencies.RUN, columns="rank", values="between")
    return counts.to_numpy(), runs.groupby(frequencies.RUN)["replicas"].first().to_numpy()


def falls(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Z of the fall of a count between two depths of the same runs; 0 where both are 0."""
    return (before - after) / np.sqrt(np.maximum(before + after, 1))


def setting(*tables: pd.DataFrame) -> str:
    """Sizes, steps and horizons."""
    rows = pd.concat([frequencies.final(table) for table in tables])
    steps = ", ".join(f"{step:g}" for step in sorted(rows["epsilon"].unique()))
    return (
        f"exact two-token chain; d = {rows['d'].min()} to {rows['d'].max()}, β = "
        f"{rows['beta'].min():g} to {rows['beta'].max():g}, σ²(d−1)Δt = {steps}, σ²(d−1)T up to "
        f"{rows['clock'].max():.0f}, {rows['replicas'].min()} to {rows['replicas'].max()} runs a "
        "start and model"
    )
