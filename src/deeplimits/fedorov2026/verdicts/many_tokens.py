"""More than two tokens: what noise forms where the deterministic flow ends in one cluster."""

import pandas as pd

from deeplimits import stats
from deeplimits.claims import Finding, claim
from deeplimits.fedorov2026 import formations, theory

PAPER = "not stated: only the abstract is known"
AXES = ["dynamics", "n", "d", "beta", "horizon"]
LEVEL = 0.01
"""Chance that any interval of a claim misses, whatever their dependence (Bonferroni)."""
ATTRACTION = 0.9
"""Cells asked about have this share of the exponent −2 of two antipodal tokens at β → ∞."""
SMALL_EVEN = (4, 6, 8)
DEPTH = 16.0
"""Depth at which formations are asked for; kept means antipodal at a quarter of it, and there."""


def exponents(rows: pd.DataFrame) -> pd.Series:
    """(d−1)sech²β − 2 of every row: negative where two antipodal tokens attract."""
    values = [
        theory.exponent_antipodal(beta, d) for beta, d in zip(rows["beta"], rows["d"], strict=True)
    ]
    return pd.Series(values, rows.index, dtype=float)


def flow_time(beta: pd.Series) -> pd.Series:
    """10(1 + e^{2β})/4: ten times the time in which the flow leaves antipodes by a factor e."""
    return 10.0 / beta.map(theory.escape_rate)


def bounds(rows: pd.DataFrame, intervals: int) -> pd.DataFrame:
    """`rows` with low and high ends of Wilson's intervals that hold together at `LEVEL`."""
    low, high = stats.wilson(rows["count"], rows["runs"], 1 - LEVEL / max(intervals, 1))
    return rows.assign(low=low, high=high)


def of_item(table: pd.DataFrame, quantity: str, item: int) -> pd.DataFrame:
    """Rows of one quantity and item."""
    return table[(table["quantity"] == quantity) & (table["item"] == item)]


def side_by_side(table: pd.DataFrame) -> pd.DataFrame:
    """Shares in one cluster, noise beside flow, at the first depth that is long for the flow.

    One row a system (n > 2) that was run with both, and to that depth.
    """
    rows = of_item(table, "outcome", formations.ONE_CLUSTER)
    rows = rows[(rows["n"] > 2) & (rows["t"] >= flow_time(rows["beta"]))]
    rows = rows[rows["t"] == rows.groupby(AXES)["t"].transform("min")]
    noise, flow = (rows[rows["dynamics"] == name] for name in ("noise", "flow"))
    return noise.merge(flow, on=[*AXES[1:], "t"], suffixes=("_noise", "_flow"))


@claim(
    statement="Noise prevents the single cluster that the deterministic flow reaches: a share of "
    "the runs, for small even n where two antipodal tokens attract.",
    reported="Abstract: antipodal formations persist. No numbers; the restriction is ours: only "
    "k = n/2 is invariant, so that for odd n the noise, too, ends in one cluster, and for large n "
    "the invariant share is small (about n^{-1/2} of the formations).",
    rule="Cells with n = 4, 6, 8 and d − 2 < cosh 2β, at the first recorded depth from "
    "10(1+e^{2β})/4 on. Wilson intervals of the two shares in one cluster, family-wise 99% over "
    "both dynamics and all cells (Bonferroni, so that sharing starts does no harm). Reproduced if "
    "in every cell the flow's lower end exceeds 0.9 and the noise's upper end lies below it, in "
    "four cells or more. Contradicted if in a cell the flow's upper end is below 0.9, or its lower "
    "end exceeds 0.9 and the noise's lower end 0.97; else inconclusive.",
    origin="sharpened",
    scale="ours",
    setting=PAPER,
    tables=("many_tokens_estimates",),
)
def noise_prevents_one_cluster(table: pd.DataFrame) -> Finding:
    """Compare the shares in one cluster where the flow has had time."""
    both = side_by_side(table)
    asked = exponents(both) < 0
    asked &= both["n"].isin(SMALL_EVEN)
    cells = both[asked]
    level = 1 - LEVEL / max(2 * len(cells), 1)
    noise = stats.wilson(cells["count_noise"], cells["runs_noise"], level)
    flow = stats.wilson(cells["count_flow"], cells["runs_flow"], level)
    reached = flow.low > 0.9
    if ((flow.high < 0.9) | (reached & (noise.low > 0.97))).any():
        verdict = "contradicted"
    elif len(cells) >= 4 and (reached & (noise.high < flow.low)).all():
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    measured = f"in one cluster, noise against flow: {compared(cells)}"
    measured += f"; not asked about (n odd or large, or no attraction): {compared(both[~asked])}"
    return Finding(verdict, measured, setting(cells))


def compared(cells: pd.DataFrame) -> str:
    """Shares of noise and flow in words."""
    systems = cells.sort_values("n").groupby(["d", "beta", "t"])
    parts = []
    for (d, beta, t), rows in systems:
        shares = (
            f"n={row.n} {row.share_noise:.3f}|{row.share_flow:.3f}" for row in rows.itertuples()
        )
        parts.append(f"d={d} β={beta:g} t={t:g}: {', '.join(shares)}")
    return "; ".join(parts) or "no cell"


def setting(cells: pd.DataFrame) -> str:
    """Depths, steps and runs of cells with both dynamics."""
    if cells.empty:
        return "no cell"
    return (
        f"t = {cells['t'].min():g} to {cells['t'].max():g}, {cells['runs_noise'].min()} to "
        f"{cells['runs_noise'].max()} runs, Δt = {cells['dt_noise'].min():.3g} to "
        f"{cells['dt_noise'].max():.3g} (noise), at most {cells['dt_flow'].max():.3g} (flow), "
        f"tolerance 0.1"
    )


@claim(
    statement="Antipodal formations of more than two tokens persist, to depths of the order of 10.",
    reported="Abstract: antipodal formations persist. Neither depth nor number of tokens is known; "
    "what becomes of them in the long run is another claim.",
    rule="Noise from a uniform start, cells with n > 2 and (d−1)sech²β − 2 ≤ −1.8, at t = 16. "
    "Wilson intervals, family-wise 99% over cells and both shares (Bonferroni): of antipodal runs, "
    "and of the formations of t = 4 that are antipodal at t = 16. A claim of existence. Reproduced "
    "if for every n of the grid, four or more, there is a cell where the lower end of the first "
    "share exceeds 0.1 and that of the second ½. Contradicted if for an n, in every cell, one of "
    "the upper ends lies below that; else inconclusive.",
    origin="sharpened",
    scale="ours",
    setting=PAPER,
    tables=("many_tokens_estimates",),
)
def formations_persist(table: pd.DataFrame) -> Finding:
    """Look at the formations at t = 16, and at what is left of those of t = 4."""
    rows = table[(table["dynamics"] == "noise") & (table["n"] > 2) & (table["t"] == DEPTH)]
    rows = rows[exponents(rows) <= -2.0 * ATTRACTION]
    formed = of_item(rows, "outcome", formations.ANTIPODAL)
    kept = of_item(rows, "kept", formations.ANTIPODAL)
    formed, kept = (bounds(part, 2 * len(formed)) for part in (formed, kept))
    # A cell without any formation at t = 4 has no row of those kept.
    both = formed.merge(kept, on=AXES, how="left", suffixes=("", "_kept"))
    persists = (both["low"] > 0.1) & (both["low_kept"] > 0.5)
    fails = (both["high"] < 0.1) | (both["high_kept"] < 0.5)
    if fails.groupby(both["n"]).all().any():
        verdict = "contradicted"
    elif both["n"].nunique() >= 4 and persists.groupby(both["n"]).any().all():
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    measured = "antipodal at t = 16, of those of t = 4 in brackets: " + (
        "; ".join(
            f"d={d} β={beta:g}: "
            + ", ".join(f"n={r.n} {r.share:.2f} ({r.share_kept:.2f})" for r in part.itertuples())
            for (d, beta), part in both.sort_values("n").groupby(["d", "beta"])
        )
        or "no cell"
    )
    return Finding(verdict, measured, at(formed))


def at(rows: pd.DataFrame) -> str:
    """Depth, steps and runs of cells under noise."""
    if rows.empty:
        return "no cell"
    return (
        f"t = {DEPTH:g}, {rows['runs'].min()} to {rows['runs'].max()} runs, Δt = "
        f"{rows['dt'].min():.3g} to {rows['dt'].max():.3g}, tolerance 0.1"
    )
