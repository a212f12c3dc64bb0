"""Where λ₁ of swish(b) is positive, with measured slopes, and what two tokens do there."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle

TABLES = ("ext_swish", "ext_lyapunov_estimates", "ext_pairs_estimates")
CAPTION = (
    "λ₁ < 0 is not generic: φ(z) = z/(1 + e^{−bz}) (swish) without bias; all of it is ours, not "
    "the paper's. a: d·λ₁ against b (lines, no simulation; that of d = 512 rises to 6.6); SiLU is "
    "b = 1, ReLU b → ∞. Circles, at d = 128: half the slope of log(1 − u) of two close tokens, "
    "times d, extrapolated to Δt → 0, with 95% intervals. b: share of pairs, started at right "
    "angles at d = 128, that have met (1 − u < 1e-3), with 95% Wilson intervals, against depth in "
    "units of 1/(κ(1) + κ′(1)). c: mean of 1 − u of the same pairs, with 95% intervals."
)
D = 128
"""Dimension of the simulations."""


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Exponents on the left, the long run of two tokens on the right."""
    figure, axes = plotstyle.subplots(
        1, 3, width=plotstyle.PAGE, height=2.5, width_ratios=(1.5, 1, 1)
    )
    exponents, met, gap = axes[0]
    _draw_exponents(exponents, tables["ext_swish"], tables["ext_lyapunov_estimates"])
    _draw_pairs(met, gap, tables["ext_pairs_estimates"])
    for ax, letter in zip(axes[0], "abc", strict=True):
        plotstyle.panel_label(ax, letter)
    return figure


def _draw_exponents(ax: Axes, curves: pd.DataFrame, slopes: pd.DataFrame) -> None:
    ax.axhline(0.0, color=plotstyle.BOUND.color, linestyle=plotstyle.BOUND.linestyle, linewidth=0.7)
    for place, (d, curve) in enumerate(curves.groupby("d")):
        look = plotstyle.SERIES[place]
        plotstyle.line(ax, curve["b"], curve["scaled_lambda1"], look, label=f"$d = {d}$")
    measured = _swish(slopes[slopes["epsilon"] == 0])
    half = 0.5 * D
    plotstyle.errorbar(
        ax,
        measured["b"],
        half * measured["slope"],
        1.96 * half * measured["slope_se"],
        plotstyle.Look(plotstyle.BLACK, "-", "o"),
        label=f"measured, $d = {D}$",
    )
    ax.set_xscale("log")
    ax.set_ylim(-0.7, 1.8)
    ax.set_xlabel("$b$")
    ax.set_ylabel(r"$d\,\lambda_1$")
    ax.legend(loc="upper left")


def _draw_pairs(met: Axes, gap: Axes, pairs: pd.DataFrame) -> None:
    cells = _swish(pairs).sort_values("clock").groupby("b")
    for place, (b, runs) in enumerate(cells):
        look = plotstyle.SERIES[place]
        name = rf"$b = {b:g}$, $d\lambda_1 = {D * runs['lambda1'].iloc[0]:.2f}$"
        ends = [runs["met"] - runs["met_low"], runs["met_high"] - runs["met"]]
        plotstyle.errorbar(met, runs["clock"], runs["met"], ends, look, label=name, joined=True)
        plotstyle.errorbar(
            gap, runs["clock"], runs["gap"], 1.96 * runs["gap_se"], look, label=name, joined=True
        )
    for ax in (met, gap):
        ax.set_xscale("log", base=2)
        ax.set_xlabel(r"depth $(\kappa(1)+\kappa^\prime(1))\,t$")
    met.set_ylim(-0.02, 1.02)
    met.set_ylabel("share of pairs that met")
    gap.set_yscale("log")
    gap.set_ylabel(r"mean of $1-u$")
    gap.legend(loc="lower left")


def _swish(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of swish(b) at d = `D`, with their b as a column."""
    b = table["activation"].str.extract(r"^swish\((.*)\)$", expand=False).astype(float)
    return table.assign(b=b)[b.notna() & (table["d"] == D)]
