"""Panels that several figures share: ln L over t for every rule, with bands and the law."""

import pandas as pd
from matplotlib.axes import Axes

from deeplimits import plotstyle
from deeplimits.plotstyle import Look

OPACITY = 0.2


def looks(rules: pd.Series) -> dict[str, Look]:
    """One look a rule, in alphabetical order; the seventh looks like the first."""
    series = plotstyle.SERIES
    return {rule: series[i % len(series)] for i, rule in enumerate(sorted(set(rules)))}


def losses(ax: Axes, table: pd.DataFrame, styles: dict[str, Look]) -> None:
    """Median and band of ln L of every rule on one set, and −y(t), the law."""
    for rule, curve in table.groupby("rule", sort=True):
        plotstyle.band(ax, curve["t"], curve["low"], curve["high"], styles[rule], opacity=OPACITY)
        plotstyle.line(ax, curve["t"], curve["median"], styles[rule], label=rule)
    law = longest(table)
    plotstyle.line(ax, law["t"], -law["law"], plotstyle.THEORY, label="law −y(t)")
    ax.set_xscale("log")


def orders(ax: Axes, table: pd.DataFrame, styles: dict[str, Look]) -> None:
    """Local order k(t) of every rule on one set, its mean ± 1.96 standard errors, and the law's."""
    for rule, curve in table.dropna(subset=["order"]).groupby("rule", sort=True):
        half = 1.96 * curve["order_se"].fillna(0.0)
        low, high = curve["order"] - half, curve["order"] + half
        plotstyle.band(ax, curve["t"], low, high, styles[rule], opacity=OPACITY)
        plotstyle.line(ax, curve["t"], curve["order"], styles[rule])
    law = longest(table)
    plotstyle.line(ax, law["t"], law["law_order"], plotstyle.THEORY)
    ax.set_xscale("log")


def longest(table: pd.DataFrame) -> pd.DataFrame:
    """The curve of the rule that ran longest: the law beside it spans the panel."""
    rule = table.loc[table["t"].idxmax(), "rule"]
    return table[table["rule"] == rule].sort_values("t")
