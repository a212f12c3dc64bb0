"""The law of the reconstructed schedule: collapse, ratio and local exponent."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from deeplimits import plotstyle

TABLES = ("stretched_estimates",)
CAPTION = (
    "The law of our reconstruction: −ln L → y with y + y³/6 = γ²t. The paper's abstract says only "
    "that convergence is (stretched-)exponential; schedule, law and experiment are ours. GD from "
    "w₀ = 0, told the true margin γ (colours), on n points (line styles). Top: random sets, mean "
    "and, shaded, range over the sets. Bottom: n − 1 points against one, one run each. a: −ln L "
    "against γ²t, all γ and n; dashed: y, without fit. b: its ratio to y, which tends to 1. c: the "
    "local exponent d ln(−ln L)/d ln t, against (1+y²/6)/(1+y²/2) (dashed), which tends to 1/3 "
    "(dotted). What differs between sets is the start: points beyond the support points (top) or a "
    "rare minority point (bottom) set −ln L off by an amount that y outgrows."
)
PANELS = (
    ("decay", r"$-\ln L(w_t)$", "law"),
    ("ratio", r"$-\ln L(w_t)\,/\,y$", None),
    ("exponent", r"local exponent", "exponent_law"),
)


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Random sets above, unbalanced ones below."""
    table = tables["stretched_estimates"]
    figure, axes = plotstyle.subplots(
        2, 3, width=plotstyle.PAGE, height=4.2, sharex=True, sharey="col"
    )
    bound = plotstyle.BOUND
    margins, sizes = sorted(table["gamma"].unique()), sorted(table["n"].unique())
    colors = dict(zip(margins, plotstyle.SERIES, strict=False))
    styles = dict(zip(sizes, plotstyle.SERIES, strict=False))
    random = table["data"] == "random"
    for row, part in zip(axes, (table[random], table[~random]), strict=True):
        for (gamma, n), curve in part.groupby(["gamma", "n"]):
            look = plotstyle.Look(colors[gamma].color, styles[n].linestyle, "")
            for ax, (name, *_) in zip(row, PANELS, strict=True):
                _curve(ax, curve.sort_values("t"), name, look)
        for ax, (_, label, law) in zip(row, PANELS, strict=True):
            if law:
                theory = table.sort_values("clock")
                plotstyle.line(ax, theory["clock"], theory[law], plotstyle.THEORY)
            ax.set_ylabel(label)
            ax.set_xscale("log")
        row[0].set_yscale("log")
        for ax, level in ((row[1], 1.0), (row[2], 1 / 3)):
            ax.axhline(level, color=bound.color, linestyle=bound.linestyle, linewidth=0.8)
    axes[0, 0].set_ylim(bottom=0.3)  # at w₀ = 0 it is .37; the law starts at 0
    axes[0, 1].set_ylim(0.7, 1.7)
    axes[0, 2].set_ylim(0.0, 1.2)
    # Before γ²t = 0.1 the loss is that of w₀.
    axes[0, 0].set_xlim(left=0.1)
    for ax in axes[1]:
        ax.set_xlabel(r"$\gamma^2 t$")
    for ax, letter in zip(axes[0], "abc", strict=True):
        plotstyle.panel_label(ax, letter)
    plotstyle.note(axes[0, 0], "random", "upper left")
    plotstyle.note(axes[1, 0], "one against $n-1$", "upper left")
    handles = [Line2D([], [], color=colors[g].color, label=rf"$\gamma={g:g}$") for g in margins]
    handles += [
        Line2D([], [], color="0.4", linestyle=styles[n].linestyle, label=f"$n={n}$") for n in sizes
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    return figure


def _curve(ax: Axes, curve: pd.DataFrame, name: str, look: plotstyle.Look) -> None:
    """Mean over the sets, and their range where it is in the table."""
    if f"{name}_low" in curve:
        low, high = (curve[f"{name}_{end}"] for end in ("low", "high"))
        plotstyle.band(ax, curve["clock"], low, high, look, opacity=0.2)
    plotstyle.line(ax, curve["clock"], curve[name], look)
