"""Increases of the loss, η_t L and η_t λ_max over time, under our schedule and other rules."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle
from deeplimits.kale2026 import looks, theory

TABLES = ("stability_estimates",)
CAPTION = (
    "Do steps stay in the stable regime? From the paper's abstract: GD with an increasing "
    "schedule does, throughout. The schedule (reconstructed) is our reconstruction, the "
    "experiment is ours. Columns: the four-point toy set of Wu et al. 2024, and n − 1 points "
    "against one, at the margin γ = .1 (toy: .0995); one run each, GD from w₀ = 0. a: steps up to "
    "t that raised the loss, counted at every step. b: step times loss at the recorded "
    "iterations; below 2 (dotted) descent is guaranteed. c: step times sharpness, the largest "
    "eigenvalue of the Hessian, against the classical limit 2; it is never above b. Ours and "
    "loss-normalized steps are stable; constant and horizon-tuned steps are unstable at first, "
    "large adaptive steps for good. Stable steps can be faster: the loss-normalized ones, which "
    "are told the loss, decrease it far faster than our schedule."
)
MEASURES = (
    ("increases", "increases so far", "symlog"),
    ("step_loss", r"$\eta_t\, L(w_t)$", "log"),
    ("edge", r"$\eta_t\, \lambda_{\max}(\nabla^2 L)$", "log"),
)


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """One column a kind of data, one row a measure."""
    table = tables["stability_estimates"]
    table = table[table["data"] != "random"]
    kinds = sorted(table["data"].unique(), key=_size)
    figure, axes = plotstyle.subplots(
        3, len(kinds), width=plotstyle.PAGE, height=4.6, sharex=True, sharey="row"
    )
    for column, kind in zip(axes.T, kinds, strict=True):
        one = table[table["data"] == kind]
        one = one[one["gamma"] == one["gamma"].min()]
        for ax, (name, _, scale) in zip(column, MEASURES, strict=True):
            _curves(ax, one, name)
            ax.set_yscale(scale)
        column[-1].set_xscale("log")
        column[-1].set_xlabel("iteration $t$")
        plotstyle.note(column[0], kind, "upper left")
    bound = plotstyle.BOUND
    for ax in axes[1:].flat:
        ax.axhline(
            theory.DESCENT_LIMIT, color=bound.color, linestyle=bound.linestyle, linewidth=0.8
        )
    for row, letter, (_, label, _) in zip(axes, "abc", MEASURES, strict=True):
        plotstyle.panel_label(row[0], letter)
        row[0].set_ylabel(label)
    axes[2, 0].set_ylim(1e-3, 1e3)  # between the jumps of large steps it is next to 0
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles[::-1], labels[::-1], loc="outside upper center", ncols=3)
    return figure


def _size(kind: str) -> tuple[bool, int]:
    """The toy set first, then one in so many in order."""
    return kind != "toy", 0 if kind == "toy" else int(kind.rpartition(" ")[2])


def _curves(ax: Axes, table: pd.DataFrame, name: str) -> None:
    """All rules, ours drawn last."""
    for rule in reversed(looks.order(list(table["rule"].unique()))):
        curve = table[table["rule"] == rule].sort_values("t")
        plotstyle.line(ax, curve["t"], curve[name], looks.look(rule), label=looks.label(rule))
