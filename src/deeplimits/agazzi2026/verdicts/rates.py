"""How fast the discrete model converges, against the theorems' upper bounds (one-sided).

The number of each claim is a slope minus the bound's, on the curve where that is largest.
"""

import pandas as pd

from deeplimits import stats
from deeplimits.claims import Finding, claim

PAPER = "no simulation of rates; the constants of the theorem depend on T and d"
LEVEL = 0.01
"""Error rate of every verdict here."""
MARGIN = 0.1
"""An exponent smaller than the bound's by less than this counts as equal, where they may be."""


def curves(table: pd.DataFrame, level: str) -> pd.DataFrame:
    """One row a curve: that of its largest level, which also holds what is fitted to the whole."""
    rest = [name for name in table.columns[: table.columns.get_loc("replicas")] if name != level]
    return table.sort_values(level).groupby(rest, as_index=False).last()


def verdict(fits: pd.DataFrame, margin: float) -> str:
    """Whether the error falls at least as fast as the bound on every curve.

    "reproduced": every slope lies below bound + margin, significantly (all must, so each test is
    made at `LEVEL`), and on no curve does it rise significantly with the level towards a slope
    above that; "contradicted": a slope lies significantly above (Holm over curves), and does not
    fall significantly with the level; else "inconclusive".
    """
    allowed = fits["bound"] + margin
    excess = ((fits["slope"] - allowed) / fits["slope_se"]).to_numpy()
    trend = (fits["trend"] / fits["trend_se"]).to_numpy()
    rising, falling = (stats.p_value_above(sign * trend) < LEVEL for sign in (1, -1))
    slower = stats.holm(stats.p_value_above(excess)) < LEVEL
    if (slower & ~falling).any():
        return "contradicted"
    fading = rising & (fits["last_slope"] > allowed).to_numpy()
    if (stats.p_value_above(-excess) < LEVEL).all() and not fading.any():
        return "reproduced"
    return "inconclusive"


def least_margin(fits: pd.DataFrame) -> tuple[float, float]:
    """Slope minus the bound's, of the curve where it is largest, and its standard error."""
    excess = fits["slope"] - fits["bound"]
    return float(excess.max()), float(fits.loc[excess.idxmax(), "slope_se"])


def spread(fits: pd.DataFrame) -> str:
    """The range of the slopes, with the largest error."""
    slopes = f"{fits['slope'].min():.3f} to {fits['slope'].max():.3f}"
    return f"{slopes} (± {fits['slope_se'].max():.3f} at most)"


def setting(table: pd.DataFrame, level: str, symbol: str, more: str) -> str:
    """Horizon, levels, runs and what else belongs to one of the three experiments."""
    levels = ", ".join(str(value) for value in sorted(table[level].unique()))
    horizon, runs = table["horizon"].iloc[0], table["replicas"].min()
    return f"T = {horizon:g}, {symbol} = {levels}, {more}, {runs} runs a cell"


@claim(
    statement="At depths ℓT/L the discrete model of m = ∞ is within c/L of the limit, in "
    "E sup (1/N) Σ|X_L − X|²: the error falls at least as fast as 1/L.",
    reported="Theorem on L, m → ∞, an upper bound; not tested in the paper.",
    rule="Slope of ln error against ln L, one fit a cell, errors by independent runs. Reproduced "
    "if each is below −1 + 0.1 (one-sided z, 1% each) and none rises with L (1%) to a last value "
    "above; contradicted if one is above (Holm, family-wise 1%) and does not fall with L; else "
    "inconclusive. The bound may be sharp, hence the margin of 0.1. Decided by the supremum over "
    "the depths that all L have. That over each chain's own depths, the theorem's, also finds "
    "higher maxima the more depths there are, less and less so: it can only contradict, and is "
    "reported beside the other.",
    origin="paper",
    scale="ours",
    setting=PAPER,
    tables=("ext_rate_depth_estimates",),
)
def rate_in_depth(table: pd.DataFrame) -> Finding:
    """Compare the slopes in L with −1."""
    fits = curves(table, "layers")
    common, own = (fits[fits["times"] == times] for times in ("common", "own"))
    found = verdict(common, MARGIN)
    if verdict(own, MARGIN) == "contradicted":
        found = "contradicted"
    ends = own["last_slope"]
    return Finding(
        found,
        f"slopes {spread(common)} in {len(common)} cells; over own depths {spread(own)}, at the "
        f"largest L, by a parabola, {ends.min():.2f} to {ends.max():.2f}",
        setting(
            table,
            "layers",
            "L",
            f"reference L = {table['reference'].max()}, N = {table['tokens'].max()}, m = ∞",
        ),
        *least_margin(common),
    )


@claim(
    statement="A finite width m adds at most c/m to the squared error, for every L: at fixed L the "
    "distance to m = ∞ falls at least as fast as 1/m.",
    reported="Theorem on L, m → ∞, the term 1/m of an upper bound; not tested in the paper.",
    rule="Slope of ln error against ln m, one fit a cell, errors by independent runs. Reproduced "
    "if each is below −1 + 0.1 (one-sided z, 1% each) and none rises with m (1%) to a last value "
    "above; contradicted if one is above (Holm, family-wise 1%) and does not fall with m; else "
    "inconclusive. The bound may be sharp, hence the margin of 0.1. How the error changes with L "
    "at the largest m is reported and decides nothing.",
    origin="paper",
    scale="ours",
    setting=PAPER,
    tables=("ext_rate_width_estimates",),
)
def rate_in_width(table: pd.DataFrame) -> Finding:
    """Compare the slopes in m with −1."""
    fits = curves(table, "width")
    model = ["activation", "d", "sigma_u", "sigma_w", "a"]
    growth = fits.sort_values("layers").groupby(model)["error"].agg(["first", "last"])
    ratio = growth["last"] / growth["first"]
    layers = sorted(fits["layers"].unique())
    return Finding(
        verdict(fits, MARGIN),
        f"slopes {spread(fits)} in {len(fits)} cells; from L = {layers[0]} to {layers[-1]} the "
        f"error changes by factors {ratio.min():.2f} to {ratio.max():.2f}",
        setting(
            table,
            "width",
            "m",
            f"L = {', '.join(map(str, layers))}, N = {table['tokens'].max()}",
        ),
        *least_margin(fits),
    )


@claim(
    statement="E sup_t W₂² between the law of N tokens and its limit falls at least as fast as "
    "N^{−1/2} (d < 4), N^{−1/2} log N (d = 4), N^{−2/d} (d > 4).",
    reported="Theorem on N → ∞, an upper bound; not tested in the paper.",
    rule="Slope of ln E W₂² between two independent populations on common noise against ln N, for "
    "the largest over depths and for the last depth. Reproduced if each is below the bound's "
    "exponent, without the logarithm (one-sided z, 1% each), and none rises with N (1%) to a last "
    "value above; contradicted if one is above (Holm, family-wise 1%) and does not fall with N; "
    "else inconclusive.",
    origin="paper",
    scale="ours",
    setting=PAPER,
    tables=("ext_rate_tokens_estimates",),
)
def rate_in_tokens(table: pd.DataFrame) -> Finding:
    """Compare the slopes in N with the bound of each d."""
    fits = curves(table, "tokens")
    fits = fits[fits["times"].isin(["all", "end"])]
    largest = fits[fits["times"] == "all"].sort_values("d")
    slopes = "; ".join(
        f"{row.activation} d = {row.d}: {row.slope:.3f} ± {row.slope_se:.3f} ({row.bound:.3f})"
        for row in largest.itertuples()
    )
    return Finding(
        verdict(fits, 0.0),
        f"slopes (bounds) of the largest over depths: {slopes}",
        setting(
            table,
            "tokens",
            "N",
            f"L = {table['layers'].max()}, m = {table['width'].max()}",
        ),
        *least_margin(fits),
    )
