"""Noise ablation on images: accuracies and paired differences by arm, and cosines by depth."""

import dataclasses
from collections.abc import Iterator

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle

TABLES = ("noise_ablation_estimates",)
CAPTION = (
    "Does suppressing the noise of the values degrade accuracy? The paper's abstract says so; its "
    "experiment is not known, and data, network, training and the three arms here are ours. An "
    "attention-only network on the sphere, handwritten digits, values started at a(T/L) I + "
    "λ√(T/L) G/√d. Means over networks with 95% intervals (Student's, over seeds, one split of "
    "test images). a: arm A, values frozen as drawn; b: arm B, values trained; c: arm C, the "
    "networks of b at λ = 1 with V_ℓ replaced by V̄ + μ(V_ℓ − V̄), V̄ the mean over layers, without "
    "further training. Solid: test accuracy; pale: accuracy on the training images. e, f, g: "
    "differences of test accuracy within each seed, to λ = 0 (e, f) and to μ = 1 (g; pale: those "
    "started at λ = 0, which lose what their layers learned to do differently). d, h: mean cosine "
    "of the tokens by depth on validation images, of the networks of arm B before and after "
    "training, at λ = 1 (with markers) and λ = 0 (pale)."
)
SHOWN = 1.0
"""λ of the panels on arm C and on cosines."""


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Columns: the three arms, and cosines; accuracies above differences."""
    table = tables["noise_ablation_estimates"]
    figure, axes = plotstyle.subplots(2, 4, width=plotstyle.PAGE, height=3.9, sharex="col")
    plain, trained = table[table["mu"] == 1], table["values"] == "trained"
    arms = (
        ("A: frozen values", plain[plain["values"] == "frozen"], "noise", "noise = 0"),
        ("B: trained values", plain[plain["values"] == "trained"], "noise", "noise = 0"),
        (
            f"C: suppressed, λ = {SHOWN:g}",
            table[trained & (table["noise"] == SHOWN)],
            "mu",
            "mu = 1",
        ),
    )
    for (above, below), (title, arm, level, against) in zip(axes[:, :3].T, arms, strict=True):
        above.set_title(title)
        _accuracies(above, arm, level)
        _differences(below, arm[(arm["measure"] == "test") & (arm["reference"] == against)], level)
        below.set_xlabel({"noise": r"noise $\lambda$", "mu": r"kept noise $\mu$"}[level])
    silent = table[(table["noise"] == 0) & (table["measure"] == "test")]
    _differences(axes[1, 2], silent[silent["reference"] == "mu = 1"], "mu", pale=True)
    for ax, measure in zip(axes[:, 3], ("start_cosine", "cosine"), strict=True):
        _cosines(ax, plain[(plain["values"] == "trained") & (plain["measure"] == measure)])
    axes[0, 3].set_title("cosine at the start")
    axes[1, 3].set_title("cosine after training")
    axes[1, 3].set_xlabel(r"layer $\ell$")
    axes[0, 0].set_ylabel("accuracy")
    axes[1, 0].set_ylabel("difference of test accuracy")
    for ax, letter in zip(axes.flat, "abcdefgh", strict=True):
        plotstyle.panel_label(ax, letter)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4)
    return figure


def _conditions(table: pd.DataFrame) -> Iterator[tuple[plotstyle.Look, str, pd.DataFrame]]:
    """A look, a name and the rows of each drift and horizon."""
    groups = table.groupby(["a", "horizon"], sort=True)
    for place, ((a, horizon), part) in enumerate(groups):
        look = plotstyle.SERIES[place % len(plotstyle.SERIES)]
        yield look, rf"$a={a:g}$, $T={horizon:g}$", part


def _pale(look: plotstyle.Look) -> plotstyle.Look:
    return dataclasses.replace(look, color=f"{look.color}60")


def _accuracies(ax: Axes, arm: pd.DataFrame, level: str) -> None:
    for measure in ("train", "test"):
        for look, name, part in _conditions(arm[arm["measure"] == measure]):
            curve = part.sort_values(level)
            shown = look if measure == "test" else _pale(look)
            ends = [curve["value"] - curve["low"], curve["high"] - curve["value"]]
            label = name if measure == "test" else None
            plotstyle.errorbar(
                ax, curve[level], curve["value"], ends, shown, label=label, joined=True
            )


def _differences(ax: Axes, arm: pd.DataFrame, level: str, *, pale: bool = False) -> None:
    ax.axhline(0, color=plotstyle.BOUND.color, linestyle=plotstyle.BOUND.linestyle, linewidth=0.6)
    for look, _, part in _conditions(arm):
        curve = part.sort_values(level)
        value = curve["difference"]
        ends = [value - curve["difference_low"], curve["difference_high"] - value]
        shown = _pale(look) if pale else look
        plotstyle.errorbar(ax, curve[level], value, ends, shown, joined=True)


def _cosines(ax: Axes, table: pd.DataFrame) -> None:
    for look, _, part in _conditions(table):
        for noise, shown in ((0.0, _pale(look)), (SHOWN, look)):
            curve = part[part["noise"] == noise].sort_values("layer")
            if noise == 0:
                plotstyle.band(ax, curve["layer"], curve["low"], curve["high"], shown)
                plotstyle.line(ax, curve["layer"], curve["value"], shown)
            else:
                ends = [curve["value"] - curve["low"], curve["high"] - curve["value"]]
                plotstyle.errorbar(ax, curve["layer"], curve["value"], ends, shown, joined=True)
