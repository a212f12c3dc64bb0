"""Panels of many runs, for SGD and real data: every rule with its band, and the law."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle, stats
from deeplimits.kale2026 import looks

OPACITY = 0.2
LAW = r"law $-y$, $y + y^3/6 = \gamma^2 t$ (ours)"
ROOM = 1.6
"""Depth of a panel in units of the law's: what falls faster leaves it."""


def losses(ax: Axes, table: pd.DataFrame) -> None:
    """Median and band of ln L of every rule on one set, and −y(t), the law."""
    for rule in looks.order(list(table["rule"].unique())):
        curve, look = table[table["rule"] == rule], looks.look(rule)
        plotstyle.band(ax, curve["t"], curve["low"], curve["high"], look, opacity=OPACITY)
        plotstyle.line(ax, curve["t"], curve["median"], look, label=looks.label(rule))
    law = longest(table)
    plotstyle.line(ax, law["t"], -law["law"], plotstyle.THEORY, label=LAW)
    ax.set_xscale("log")
    bottom = max(table["low"].min(), -ROOM * law["law"].max())
    top = max(table["high"].max(), 0.0)
    edge = 0.04 * (top - bottom)
    ax.set_ylim(bottom - edge, top + edge)


def orders(ax: Axes, table: pd.DataFrame) -> None:
    """Local order k(t) of every rule on one set with its 95% interval, and the law's."""
    rows = table.dropna(subset=["order"])
    for rule in looks.order(list(rows["rule"].unique())):
        curve, look = rows[rows["rule"] == rule], looks.look(rule)
        half = stats.critical_value() * curve["order_se"]
        low, high = curve["order"] - half, curve["order"] + half
        plotstyle.band(ax, curve["t"], low, high, look, opacity=OPACITY)
        plotstyle.line(ax, curve["t"], curve["order"], look)
    law = longest(table)
    plotstyle.line(ax, law["t"], law["law_order"], plotstyle.THEORY)
    ax.set_xscale("log")
    ax.set_ylim(-1.3, 1.15 * rows["law_order"].max())


def longest(table: pd.DataFrame) -> pd.DataFrame:
    """The curve of the rule that ran longest: the law beside it spans the panel."""
    rule = table.loc[table["t"].idxmax(), "rule"]
    return table[table["rule"] == rule].sort_values("t")


def legend(figure: Figure, axes: list[Axes], columns: int) -> None:
    """One legend above for all panels, each rule once."""
    entries = {}
    for ax in axes:
        handles, labels = ax.get_legend_handles_labels()
        entries |= dict(zip(labels, handles, strict=True))
    law = entries.pop(LAW)
    figure.legend(
        [*entries.values(), law], [*entries, LAW], loc="outside upper center", ncols=columns
    )
