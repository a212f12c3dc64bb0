"""One run that knows no horizon beside constant steps tuned to one."""

import dataclasses
import itertools

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle
from deeplimits.kale2026 import gd_panels, looks

TABLES = ("anytime_estimates",)
CAPTION = (
    "Anytime: one run of our reconstruction of the schedule (blue), which knows no horizon, beside "
    "constant steps η = γ²T tuned to horizons T (other colours; the circle marks t = T), before "
    "and beyond T. −ln L(w_t) against t: median over the sets, band their range; both axes "
    "logarithmic, −ln L linear below 1. Dashed black: the predicted y + y³/6 = γ²t (ours). Beyond "
    "T a tuned step gains ln t only, and the schedule gains on it; before T it often leads: where "
    "one large step separates the set, by far (b, T of 10⁴ and more). Below 0 the loss exceeds 1: "
    "steps are unstable. The abstract claims that no horizon is needed; sets, horizons and "
    "comparison are ours."
)
TUNED = "horizon_tuned"
COLORS = (plotstyle.ORANGE, plotstyle.GREEN, plotstyle.VERMILLION, plotstyle.PURPLE)


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """One panel a kind of set and margin."""
    table = tables["anytime_estimates"]
    rules = looks.order(table["rule"].unique().tolist())
    styles = _styles(rules)
    chosen = gd_panels.panels(table)
    figure, axes = gd_panels.page(chosen, height=4.4)
    for ax, panel in zip(axes, chosen, strict=True):
        gd_panels.draw_losses(ax, gd_panels.select(table, panel), styles)
        _mark_horizons(ax, gd_panels.select(table, panel), styles)
    for ax in axes[:: gd_panels.COLUMNS]:
        ax.set_ylabel(r"$-\ln L(w_t)$")
    gd_panels.legend(figure, styles, law=True)
    return figure


def _styles(rules: list[str]) -> dict[str, plotstyle.Look]:
    """Looks of the rules; tuned steps, all of one look elsewhere, get a colour each."""
    styles = {rule: looks.look(rule) for rule in rules}
    tuned = [rule for rule in rules if looks.head(rule) == TUNED]
    for rule, color in zip(tuned, itertools.cycle(COLORS), strict=False):
        styles[rule] = dataclasses.replace(styles[rule], color=color)
    return styles


def _mark_horizons(ax: Axes, table: pd.DataFrame, styles: dict[str, plotstyle.Look]) -> None:
    for rule, look in styles.items():
        if looks.head(rule) == TUNED:
            at = table[(table["rule"] == rule) & (table["t"] == looks.number(rule))]
            ax.plot(at["t"], -at["log_loss"], color=look.color, marker="o", markersize=4)
