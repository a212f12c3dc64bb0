"""Loss and stability of the reconstructed schedule told a wrong margin, over time."""

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle
from deeplimits.kale2026 import theory

TABLES = ("misspecified_margin_estimates",)
CAPTION = (
    "What breaks if the margin is wrong, and from when? Our reconstruction of the schedule, told "
    "γ̂ instead of γ (colours: γ̂/γ); the paper's abstract says only that there is a margin "
    "condition, and the experiment is ours. GD from w₀ = 0 on the toy set of Wu et al. 2024 "
    "(γ = .0995), and at γ = .05 on n − 1 points against one and on random sets (mean, and range "
    "shaded). a: −ln L; dashed: the law e^y − 1 = (e^u − 1)γ²/γ̂² with u + u³/6 = γ̂²t, without "
    "fit. b: step times loss, largest of the sets, against the limit 2 of guaranteed descent "
    "(dotted); dashed: on the law; crosses: recorded iterations at which the loss has risen since "
    "the record before. Too small a margin is slower and breaks nothing. Too large a margin is "
    "faster; only at 10 times γ, and on unbalanced sets, does the loss rise, and for a while."
)


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """One column a kind of data; losses above, stability below."""
    table = tables["misspecified_margin_estimates"]
    # Two mirrored points, 1 in 2, behave as the toy set.
    kinds = [kind for kind in _kinds(table) if kind != "1 in 2"]
    factors = sorted(table["factor"].unique())
    shades = matplotlib.colormaps["plasma"]
    colors = [shades(0.9 * place / max(len(factors) - 1, 1)) for place in range(len(factors))]
    figure, axes = plotstyle.subplots(
        2, len(kinds), width=plotstyle.PAGE, height=3.6, sharex=True, sharey="row"
    )
    bound = plotstyle.BOUND
    for (top, bottom), kind in zip(axes.T, kinds, strict=True):
        one = table[table["data"] == kind]
        one = one[one["gamma"] == one["gamma"].min()].sort_values("t")
        for factor, color in zip(factors, colors, strict=True):
            look = plotstyle.Look(color, "-", "")
            _decay(top, one[one["factor"] == factor], look, f"{factor:.3g}")
            _step_loss(bottom, one[one["factor"] == factor], look)
        bottom.axhline(
            theory.DESCENT_LIMIT, color=bound.color, linestyle=bound.linestyle, linewidth=0.8
        )
        for ax in (top, bottom):
            ax.set_xscale("log")
            ax.set_yscale("log")
        top.set_ylim(bottom=0.3)  # at w₀ = 0 it is .37; the law starts at 0
        bottom.set_xlabel("iteration $t$")
        plotstyle.note(top, kind, "upper left")
    for (ax, *_), letter, label in zip(
        axes, "ab", (r"$-\ln L(w_t)$", r"$\eta_t\, L(w_t)$"), strict=True
    ):
        plotstyle.panel_label(ax, letter)
        ax.set_ylabel(label)
    figure.legend(
        *axes[0, 0].get_legend_handles_labels(),
        loc="outside upper center",
        ncols=len(factors),
        title=r"$\hat\gamma/\gamma$",
    )
    return figure


def _kinds(table: pd.DataFrame) -> list[str]:
    """The toy set, one in so many in order, random sets."""
    kinds = table["data"].unique()
    named = {"toy": -1, "random": 10**9}
    return sorted(kinds, key=lambda kind: named.get(kind) or int(kind.rpartition(" ")[2]))


def _decay(ax: Axes, curve: pd.DataFrame, look: plotstyle.Look, label: str) -> None:
    """−ln L over its law."""
    plotstyle.band(ax, curve["t"], curve["decay_low"], curve["decay_high"], look)
    plotstyle.line(ax, curve["t"], curve["decay"], look, label=label)
    _law(ax, curve["t"], curve["law"])


def _step_loss(ax: Axes, curve: pd.DataFrame, look: plotstyle.Look) -> None:
    """η_t L over its law, and when the loss rose."""
    plotstyle.line(ax, curve["t"], curve["step_loss"], look)
    _law(ax, curve["t"], curve["law_step_loss"])
    rose = curve[curve["increases"].diff() > 0]
    ax.plot(rose["t"], rose["step_loss"], color=plotstyle.BLACK, marker="x", linestyle="none")


def _law(ax: Axes, t: pd.Series, values: pd.Series) -> None:
    theory_look = plotstyle.THEORY
    ax.plot(t, values, color=theory_look.color, linestyle=theory_look.linestyle, linewidth=0.5)
