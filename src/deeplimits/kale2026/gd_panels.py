"""A page of panels, one a kind of data set and margin, with a curve a GD rule."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from deeplimits import plotstyle
from deeplimits.kale2026 import looks

COLUMNS = 3
LAW = r"law $y + y^3/6 = \gamma^2 t$ (ours)"
Panel = tuple[str, float]


def panels(table: pd.DataFrame) -> list[Panel]:
    """Up to six kinds of set with their margins: random at every γ, the others near γ = .1."""
    places = table[["data", "gamma"]].drop_duplicates()
    random = places[places["data"] == "random"].sort_values("gamma")
    others = places[places["data"] != "random"]
    near = others.assign(off=(np.log(others["gamma"]) - np.log(0.1)).abs()).sort_values("off")
    chosen = pd.concat([random.head(COLUMNS), near.drop_duplicates("data").head(COLUMNS)])
    return list(chosen[["data", "gamma"]].itertuples(index=False, name=None))


def title(panel: Panel) -> str:
    """E.g. "random sets, γ = 0.1"."""
    kind, gamma = panel
    words = {"random": "random sets", "toy": "toy set"}.get(kind, f"unbalanced set, {kind}")
    return rf"{words}, $\gamma = {gamma:.2g}$"


def page(chosen: list[Panel], *, height: float) -> tuple[Figure, list[Axes]]:
    """An empty figure with a logarithmic axis of t and one panel for each of `chosen`."""
    rows = -(-len(chosen) // COLUMNS)
    figure, axes = plotstyle.subplots(
        rows, COLUMNS, width=plotstyle.PAGE, height=height, sharex=True, sharey=True
    )
    for index, ax in enumerate(axes.flat):
        ax.set_visible(index < len(chosen))
    used = list(axes.flat[: len(chosen)])
    for ax, panel, letter in zip(used, chosen, "abcdef", strict=False):
        plotstyle.panel_label(ax, letter)
        ax.set_title(title(panel))
        ax.set_xscale("log")
    for ax in used[-COLUMNS:]:
        ax.set_xlabel("iteration $t$")
        ax.xaxis.set_tick_params(labelbottom=True)
    return figure, used


def select(table: pd.DataFrame, panel: Panel) -> pd.DataFrame:
    """Rows of one panel."""
    kind, gamma = panel
    return table[(table["data"] == kind) & (table["gamma"] == gamma)]


def draw_losses(ax: Axes, table: pd.DataFrame, styles: dict[str, plotstyle.Look]) -> None:
    """−ln L against t, logarithmic beyond 1, and the law of the reconstruction over it."""
    draw_spread(ax, table, styles, "log_loss", sign=-1.0)
    law = table.drop_duplicates("t").sort_values("t")
    plotstyle.line(ax, law["t"], law["law"], plotstyle.THEORY)
    ax.set_yscale("symlog", linthresh=1.0, linscale=0.6)


def draw_spread(
    ax: Axes,
    table: pd.DataFrame,
    styles: dict[str, plotstyle.Look],
    name: str,
    *,
    sign: float = 1.0,
) -> None:
    """Median over the sets of one quantity for each rule, and a band of their range."""
    for rule in reversed(styles):  # ours, first in the legend, comes on top
        runs, look = table[table["rule"] == rule].sort_values("t"), styles[rule]
        if (runs["sets"] > 1).any():
            plotstyle.band(
                ax, runs["t"], sign * runs[f"{name}_low"], sign * runs[f"{name}_high"], look
            )
        plotstyle.line(ax, runs["t"], sign * runs[name], look)


def legend(figure: Figure, styles: dict[str, plotstyle.Look], *, law: bool) -> None:
    """One legend below all panels, with the law of the reconstruction if asked."""
    named = [(looks.label(rule), look) for rule, look in styles.items()]
    if law:
        named.append((LAW, plotstyle.THEORY))
    handles = [
        Line2D([], [], color=look.color, linestyle=look.linestyle, label=text)
        for text, look in named
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4)
