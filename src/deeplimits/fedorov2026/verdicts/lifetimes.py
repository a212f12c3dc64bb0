"""Antipodal formations in the long run: which of them stay, and how long the others last."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import bdtr, bdtrc

from deeplimits import stats
from deeplimits.claims import Finding, claim

LEVEL = 0.01
"""Family-wise error rate of a group of tests."""
ERRORS = 3.0
"""Standard errors on both sides of a number that must lie in a range: 2.7e-3 a test."""
LEAVING = 0.01
"""A formation leaks if more than this share of its runs leaves it from T/2 to T,"""
LEFT = 0.05
"""or if less than this share is in it at T."""
STAYING = 0.02
"""It stays if less than this share leaves it from T/4 to T."""
ENDS = 20
"""Runs that must have ended for a lifetime to be compared."""
BIAS = 0.1
"""How far ln lifetime may be from theory in a cell, for Δt is finite; half of that in the mean."""
SLOPE = 0.35
"""How far from 2 the slope of ln lifetime in β may lie at the largest β."""
AXES = ["n", "k", "beta", "d", "dt", "horizon"]
ABSTRACT = "not stated: only the abstract is known"


def fates(table: pd.DataFrame) -> pd.DataFrame:
    """The cells of the table, with their runs in place at T/4, T/2 and T and their `fate`."""
    rows = [_counts(place, cell) for place, cell in table.groupby(AXES)]
    counts = dict.fromkeys(("runs", "quarter", "half", "last"), "int64")
    cells = pd.DataFrame(rows, columns=[*AXES, "persists", *counts]).astype(counts)
    return cells.assign(fate=fate(*(cells[name].to_numpy() for name in counts)))


def fate(runs: np.ndarray, quarter: np.ndarray, half: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Fate of cells with so many runs, in place at T/4, T/2 and T.

    Exact one-sided binomial tests, each group by Holm at `LEVEL`. Leaks: more than `LEAVING` of the
    runs in place at T/2 leave by T, or less than `LEFT` of all are in place at T (the smaller
    p-value, doubled). Stays: less than `STAYING` of those in place at T/4 leave by T, and some are.
    """
    leaving = bdtrc(half - last - 1, half, LEAVING)
    gone = bdtr(last, runs, LEFT)
    leaks = stats.holm(np.minimum(2 * np.minimum(leaving, gone), 1.0))
    # Nobody in place at T/4 says nothing about those who stay.
    stays = stats.holm(np.where(quarter > 0, bdtr(quarter - last, quarter, STAYING), 1.0))
    return np.select([leaks < LEVEL, stays < LEVEL], ["leaks", "stays"], "unresolved")


def _counts(place: tuple, cell: pd.DataFrame) -> tuple:
    running = cell.set_index("look")["running"]
    end = running.index.max()
    first = cell.iloc[0]
    in_place = (running[end // 4], running[end // 2], running[end])
    return (*place, first["persists"], first["replicas"], *in_place)


def setting(table: pd.DataFrame) -> str:
    """Horizons, steps, sizes and runs of `ext_lifetimes_estimates`."""
    horizon = table["t"].groupby([table[axis] for axis in AXES]).max()
    steps = ", ".join(f"{dt:g}" for dt in sorted(table["dt"].unique()))
    sizes = ", ".join(str(n) for n in sorted(table["n"].unique()))
    return (
        f"n = {sizes}, T = {horizon.min():.0f} to {horizon.max():.0f}, Δt = {steps}, σ = 1, "
        f"{table['replicas'].max()} runs a cell, started antipodal but for a small perturbation"
    )


def _odd(cells: pd.DataFrame) -> int:
    """How many different odd n there are."""
    return cells.loc[cells["n"] % 2 == 1, "n"].nunique()


def _described(cells: pd.DataFrame) -> str:
    return "; ".join(
        f"n={row.n} k={row.k} β={row.beta:g} d={row.d}: in place {row.quarter}/{row.half}/"
        f"{row.last} of {row.runs}"
        for row in cells.itertuples()
    )


@claim(
    statement="Every antipodal formation of more than two tokens, once there, persists for ever.",
    reported="Abstract: 'antipodal formations persist'. For how long and for which divisions of "
    "the tokens is not known to us; this is its strongest reading, ours.",
    rule="Cells with n > 2, d − 2 < cosh 2β and μ₋ > 0, where clusters attract and hold each other "
    "apart. Runs start antipodal and are counted at T/4, T/2 and T. By exact binomial tests (Holm, "
    "family-wise 1%) a cell leaks if more than 1% of the runs in place at T/2 settle elsewhere by "
    "T, or less than 5% are in place at T; it stays if less than 2% of those in place at T/4 "
    "settle elsewhere by T. Contradicted if cells of two different odd n or more leak; reproduced "
    "if all cells stay, two odd n or more among them; else inconclusive.",
    origin="sharpened",
    scale="ours",
    setting=ABSTRACT,
    tables=("ext_lifetimes_estimates",),
)
def antipodal_formations_persist_for_ever(table: pd.DataFrame) -> Finding:
    """Look for a division of the tokens that leaks."""
    attracting = table["d"] - 2 < np.cosh(2 * table["beta"])
    cells = fates(table[attracting & table["repels"] & (table["n"] > 2)])
    leaking = cells[cells["fate"] == "leaks"]
    if _odd(leaking) >= 2:
        verdict = "contradicted"
    elif (cells["fate"] == "stays").all() and _odd(cells) >= 2:
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    halves = leaking["n"] == 2 * leaking["k"]
    measured = (
        f"{len(leaking)} of {len(cells)} cells leak, {halves.sum()} of them with k = n/2; "
        f"{(cells['fate'] == 'stays').sum()} stay"
    )
    if len(leaking):
        measured += f"; for example (T/4, T/2, T) {_described(leaking.iloc[:2])}"
    return Finding(verdict, measured, setting(table), float(len(leaking)))


@claim(
    statement="An antipodal formation stays exactly when it has k = n/2 tokens on each side and "
    "d − 2 < cosh 2β; every other leaks.",
    reported="The threshold of two tokens is the paper's; which formations are invariant is our "
    "derivation (docs/fedorov2026.md).",
    rule="The tests of antipodal_formations_persist_for_ever over all cells. Reproduced if every "
    "cell that should stay does and every other leaks, with two n or more that stay, two odd n "
    "and a cell of equal halves below the threshold that leak; contradicted if a cell is resolved "
    "the other way; else inconclusive.",
    origin="ours",
    scale="ours",
    setting="none: the prediction is ours",
    tables=("ext_lifetimes_estimates",),
)
def only_equal_halves_persist(table: pd.DataFrame) -> Finding:
    """Compare the fate of every cell with the prediction."""
    cells = fates(table)
    expected = np.where(cells["persists"], "stays", "leaks")
    resolved = cells["fate"] != "unresolved"
    staying = cells[cells["fate"] == "stays"]
    leaking = cells[cells["fate"] == "leaks"]
    covered = (
        staying["n"].nunique() >= 2
        and _odd(leaking) >= 2
        and (leaking["n"] == 2 * leaking["k"]).any()
    )
    if (resolved & (cells["fate"] != expected)).any():
        verdict = "contradicted"
    elif resolved.all() and covered:
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    others = cells[cells["fate"] != expected]
    agree = len(cells) - len(others)
    measured = (
        f"{agree} of {len(cells)} cells as predicted; {len(staying)} stay ({_left(staying)} runs "
        f"left from T/4 to T), {len(leaking)} leak"
    )
    if len(others):
        measured += f"; otherwise: {_described(others)}"
    return Finding(verdict, measured, setting(table), float(agree))


def _left(cells: pd.DataFrame) -> str:
    lost = (cells["quarter"] - cells["last"]).sum()
    return f"{lost} of {cells['quarter'].sum()}"


def final(table: pd.DataFrame) -> pd.DataFrame:
    """The last row of every cell of a formation that lasts for a time, with ends enough."""
    last = table.loc[table.groupby(AXES)["look"].idxmax()]
    return last[last["lasting"] & (last["ends"] >= ENDS)]


@claim(
    statement="k tokens against n − k, k < n/2, last as long as two clusters whose cosine follows "
    "a one-dimensional diffusion: in the end, runs leave at the rate of its lowest eigenvalue.",
    reported="none: our derivation (docs/fedorov2026.md)",
    rule="ln(lifetime/prediction) with error ends^−½, in every cell with μ₋ > 0, 20 ends or more, "
    "and a predicted lifetime above the burn-in 8 + 2β (in less the start is not forgotten). 0.1 "
    "is allowed for the finite Δt. Contradicted if one-sided z tests reject |·| ≤ 0.1 at "
    "family-wise 1% (Holm). Reproduced if they don't, the mean over cells lies within ±0.05 with 3 "
    "standard errors around it, the rate does not differ between the halves of the exposure (z "
    "tests, Holm 1%), and there are 8 cells or more with 3 or more different n; else inconclusive.",
    origin="ours",
    scale="ours",
    setting="none: the prediction is ours",
    tables=("ext_lifetimes_estimates",),
)
def lifetimes_are_those_of_two_clusters(table: pd.DataFrame) -> Finding:
    """Compare the fitted lifetimes with the eigenvalue, and the two halves of each run."""
    cells = final(table)
    if cells.empty:
        return Finding("inconclusive", "no cell with enough ends", setting(table))
    off, error = np.log(cells["lifetime"] / cells["predicted"]), cells["log_rate_se"]
    mean, mean_error = off.mean(), np.sqrt((error**2).sum()) / len(cells)
    halves = (cells["drift"] / cells["drift_se"]).dropna()
    if _rejected(stats.p_value_above((off.abs() - BIAS) / error)):
        verdict = "contradicted"
    elif (
        len(cells) >= 8
        and cells["n"].nunique() >= 3
        and abs(mean) + ERRORS * mean_error <= BIAS / 2
        and not _rejected(stats.p_value(halves))
    ):
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    measured = (
        f"mean of ln(lifetime/prediction) over {len(cells)} cells {mean:+.3f} ± {mean_error:.3f}, "
        f"from {off.min():+.3f} to {off.max():+.3f}; lifetimes {cells['lifetime'].min():.1f} to "
        f"{cells['lifetime'].max():.0f}; largest |z| between halves {halves.abs().max():.1f}"
        f"{_by_step(cells)}"
    )
    return Finding(verdict, measured, setting(table), float(mean), float(mean_error))


def _rejected(p_values: np.ndarray) -> bool:
    """Whether a family of tests rejects any at `LEVEL` (Holm)."""
    return bool((stats.holm(p_values) < LEVEL).any())


def _by_step(cells: pd.DataFrame) -> str:
    """ln(lifetime/prediction) against Δt where a formation was run at three steps or more."""
    texts = []
    for (n, k, beta, d), part in cells.groupby(["n", "k", "beta", "d"]):
        if part["dt"].nunique() >= 3:
            values = ", ".join(
                f"{np.log(row.lifetime / row.predicted):+.3f} ± {row.log_rate_se:.3f} "
                f"(Δt = {row.dt:g})"
                for row in part.sort_values("dt").itertuples()
            )
            texts.append(f"; at n={n} k={k} β={beta:g} d={d} {values}")
    return "".join(texts)


@claim(
    statement="The lifetime of an antipodal formation of odd n grows like e^{2β}: the slope of "
    "ln lifetime in β tends to 2.",
    reported="none: our derivation (docs/fedorov2026.md)",
    rule="One against two tokens at d ≤ 3 (where d is larger the slope comes to 2 later): for each "
    "d, at its smallest Δt, the weighted least-squares line through ln lifetime over the last unit "
    "of β. Reproduced if there are two d with three β or more there, every slope lies within 2 ± "
    "0.35 with 3 standard errors around it, and none differs from that of the predicted lifetimes "
    "(z tests, Holm, family-wise 1%); contradicted if a slope lies outside 2 ± 0.35 by 3 standard "
    "errors; else inconclusive. Cells as in lifetimes_are_those_of_two_clusters.",
    origin="ours",
    scale="ours",
    setting="none: the prediction is ours",
    tables=("ext_lifetimes_estimates",),
)
def lifetime_grows_like_exp_2beta(table: pd.DataFrame) -> Finding:
    """Fit the slope at the largest β, d by d."""
    cells = final(table)
    triples = cells[(cells["n"] == 3) & (cells["k"] == 1) & (cells["d"] <= 3)]
    slopes = [_slope(part) for _, part in triples.groupby("d")]
    slopes = [slope for slope in slopes if slope is not None]
    if not slopes:
        return Finding("inconclusive", "no d with three β and ends enough", setting(table))
    value, error, predicted = (
        np.array([getattr(slope, name) for slope in slopes])
        for name in ("value", "error", "predicted")
    )
    away, margin = np.abs(value - 2), ERRORS * error
    differs = _rejected(stats.p_value((value - predicted) / error))
    if (away - margin > SLOPE).any():
        verdict = "contradicted"
    elif (away + margin <= SLOPE).all() and not differs and len(slopes) >= 2:
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    worst = int(np.argmax(away + margin))
    measured = "; ".join(slope.text for slope in slopes)
    return Finding(verdict, measured, setting(triples), float(value[worst]), float(error[worst]))


class Slope(NamedTuple):
    """Slope of ln lifetime over the last unit of β, its error, and that of the prediction."""

    value: float
    error: float
    predicted: float
    text: str


def _slope(part: pd.DataFrame) -> Slope | None:
    """The slope at one d, if there are three β or more over the last unit."""
    part = part.sort_values(["beta", "dt"]).drop_duplicates("beta")
    top = part[part["beta"] >= part["beta"].max() - 1.0]
    if len(top) < 3:
        return None
    fit, theory = (
        stats.fit_line(top["beta"], np.log(top[name]), top["log_rate_se"])
        for name in ("lifetime", "predicted")
    )
    text = (
        f"d = {top['d'].iloc[0]}: local slopes {_local_slopes(part)}; over β = "
        f"{top['beta'].min():g} to {top['beta'].max():g} {fit.slope:.3f} ± {fit.slope_error:.3f} "
        f"(predicted {theory.slope:.3f})"
    )
    return Slope(fit.slope, fit.slope_error, theory.slope, text)


def _local_slopes(part: pd.DataFrame) -> str:
    """Slopes of ln lifetime between successive β, with standard errors, in words."""
    texts = []
    for low, high in pairwise(part.itertuples()):
        width = high.beta - low.beta
        slope = np.log(high.lifetime / low.lifetime) / width
        error = np.hypot(high.log_rate_se, low.log_rate_se) / width
        texts.append(f"{slope:.2f} ± {error:.2f}")
    return ", ".join(texts)
