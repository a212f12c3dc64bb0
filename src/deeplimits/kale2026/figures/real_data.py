"""GD and SGD on two classes of images."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle
from deeplimits.kale2026 import curve_panels, looks

TABLES = ("real_data_estimates",)
CAPTION = (
    "Two classes of images as a separable problem, one row a pair: ln L over iterations t of GD "
    "and of SGD (median and 5–95% band over runs), and the normalized margin "
    "min⟨z_i, w_t⟩/(γ|w_t|), GD and SGD (pale). γ is exact, by a solver with a certificate. Dashed "
    "black: the law −y, y + y³/6 = γ²t. That the paper's experiments are on synthetic data and "
    "MNIST is known at second hand; the reconstruction and the adaptive rule with a mean of "
    "sampled losses are ours (the paper's step sizes are not known to us), as are pairs, lengths "
    "and the law. Loss-normalized GD leaves its panels."
)
KINDS = {"gd": "GD", "sgd": "SGD"}


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """One row a pair of classes."""
    table = tables["real_data_estimates"]
    pairs = list(table.groupby(["dataset", "positive", "negative"], sort=True))
    figure = plotstyle.figure(plotstyle.PAGE, 1.9 * len(pairs) + 0.3)
    panels = figure.subplots(len(pairs), 3, squeeze=False)
    for row, ((dataset, positive, negative), runs) in zip(panels, pairs, strict=True):
        for ax, (algorithm, name) in zip(row, KINDS.items(), strict=False):
            chosen = runs[runs["algorithm"] == algorithm]
            if not chosen.empty:
                curve_panels.losses(ax, chosen)
            ax.set_title(f"{dataset} {positive} against {negative}, {name}")
            ax.set_ylabel(r"$\ln L$")
        _margins(row[2], runs)
        row[2].set_title(rf"$\gamma = {runs['gamma'].iloc[0]:.4f}$")
    for ax, letter in zip(panels.ravel(), "abcdefghijklmnopqrstuvwxyz", strict=False):
        plotstyle.panel_label(ax, letter)
        ax.set_xlabel("iteration $t$")
    curve_panels.legend(figure, list(panels[:, :2].ravel()), columns=4)
    return figure


def _margins(ax: Axes, runs: pd.DataFrame) -> None:
    for (algorithm, rule), curve in runs.groupby(["algorithm", "rule"], sort=True):
        look = looks.look(rule)
        opacity = 1.0 if algorithm == "gd" else 0.45
        ax.plot(
            curve["t"], curve["margin"], color=look.color, linestyle=look.linestyle, alpha=opacity
        )
    ax.set_xscale("log")
    ax.axhline(1.0, color=plotstyle.BOUND.color, linestyle=plotstyle.BOUND.linestyle)
    ax.set_ylim(-0.5, 1.05)
    ax.set_ylabel("normalized margin")
