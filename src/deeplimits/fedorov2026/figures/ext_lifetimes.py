"""Survival of antipodal formations, and their lifetimes against β and against their division."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle

TABLES = ("ext_lifetimes_estimates",)
CAPTION = (
    "How long does an antipodal formation of k against n − k tokens last? The abstract says that "
    "antipodal formations persist; experiment, predictions and parameters are ours. Runs start "
    "antipodal, each token moved by Gaussian noise of 1e-3 a coordinate; noise alone. a: share of "
    "runs still antipodal (all |cos| ≥ .9, not all cos ≥ .9), d = 3, β = 2, with 95% Wilson bands; "
    "dotted: the predicted decay e^{−t/τ} from t = 8 + 2β on. Only k = n/2 stays. b: lifetime τ of "
    "1 against 2 tokens, the inverse of the rate at which runs settle elsewhere after t = 8 + 2β, "
    "with 95% intervals (runs left at the end are censored); dashed: from the lowest eigenvalue of "
    "the diffusion of two clusters; dotted: its leading order, of slope 2, as β → ∞. c: the same "
    "for all k < n/2, n = 3 to 6, d = 3, against the unevenness of the two clusters. d: lifetime "
    "over prediction, all cells; the finite Δt accounts for a few percent. Hollow in b–d: μ₋ < 0 "
    "or τ < 8 + 2β, where the start is not forgotten and runs do not leave at a constant rate."
)

LONGEST = 109.0
"""Depth up to which survival is shown."""
LIFETIME = ["lifetime", "lifetime_low", "lifetime_high"]
CELL = ["n", "k", "beta", "d", "dt", "horizon"]


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Survival, lifetimes against β and against the division, and lifetimes over prediction."""
    table = tables["ext_lifetimes_estimates"]
    last = table.loc[table.groupby(CELL)["look"].idxmax()]
    last = last[last["lifetime"].notna() & last["predicted"].notna()]
    figure, axes = plotstyle.subplots(2, 2, width=plotstyle.PAGE, height=4.8)
    (survival, growth), (division, ratio) = axes
    _survival(survival, table[(table["d"] == 3) & (table["beta"] == 2)])
    _growth(growth, last[(last["n"] == 3) & (last["k"] == 1)])
    _division(division, last[(last["d"] == 3) & last["beta"].isin([0.5, 1.0, 2.0])])
    _ratio(ratio, last)
    for ax, letter in zip(axes.flat, "abcd", strict=True):
        plotstyle.panel_label(ax, letter)
    return figure


def _survival(ax: Axes, table: pd.DataFrame) -> None:
    """Shares still antipodal at the smallest Δt, the longest-lived first."""
    shown = ((6, 3), (4, 2), (5, 2), (3, 1), (4, 1), (5, 1))
    for (n, k), look in zip(shown, plotstyle.SERIES, strict=True):
        runs = table[(table["n"] == n) & (table["k"] == k) & (table["t"] <= LONGEST)]
        runs = runs[runs["dt"] == runs["dt"].min()]
        plotstyle.band(ax, runs["t"], runs["antipodal_low"], runs["antipodal_high"], look)
        plotstyle.line(ax, runs["t"], runs["antipodal"], look, label=f"{k} against {n - k}")
        plotstyle.line(ax, runs["t"], runs["expected"], plotstyle.BOUND)
    ax.set_yscale("log")
    ax.set_ylim(8e-3, 1.4)
    ax.set_xlim(0, LONGEST)
    ax.set_xlabel("depth $t$ (units of $1/\\sigma^2$)")
    ax.set_ylabel("share still antipodal")
    ax.legend(loc="lower left", ncols=2)


def _growth(ax: Axes, last: pd.DataFrame) -> None:
    """Lifetimes of 1 against 2 tokens, for each d."""
    for (d, runs), look in zip(last.groupby("d"), plotstyle.SERIES, strict=False):
        runs = runs.sort_values(["beta", "dt"])
        plotstyle.line(ax, runs["beta"], runs["predicted"], plotstyle.THEORY)
        plotstyle.line(ax, runs["beta"], runs["asymptote"], plotstyle.BOUND)
        _points(ax, "beta", runs, look, label=f"d = {d}")
    ax.set_yscale("log")
    ax.set_xlabel(r"$\beta$")
    ax.set_ylabel(r"lifetime $\tau$ (units of $1/\sigma^2$)")
    ax.legend(loc="upper left")


def _division(ax: Axes, last: pd.DataFrame) -> None:
    """Lifetimes of all divisions, for each β."""
    for (beta, runs), look in zip(last.groupby("beta"), plotstyle.SERIES, strict=False):
        runs = runs.sort_values("unevenness")
        plotstyle.line(ax, runs["unevenness"], runs["predicted"], plotstyle.THEORY)
        _points(ax, "unevenness", runs, look, label=rf"$\beta$ = {beta:g}")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xticks([1, 2, 3, 4, 5], ["1", "2", "3", "4", "5"])
    ax.minorticks_off()
    ax.set_xlabel("unevenness $u = (n-k)/k - k/(n-k)$")
    ax.set_ylabel(r"lifetime $\tau$ (units of $1/\sigma^2$)")
    ax.legend(loc="upper right")


def _ratio(ax: Axes, last: pd.DataFrame) -> None:
    """Lifetime over prediction, for all cells."""
    for (d, runs), look in zip(last.groupby("d"), plotstyle.SERIES, strict=False):
        ratios = {name: runs[name] / runs["predicted"] for name in LIFETIME}
        _points(ax, "predicted", runs.assign(**ratios), look, label=f"d = {d}")
    ax.axhline(1, color=plotstyle.BOUND.color, linestyle=plotstyle.BOUND.linestyle)
    ax.set_xscale("log")
    ax.set_ylim(0.5, 1.5)
    ax.set_xlabel(r"predicted lifetime (units of $1/\sigma^2$)")
    ax.set_ylabel("lifetime / prediction")
    ax.legend(loc="lower right")


def _points(ax: Axes, x: str, runs: pd.DataFrame, look: plotstyle.Look, label: str) -> None:
    """Lifetimes with their intervals; hollow where they are not those of a lasting formation."""
    life, low, high = (runs[name] for name in LIFETIME)
    ends = [life - low, high - life]
    plotstyle.errorbar(ax, runs[x], life, ends, look, label=label)
    hollow = runs[~runs["lasting"]]
    ax.plot(
        hollow[x],
        hollow["lifetime"],
        linestyle="none",
        marker=look.marker,
        color=look.color,
        markerfacecolor="white",
        zorder=3,
    )
