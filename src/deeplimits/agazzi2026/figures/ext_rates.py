"""Rates of convergence in L, m and N, beside the slopes of the theorems' upper bounds."""

import dataclasses
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle, stats
from deeplimits.agazzi2026 import model_grid

TABLES = (
    "ext_rate_depth_estimates",
    "ext_rate_width_estimates",
    "ext_rate_tokens_estimates",
)
CAPTION = (
    "How fast the discrete model converges; the theorems are the paper's, the simulations and "
    "their settings ours. Means over independent runs with 95% intervals; the legends give the "
    "fitted slope ± its standard error, the dotted lines the slope of the theorem's upper bound: a "
    "curve should be at least as steep. a: largest mean squared distance to a chain of many layers "
    "on the same Gaussian field (m = ∞), at the depths that all chains have, corrected for the "
    "finite depth of that chain. b: largest mean squared distance of the model of width m to that "
    "of m = ∞, for the larger (pale: the smaller) number of layers. c: largest W₂² over depths "
    "between two independent populations of N tokens on the same noise; the bound is N^(−1/2) for "
    "d < 4, N^(−1/2) log N at d = 4 (drawn without the logarithm) and N^(−2/d) above. Independent "
    "uniform tokens give 1/N at d = 2, log N/N at d = 3 and N^(−2/(d−1)) above."
)
MODEL = ["activation", "d", "sigma_u", "sigma_w", "a"]
INTERVAL = stats.critical_value()


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """One panel a limit."""
    depth, width, tokens = (tables[name] for name in TABLES)
    figure, axes = plotstyle.subplots(1, 3, width=plotstyle.PAGE, height=3.1)
    a, b, c = axes[0]
    _draw_depth(a, depth[depth["times"] == "common"])
    _draw_width(b, width)
    _draw_tokens(c, tokens[tokens["times"] == "all"])
    for ax, letter in zip(axes[0], "abc", strict=True):
        plotstyle.panel_label(ax, letter)
        ax.set_xscale("log", base=2)
        ax.set_yscale("log")
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17))
    return figure


def _draw_depth(ax: Axes, table: pd.DataFrame) -> None:
    for look, curve in _curves(table):
        _points(ax, curve, "layers", look, label=_label(curve))
    _guide(ax, table, "layers", "$L^{-1}$")
    ax.set_xlabel("layers $L$")
    ax.set_ylabel(r"$E\,\mathrm{sup}_t\,|X_L-X|^2/N$")


def _draw_width(ax: Axes, table: pd.DataFrame) -> None:
    deepest = table["layers"].max()
    for look, curves in _curves(table):
        for layers, curve in curves.groupby("layers"):
            if layers == deepest:
                _points(ax, curve, "width", look, label=_label(curve))
            else:
                pale = dataclasses.replace(look, color=f"{look.color}60")
                _points(ax, curve, "width", pale)
    _guide(ax, table, "width", "$m^{-1}$")
    ax.set_xlabel("width $m$")
    ax.set_ylabel(r"$E\,\mathrm{sup}_t\,|X_m-X_\infty|^2/N$")


def _draw_tokens(ax: Axes, table: pd.DataFrame) -> None:
    for look, curve in _curves(table):
        _points(ax, curve, "tokens", look, label=_label(curve))
    for bound, curves in table.groupby("bound"):
        _guide(ax, table, "tokens", _power(curves["d"]), bound)
    ax.set_xlabel("tokens $N$")
    ax.set_ylabel(r"$E\,\mathrm{sup}_t\,W_2^2$")


def _power(dimensions: pd.Series) -> str:
    """The bound's power of N, common to some dimensions."""
    exponent = Fraction(2, max(4, dimensions.min()))
    return rf"$N^{{-{exponent}}}$"


def _curves(table: pd.DataFrame) -> Iterator[tuple[plotstyle.Look, pd.DataFrame]]:
    """A look and the rows of each model."""
    models = table.groupby(MODEL, sort=True)
    for place, (_, curve) in enumerate(models):
        yield plotstyle.SERIES[place % len(plotstyle.SERIES)], curve


def _points(
    ax: Axes, curve: pd.DataFrame, level: str, look: plotstyle.Look, label: str | None = None
) -> None:
    error = INTERVAL * curve["error_se"]
    plotstyle.errorbar(ax, curve[level], curve["error"], error, look, label=label, joined=True)


def _label(curve: pd.DataFrame) -> str:
    """The model, and its fitted slope."""
    row = curve.iloc[0]
    model = model_grid.title(*row[MODEL[:-1]])
    return rf"{model}, $a={row.a:g}$: ${row.slope:.2f} \pm {row.slope_se:.2f}$"


def _guide(
    ax: Axes, table: pd.DataFrame, level: str, name: str, bound: float | None = None
) -> None:
    """Draw the slope of the bound above all points, and name it behind its end."""
    slope = table["bound"].iloc[0] if bound is None else bound
    x = np.array([table[level].min(), table[level].max()])
    y = 1.5 * table["error"].max() * (x / x[0]) ** slope
    plotstyle.line(ax, x, y, plotstyle.BOUND)
    place = {"xytext": (3, 0), "textcoords": "offset points", "va": "center"}
    ax.annotate(name, (x[1], y[1]), fontsize=plotstyle.SMALLEST, **place)
