"""Normalized margin of gradient descent against iterations, rule by rule."""

import pandas as pd
from matplotlib.figure import Figure

from deeplimits.kale2026 import gd_panels, looks
from deeplimits.plotstyle import BOUND as SEPARATES

TABLES = ("gd_losses_estimates",)
CAPTION = (
    "Normalized margin of gradient descent, the runs of gd_losses: how far min_i ⟨z_i, w_t⟩/|w_t| "
    "is below its largest value γ, as a share of γ, against t; median over the sets, band their "
    "range. Above 1 (dotted) the iterate does not separate the set yet. Blue: our reconstruction "
    "of the paper's schedule. The gap closes slowly under constant steps, and hardly at all after "
    "one huge step that separates the set (c, horizon-tuned); the schedule's falls faster and "
    "overtakes theirs (c), and the rules that see loss or gradient are faster still. The figure is "
    "ours, not the paper's."
)


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """One panel a kind of set and margin."""
    table = tables["gd_losses_estimates"]
    styles = {rule: looks.look(rule) for rule in looks.order(table["rule"].unique().tolist())}
    chosen = gd_panels.panels(table)
    figure, axes = gd_panels.page(chosen, height=4.6)
    for ax, panel in zip(axes, chosen, strict=True):
        gd_panels.draw_spread(ax, gd_panels.select(table, panel), styles, "gap")
        ax.axhline(1.0, color=SEPARATES.color, linestyle=SEPARATES.linestyle, linewidth=0.6)
        ax.set_yscale("log")
    for ax in axes[:: gd_panels.COLUMNS]:
        ax.set_ylabel(r"$1 - \min_i\langle z_i, w_t\rangle/(\gamma|w_t|)$")
    gd_panels.legend(figure, styles, law=False)
    return figure
