"""Loss of gradient descent against iterations, rule by rule."""

import pandas as pd
from matplotlib.figure import Figure

from deeplimits.kale2026 import gd_panels, looks

TABLES = ("gd_losses_estimates",)
CAPTION = (
    "Loss of gradient descent on separable logistic regression under each step-size rule. "
    "−ln L(w_t) against t: median over the sets, band their range; both axes logarithmic, −ln L "
    "linear below 1, so that a loss above 1 lies below zero. A polynomial rate bends to a flat "
    "line, exp(−c t^a) is a straight line of slope a. a–c: random sets of margin γ by "
    "construction; d, e: unbalanced sets; f: the toy set of Wu et al. 2024. Blue: the "
    "increasing, non-adaptive schedule, our reconstruction (the paper claims (stretched) "
    "exponential convergence of one in its abstract; its formula is not known to us); dashed "
    "black: the predicted y + y³/6 = γ²t (ours). In iterations the rules that see loss or gradient "
    "are faster; so are large constant steps until the curves cross, after unstable first steps "
    "(e, f) or one that separates the set (c). Sets, sizes and parameters are our choice."
)


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """One panel a kind of set and margin."""
    table = tables["gd_losses_estimates"]
    styles = {rule: looks.look(rule) for rule in looks.order(table["rule"].unique().tolist())}
    chosen = gd_panels.panels(table)
    figure, axes = gd_panels.page(chosen, height=4.6)
    for ax, panel in zip(axes, chosen, strict=True):
        gd_panels.draw_losses(ax, gd_panels.select(table, panel), styles)
    for ax in axes[:: gd_panels.COLUMNS]:
        ax.set_ylabel(r"$-\ln L(w_t)$")
    gd_panels.legend(figure, styles, law=True)
    return figure
