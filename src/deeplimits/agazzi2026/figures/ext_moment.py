"""E[1 − u_t] of two tokens: simulation on top of the backward equation."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle
from deeplimits.agazzi2026 import model_grid

TABLES = ("ext_moment_estimates",)
CAPTION = (
    "Mean of 1 − u_t of two tokens that start at right angles, m = ∞ and noise alone; the "
    "experiment is ours, not the paper's. Black, dashed: the one-dimensional backward equation, "
    "Δt → 0. Points: simulation of the discrete chain, extrapolated to Δt → 0 (circles) and at "
    "the largest and smallest step (grey), with 95% intervals. Depths end where the "
    "replicas no longer resolve the mean, at 4(κ(1)+κ′(1))t = log(R/100) for R replicas. d and "
    "σ = σ_U = σ_W = .1 are among the paper's; the other models, the start, the steps and the "
    "number of replicas are our choice."
)
LIMIT = plotstyle.SERIES[0]
LARGEST = plotstyle.Look("0.7", "-", "v")
SMALLEST = plotstyle.Look("0.5", "-", "^")

DECADE = 10.0
"""A mean that falls by more is drawn on a logarithmic axis."""


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """One panel a model."""
    figure, panels = model_grid.panels(tables["ext_moment_estimates"])
    for ax, table in panels:
        _panel(ax, table)
    figure.supxlabel("depth $t$")
    figure.supylabel(r"mean of $1 - u_t$")
    first = panels[0][0]
    figure.legend(*first.get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return figure


def _panel(ax: Axes, table: pd.DataFrame) -> None:
    finite = table[table["dt"] > 0]
    steps = {
        "largest step": (finite[finite["dt"] == finite["dt"].max()], LARGEST),
        "smallest step": (finite[finite["dt"] == finite["dt"].min()], SMALLEST),
        r"$\Delta t \to 0$": (table[table["dt"] == 0], LIMIT),
    }
    for name, (points, look) in steps.items():
        error = 1.96 * points["gap_se"]
        plotstyle.errorbar(ax, points["t"], points["gap"], error, look, label=name)
    exact = table.drop_duplicates("t").sort_values("t")
    plotstyle.line(ax, exact["t"], exact["exact"], plotstyle.THEORY, label="backward equation")
    if exact["exact"].max() > DECADE * exact["exact"].min():
        ax.set_yscale("log")
    ax.set_xlim(left=0)
