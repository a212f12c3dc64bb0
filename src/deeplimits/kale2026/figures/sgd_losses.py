"""SGD on balanced and unbalanced sets under every rule, and where the pure 1/ℓ rule diverges."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle
from deeplimits.kale2026 import curve_panels

TABLES = ("sgd_losses_estimates", "sgd_inverse_loss")
CAPTION = (
    "SGD, one sample a step. That a lightweight adaptive step size reaches stretched-exponential "
    "convergence is the paper's claim; its step size is not known to us. Ours are a reconstruction "
    "of the schedule for GD (told γ, not adaptive), the same capped by the sampled loss, "
    "min(schedule, 1/ℓ), and an adaptive one, with a running mean of sampled losses in place of γ "
    "and t; so are sets, sizes and predictions. a–f: ln L of the full "
    "loss over iterations t on balanced sets and on sets with one rare point, median and 5–95% "
    "band over independent runs; each run has its own samples, and on random sets its own "
    "points. Dashed black: the law −y, y + y³/6 = γ²t. g: local order "
    "k(t) = log₁₀ L(t/10)/L(t) on the set with the rarest point, mean and 95% interval: level for "
    "a polynomial decay t^{−k}, rising for a stretched exponential. h, i: the pure step 1/ℓ "
    "(loss-normalized, of the sampled loss) over sets and γ, one point a run. h: runs whose loss "
    "ends above its start, L(T)/T against the rate r of the runaway that their misclassified "
    "points sustain. i: all others, −ln L(T)/T against the least product min⟨z_i, z̄⟩ of a point "
    "with the mean of all. "
    "Dashed: equality, no fit."
)
START = np.log(np.log(2))
"""Logarithm of the loss at w₀ = 0."""


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Sets above, six at most of a row of three; order and the 1/ℓ rule below."""
    table, inverse = (tables[name] for name in TABLES)
    # Balanced sets first, then the rarer and rarer point.
    names = table[["one_in", "data"]].drop_duplicates().sort_values(["one_in", "data"])["data"]
    rows = -(-len(names) // 3)
    figure = plotstyle.figure(plotstyle.PAGE, 1.75 * (rows + 1) + 0.3)
    panels = figure.subplots(rows + 1, 3, squeeze=False)
    above = panels[:-1].ravel()
    for ax, name in zip(above, names, strict=False):
        curve_panels.losses(ax, table[table["data"] == name])
        ax.set_title(name)
    for ax in above[len(names) :]:
        ax.set_axis_off()
    for ax in panels[:-1, 0]:
        ax.set_ylabel(r"$\ln L$")
    curve_panels.legend(figure, list(above[: len(names)]), columns=4)
    order, diverging, converging = panels[-1]
    rarest = names.iloc[-1]
    curve_panels.orders(order, table[table["data"] == rarest])
    order.set_title(rarest)
    order.set_ylabel("local order $k(t)$")
    _inverse(diverging, converging, inverse)
    for ax in (*above[: len(names)], order):
        ax.set_xlabel("iteration $t$")
    for ax, letter in zip((*above[: len(names)], *panels[-1]), "abcdefghijklmno", strict=False):
        plotstyle.panel_label(ax, letter)
    return figure


def _inverse(diverging: Axes, converging: Axes, table: pd.DataFrame) -> None:
    """Measured against predicted, runs that diverge on the left, the others on the right."""
    up = table["log_loss"] > START
    names = sorted(table["data"].unique())
    for look, name in zip(plotstyle.SERIES, names, strict=False):
        dots = {"color": look.color, "marker": look.marker, "linestyle": "none"}
        small = {"markersize": 2.0, "alpha": 0.6, "markeredgewidth": 0}
        one = table["data"] == name
        high, low = table[one & up], table[one & ~up]
        diverging.plot(
            high["rate"], np.exp(high["log_loss"]) / high["t"], **dots, **small, label=name
        )
        converging.plot(low["speed"], -low["log_loss"] / low["t"], **dots, **small)
    for ax in (diverging, converging):
        ends = ax.dataLim.intervalx
        if np.isfinite(ends).all():  # there are such runs
            plotstyle.line(ax, ends, ends, plotstyle.THEORY)
        ax.set_xscale("log")
        ax.set_yscale("log")
    diverging.set_title(r"$1/\ell$: runs that diverge")
    diverging.set_xlabel("predicted rate $r$")
    diverging.set_ylabel("$L(T)/T$")
    diverging.legend(loc="upper left", handletextpad=0.1)
    converging.set_title(r"$1/\ell$: runs that converge")
    converging.set_xlabel(r"$\min_i\,\langle z_i, \bar{z}\rangle$")
    converging.set_ylabel(r"$-\ln L(T)/T$")
