"""Whether the steps stay in the stable regime, told the true margin and a wrong one."""

import pandas as pd

from deeplimits.claims import Finding, claim
from deeplimits.kale2026 import theory
from deeplimits.kale2026.verdicts import law

OURS = "reconstructed"
LONG = 10_000
"""Iterations that "throughout" has to cover."""
CONTROLS = {"toy", "random"}
"""Kinds of sets on which a control must be seen, beside two unbalanced ones."""
WITHIN = 3.0
"""Factor by which γ̂ may be wrong, both ways, without breaking anything."""
FAR = 10.0
"""Factor at which it is told what breaks."""
SETTING = "not stated: only the abstract is known"


def stable(table: pd.DataFrame) -> pd.Series:
    """Whether no step raised the loss, all η_t L < 2, and η_t λ_max < 2 where it was recorded."""
    bounded = table[["largest_step_loss", "edge"]].lt(theory.DESCENT_LIMIT).all(axis="columns")
    return (table["increases"] == 0) & bounded


def worst(table: pd.DataFrame) -> str:
    """The three measures in words."""
    return (
        f"{table['increases'].max()} increases, η_t L up to "
        f"{table['largest_step_loss'].max():.3g}, η_t λ_max up to {table['edge'].max():.3g}"
    )


@claim(
    statement="GD with the increasing schedule stays in the stable regime throughout: no step "
    "raises the loss.",
    reported="Abstract: convergence without leaving the stable regime. The schedule tested is our "
    "reconstruction, the measures are ours.",
    rule="Exact counts, no test. Reproduced if on every set no step up to T raises ln L (by more "
    "than 1e-12(1 + |ln L|)), η_t L < 2 at every step, which bounds η_t λ_max and guarantees "
    "descent, and η_t λ_max < 2 where recorded; if T is at least 10⁴, over three margins, three "
    "sizes, random and unbalanced sets and the toy set; and if the measures see instability: on "
    "the toy set, on random sets and on two unbalanced ones another rule both raises the loss and "
    "exceeds η_t λ_max = 2. Contradicted if a step raises the loss or a recorded η_t λ_max exceeds "
    "2; else inconclusive.",
    origin="paper",
    scale="ours",
    setting=SETTING,
    tables=("stability_estimates", "stretched_estimates"),
)
def stays_in_the_stable_regime(rules: pd.DataFrame, sizes: pd.DataFrame) -> Finding:
    """Look at every set, and at the controls."""
    ours, others = rules[rules["rule"] == OURS], rules[rules["rule"] != OURS]
    runs = pd.concat([ours, sizes])
    seen = controls(others)
    if (runs["increases"] > 0).any() or (runs["edge"] > theory.DESCENT_LIMIT).any():
        verdict = "contradicted"
    elif stable(runs).all() and covers(ours, sizes) and covers_controls(seen):
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    control = "; ".join(
        f"{rule}: {worst(part)}" for rule, part in others.groupby("rule") if not stable(part).all()
    )
    measured = f"{OURS}: {worst(runs)}; others: {control or 'none unstable'}"
    setting = (
        f"{ours['data'].nunique()} kinds of sets to T = {ours['t'].max()} beside "
        f"{others['rule'].nunique()} other rules; γ = {law.listed(sizes['gamma'])}, n = "
        f"{law.listed(sizes['n'])} to T = {sizes['t'].max()}"
    )
    return Finding(verdict, measured, setting, float(runs["largest_step_loss"].max()))


def controls(others: pd.DataFrame) -> set[str]:
    """Kinds of sets on which some rule both raises the loss and exceeds η_t λ_max = 2."""
    runs = others.groupby(["data", "rule"])[["increases", "edge"]].max().reset_index()
    unstable = (runs["increases"] > 0) & (runs["edge"] > theory.DESCENT_LIMIT)
    return set(runs.loc[unstable, "data"])


def covers_controls(seen: set[str]) -> bool:
    """Whether instability was seen on every kind of set that the rule asks for."""
    return seen >= CONTROLS and len(seen - CONTROLS) >= 2


def covers(ours: pd.DataFrame, sizes: pd.DataFrame) -> bool:
    """Whether sets, margins, sizes and lengths are those that the rule asks for."""
    long = len(ours) and len(sizes) and min(ours["t"].max(), sizes["t"].max()) >= LONG
    wide = sizes["gamma"].nunique() >= 3 and sizes["n"].nunique() >= 3
    return bool(long and wide and sizes["data"].nunique() >= 4 and "toy" in set(ours["data"]))


@claim(
    statement="A wrong margin is forgiven: told 3 times too large or too small it breaks nothing; "
    "told 10 times too large, GD may oscillate for a while, and then descends as the law says.",
    reported="Ours: the abstract speaks of a margin condition, not of a wrong margin.",
    rule="Exact counts, no test. Reproduced if on every set no step raises the loss and η_t L < 2 "
    "for every factor from 1/10 to 3, no step after T/10 raises it for any factor, and at T the "
    "loss is the lower the larger the factor; if 1/10, 1/3, 1/2, 1, 2, 3 and 10 are among the "
    "factors and T is at least 10⁴. Contradicted if a step raises the loss for a factor of at most "
    "3, or if at T the loss is higher at factor 10 than at 1; else inconclusive.",
    origin="ours",
    scale="ours",
    setting=SETTING,
    tables=("misspecified_margin_estimates",),
)
def wrong_margin_is_forgiven(table: pd.DataFrame) -> Finding:
    """Follow every factor."""
    mild, last = table[table["factor"] <= WITHIN], table[table["t"] == table["t"].max()]
    tenth = table[table["t"] <= 0.1 * table["t"].max()]
    key = ["factor", "data", "gamma"]
    early = tenth.groupby(key)["increases"].max()
    late = last.set_index(key)["increases"].sub(early)
    ends = last.pivot(index=["data", "gamma"], columns="factor", values="decay_low")
    gains = ends.diff(axis="columns").iloc[:, 1:] > 0
    complete = factors_covered(ends.columns) and table["t"].max() >= LONG
    slower = {1.0, FAR} <= set(ends.columns) and (ends[FAR] < ends[1.0]).any()
    if (mild["increases"] > 0).any() or slower:
        verdict = "contradicted"
    elif complete and stable(mild).all() and (late == 0).all() and gains.all(axis=None):
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    told = "; ".join(
        f"γ̂/γ = {factor:.3g}: {worst(part)}{_span(part)}"
        for factor, part in table.groupby("factor")
        if factor >= 1
    )
    setting = (
        f"T = {table['t'].max()}, γ = {law.listed(table['gamma'])}, sets: "
        f"{', '.join(sorted(table['data'].unique()))}; factors {law.listed(table['factor'])}"
    )
    return Finding(verdict, told, setting, float(mild["largest_step_loss"].max()))


def factors_covered(factors: pd.Index) -> bool:
    """Whether the factors that the rule names are there, to 1%."""
    wanted = (1 / FAR, 1 / WITHIN, 0.5, 1.0, 2.0, WITHIN, FAR)
    return all((abs(factors / factor - 1) < 0.01).any() for factor in wanted)


def _span(part: pd.DataFrame) -> str:
    """When the loss rose, to the recorded iterations, over all sets."""
    change = part.sort_values("t").groupby(["data", "gamma"])["increases"].diff()
    rose = part.loc[change[change > 0].index, "t"]
    return f" (at t from {rose.min()} to {rose.max()})" if len(rose) else ""
