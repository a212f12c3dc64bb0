"""The law of the reconstructed schedule, y + y³/6 = γ²t: its value, exponent and wrong margins."""

import numpy as np
import pandas as pd

from deeplimits.claims import Finding, claim

CLOSE = 0.05
"""Relative deviation of −ln L from the law that counts as following it."""
OFF = 0.1
"""Deviation, of the ratio or of the exponent, that counts as another law."""
SETTLED = 0.005
"""Deviation below which it need not fall any further."""
CLOCK = 100.0
"""γ²T from which −ln L is compared with the law: y = 7.9."""
LATE = 400.0
"""γ²T from which its exponent is."""
EXPONENT = 0.03
"""Deviation of the local exponent that counts as agreement."""
SMALL = 7.0
"""Predicted −ln L from which a wrong margin is compared with its law."""
SETTING = "not stated: only the abstract is known, which gives no formula"


def listed(values: pd.Series) -> str:
    """Distinct numbers in words."""
    return ", ".join(f"{value:.4g}" for value in sorted(values.unique()))


def ends(table: pd.DataFrame, key: list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows at T and at the last record up to T/10, both indexed by `key`."""
    last = table.groupby(key)["t"].transform("max")
    early = table[table["t"] <= 0.1 * last]
    before = early.loc[early.groupby(key)["t"].idxmax()]
    return table[table["t"] == last].set_index(key), before.set_index(key)


def judged(now: pd.Series, before: pd.Series, close: float, *, complete: bool) -> str:
    """Verdict on deviations from a law at T and at T/10.

    Contradicted if one is above `OFF` and has not fallen; reproduced if all are at most `close`
    and have fallen or are below `SETTLED`, and the runs cover what the rule asks for.
    """
    fallen = now < before.reindex(now.index)
    if ((now > OFF) & ~fallen).any():
        return "contradicted"
    if complete and (now <= close).all() and (fallen | (now < SETTLED)).all():
        return "reproduced"
    return "inconclusive"


def deviation(rows: pd.DataFrame, name: str, target: pd.Series | float) -> pd.Series:
    """Largest distance of a quantity of any set from its target."""
    distances = [(rows[f"{name}_{end}"] - target).abs() for end in ("low", "high")]
    return np.maximum(*distances)


def covers(rows: pd.DataFrame, margins: int) -> bool:
    """Whether there are that many margins, three sizes, and random sets beside unbalanced ones."""
    index = rows.index.to_frame()
    kinds = index["data"].eq("random")
    enough = index["gamma"].nunique() >= margins and index["n"].nunique() >= 3
    return bool(enough and kinds.any() and not kinds.all())


@claim(
    statement="−ln L(w_t) follows y with y + y³/6 = γ²t, whatever γ and n.",
    reported="Ours: the abstract says (stretched-)exponential, without a formula; the schedule is "
    "our reconstruction.",
    rule="Exact numbers, no test: the worst data set of each n, kind and γ with γ²T ≥ 100. "
    "Reproduced if −ln L/y is within 5% of 1 at T everywhere, and closer than at T/10 or within "
    "0.5%, over three γ, three n, random and unbalanced sets. Contradicted if somewhere it is off "
    "by more than 10% at T and no closer than at T/10; else inconclusive.",
    origin="ours",
    scale="ours",
    setting=SETTING,
    tables=("stretched_estimates",),
)
def loss_follows_the_law(table: pd.DataFrame) -> Finding:
    """Compare −ln L with y."""
    last, before = (
        rows[rows.index.isin(_late(table, CLOCK))] for rows in ends(table, ["n", "data", "gamma"])
    )
    now, then = (deviation(rows, "ratio", 1.0) for rows in (last, before))
    verdict = judged(now, then, CLOSE, complete=covers(last, 3))
    return _finding(verdict, last, now, "−ln L/y", "ratio")


@claim(
    statement="The local exponent d ln(−ln L)/d ln t is (1 + y²/6)/(1 + y²/2) and tends to 1/3.",
    reported="Ours, as above: the abstract's (stretched-)exponential gives no exponent.",
    rule="Exact numbers, no test: the worst data set of each n, kind and γ with γ²T ≥ 400. "
    "Reproduced if the exponent at T is within 0.03 of the formula and within 0.05 of 1/3 "
    "everywhere, and closer to 1/3 than at T/10 or within 0.005, over two γ, three n, random and "
    "unbalanced sets. Contradicted if somewhere it is off 1/3 by more than 0.1 at T and no closer "
    "than at T/10; else inconclusive.",
    origin="ours",
    scale="ours",
    setting=SETTING,
    tables=("stretched_estimates",),
)
def exponent_tends_to_a_third(table: pd.DataFrame) -> Finding:
    """Compare the exponent with its formula and with its limit."""
    last, before = (
        rows[rows.index.isin(_late(table, LATE))] for rows in ends(table, ["n", "data", "gamma"])
    )
    now, then = (deviation(rows, "exponent", 1 / 3) for rows in (last, before))
    formula = deviation(last, "exponent", last["exponent_law"])
    complete = covers(last, 2) and bool((formula <= EXPONENT).all())
    verdict = judged(now, then, CLOSE, complete=complete)
    return _finding(verdict, last, formula, "exponent", "exponent")


def _late(table: pd.DataFrame, clock: float) -> pd.Index:
    """The n, kinds and γ whose runs reach that γ²t."""
    reached = table.groupby(["n", "data", "gamma"])["clock"].max()
    # γ²T may be rounded to just below the bound.
    return reached[reached >= clock * (1 - 1e-9)].index


def _finding(verdict: str, last: pd.DataFrame, off: pd.Series, words: str, name: str) -> Finding:
    """The worst data set in words, and as the deciding number."""
    if last.empty:
        return Finding(verdict, "no run is long enough", "no run is long enough")
    row = last.loc[off.idxmax()]
    index = last.index.to_frame()
    measured = (
        f"{words} at T from {last[f'{name}_low'].min():.4f} to {last[f'{name}_high'].max():.4f} "
        f"over {last['sets'].sum()} sets; off the law by {off.max():.4f} at most (n = "
        f"{off.idxmax()[0]}, {off.idxmax()[1]}, γ = {off.idxmax()[2]:g}), y = "
        f"{last['law'].min():.1f} to {last['law'].max():.1f}"
    )
    setting = (
        f"γ = {listed(index['gamma'])}, n = {listed(index['n'])}, T = {last['t'].max()}, γ²T = "
        f"{last['clock'].min():.0f} to {last['clock'].max():.0f}"
    )
    error = row[f"{name}_se"]
    return Finding(verdict, measured, setting, row[name], None if pd.isna(error) else error)


@claim(
    statement="Told γ̂ in place of γ, −ln L(w_t) follows y with e^y − 1 = (e^u − 1)γ²/γ̂², "
    "u + u³/6 = γ̂²t: in the end it is u − 2 ln(γ̂/γ).",
    reported="Ours: the abstract does not speak of a wrong margin.",
    rule="Exact numbers, no test: the worst data set of each factor, kind and γ with y ≥ 7 at T. "
    "Reproduced if −ln L/y is within 5% of 1 at T everywhere, and closer than at T/10 or within "
    "0.5%, over one factor below 1 and three above, one of them 10 or more, random and unbalanced "
    "sets. Contradicted if somewhere it is off by more than 10% at T and no closer than at T/10; "
    "else inconclusive.",
    origin="ours",
    scale="ours",
    setting=SETTING,
    tables=("misspecified_margin_estimates",),
)
def wrong_margin_shifts_the_law(table: pd.DataFrame) -> Finding:
    """Compare −ln L with the law of the margin told."""
    ratios = {f"ratio_{end}": table[f"decay_{end}"] / table["law"] for end in ("low", "high")}
    table = table.assign(ratio=table["decay"] / table["law"], **ratios)
    last, before = ends(table, ["factor", "data", "gamma"])
    last = last[last["law"] >= SMALL]
    now, then = (deviation(rows, "ratio", 1.0) for rows in (last, before))
    index = last.index.to_frame()
    factors, kinds = index["factor"].unique(), set(index["data"])
    enough = (factors < 1).any() and (factors > 1).sum() >= 3 and (factors >= 10).any()
    complete = bool(enough and "random" in kinds and len(kinds - {"random", "toy"}) >= 2)
    verdict = judged(now, then, CLOSE, complete=complete)
    measured = "; ".join(
        f"γ̂/γ = {factor:.3g}: {rows['ratio_low'].min():.3f} to {rows['ratio_high'].max():.3f}"
        for factor, rows in last.groupby("factor")
    )
    setting = f"T = {table['t'].max()}, γ = {listed(table['gamma'])}, y ≥ {SMALL:g}"
    value = None if last.empty else float(last["ratio"].loc[now.idxmax()])
    return Finding(verdict, f"−ln L/y at T: {measured or 'none'}", setting, value)
