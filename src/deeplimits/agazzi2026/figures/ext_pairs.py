"""Share of pairs of tokens that have met, over depth."""

import dataclasses

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle
from deeplimits.agazzi2026 import model_grid, two_tokens

TABLES = ("ext_pairs_estimates",)
CAPTION = (
    "Do two tokens meet? Share of pairs, started at right angles, m = ∞ and noise alone, that have "
    "met (1 − u < 1e-3), with 95% Wilson intervals, against depth in units of 1/(κ(1) + κ′(1)); "
    "the experiment is ours, not the paper's. a: λ₁ < 0 and G not odd, the share tends to one. b: "
    "G odd (tanh and erf without bias), the share of 1 − |u| < 1e-3 tends to one (solid), that of "
    "1 − u < 1e-3 to one half (pale). swish(b) with λ₁ > 0 is in another figure."
)


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Not odd on the left, odd on the right."""
    table = tables["ext_pairs_estimates"]
    figure, axes = plotstyle.subplots(1, 2, width=plotstyle.PAGE, height=2.4, sharey=True)
    plain, odd = axes[0]
    _draw(plain, table[~table["odd"] & (table["lambda1"] < 0)], "met")
    _draw(odd, table[table["odd"]], "axial")
    for ax, letter in zip(axes[0], "ab", strict=True):
        plotstyle.panel_label(ax, letter)
        ax.set_xscale("log", base=2)
        ax.set_ylim(-0.02, 1.02)
        ax.set_xlabel(r"depth $(\kappa(1)+\kappa^\prime(1))\,t$")
    plain.legend(loc="lower right")
    odd.legend(loc="upper left")
    plain.set_ylabel("share of pairs")
    return figure


def _draw(ax: Axes, table: pd.DataFrame, share: str) -> None:
    models = table.sort_values("clock").groupby(two_tokens.AXES, sort=True)
    for place, (model, runs) in enumerate(models):
        look = plotstyle.SERIES[place]
        if share != "met":
            _points(ax, runs, "met", dataclasses.replace(look, color=f"{look.color}60"))
        _points(ax, runs, share, look, label=model_grid.title(*model), joined=True)


def _points(ax: Axes, runs: pd.DataFrame, share: str, look: plotstyle.Look, **options) -> None:
    ends = [runs[share] - runs[f"{share}_low"], runs[f"{share}_high"] - runs[share]]
    plotstyle.errorbar(ax, runs["clock"], runs[share], ends, look, **options)
