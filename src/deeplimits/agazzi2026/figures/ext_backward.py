"""Local rate of decay of E[1 − u_t] over depth, beside the exponents it could tend to."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle
from deeplimits.agazzi2026 import model_grid, two_tokens

TABLES = ("ext_backward", "ext_backward_estimates")
CAPTION = (
    "Local rate of decay −(d/dt) log E[1 − u_t] of two tokens that start at right angles, m = ∞, "
    "noise alone and Δt → 0, from the backward equation; all of it is ours, not the paper's. "
    "Lines across: −min Λ, the edge of the continuous spectrum; ν, the eigenvalue of the slow "
    "region near u = −1, where there is one below; −λ̄, where it is positive. The rate tends to "
    "the lesser of the first two: like 3/(2t) from above to an edge without ν, and to zero for "
    "odd G (tanh without bias) and for λ₁ > 0 (swish(5)). The energy E_β decays at the same rate."
)
RATE, EDGE, BULK = plotstyle.SERIES[0], plotstyle.SERIES[1], plotstyle.SERIES[2]
MEAN = plotstyle.BOUND


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """One panel a model."""
    figure, panels = model_grid.panels(tables["ext_backward"])
    predictions = tables["ext_backward_estimates"].set_index(two_tokens.AXES)
    for ax, curve in panels:
        _panel(ax, curve, predictions.loc[tuple(curve[two_tokens.AXES].iloc[0])])
    figure.supxlabel("depth $t$")
    figure.supylabel(r"rate of decay of $\mathbb{E}[1 - u_t]$")
    _legend(figure)
    return figure


def _panel(ax: Axes, curve: pd.DataFrame, predicted: pd.Series) -> None:
    curve = curve.sort_values("t")
    plotstyle.line(ax, curve["t"], curve["rate"], RATE)
    levels = [(predicted["edge"], EDGE), (predicted["bulk"], BULK)]
    if predicted["lambda_bar"] < 0:
        levels.append((-predicted["lambda_bar"], MEAN))
    for level, look in levels:
        if not np.isnan(level):
            ax.axhline(level, color=look.color, linestyle=look.linestyle, linewidth=0.8)
    # The start of a fast decay is left out; where nothing decays in the end, all is shown.
    highest = 2.0 * predicted["edge"] or 1.1 * curve["rate"].max()
    ax.set_ylim(-0.05 * highest, highest)
    ax.set_xscale("log")


def _legend(figure: Figure) -> None:
    entries = {
        "backward equation": RATE,
        r"$-\min\Lambda$": EDGE,
        r"bulk eigenvalue $\nu$": BULK,
        r"$-\bar\lambda$": MEAN,
    }
    ax = figure.axes[0]
    lines = [ax.plot([], [], color=k.color, linestyle=k.linestyle)[0] for k in entries.values()]
    figure.legend(lines, list(entries), loc="outside upper center", ncols=len(entries))
