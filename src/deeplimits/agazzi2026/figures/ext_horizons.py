"""Long runs: repulsion, no attention, and odd activations."""

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle

TABLES = ("ext_horizons_estimates",)
CAPTION = (
    "Long runs at m = ∞; the experiment is ours, not the paper's. Mean over runs of the logarithm "
    "of the mean pairwise gap 1 − ⟨x, y⟩ ± 1.96 standard errors (bands), at two steps Δt (thick: "
    "the smaller) and, as dots, with more tokens. a: repulsive attention, a = −1: the tokens meet "
    "exactly where λ₁ < −1, and otherwise reach a plateau. b: no attention, λ₁ < 0 and G not odd: "
    "all approach synchrony. c: G odd (no bias): 1 − |⟨x, y⟩| vanishes, two opposite points "
    "attract. Black dots: predicted slope, twice the top exponent of noise and attention at the "
    "smaller step, drawn over the second half where that exponent is negative."
)
STYLES = {
    "relu": "-",
    "tanh": (0, (5, 1.5)),
    "silu": (0, (5, 1.5, 1, 1.5)),
    "sigmoid": (0, (1, 1.2)),
    "erf": (0, (8, 2)),
}


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Three panels: a = −1; a = 0 with G not odd; a = 0 with G odd."""
    table = tables["ext_horizons_estimates"]
    odd = table["activation"].isin(["tanh", "erf"]) & (table["sigma_u"] == 0)
    odd &= table["sigma_w"] == 0
    figure, axes = plotstyle.subplots(1, 3, width=plotstyle.PAGE, height=4.0, sharex=True)
    panels = axes[0]
    _panel(panels[0], table[table["a"] < 0], "log_gap")
    _panel(panels[1], table[(table["a"] == 0) & ~odd], "log_gap")
    _panel(panels[2], table[(table["a"] == 0) & odd], "log_axial_gap")
    for ax, letter, what in zip(
        panels,
        "abc",
        ("repulsion, $a=-1$", r"no attention, $G$ not odd", r"no attention, $G$ odd"),
        strict=True,
    ):
        plotstyle.panel_label(ax, letter)
        ax.set_title(what)
        ax.set_xlabel("depth $t$")
    panels[0].set_ylim(-25, 2)
    panels[0].set_ylabel(r"mean of $\ln(1-\langle x,y\rangle)$")
    panels[2].set_ylabel(r"mean of $\ln(1-|\langle x,y\rangle|)$")
    return figure


def _panel(ax: Axes, table: pd.DataFrame, quantity: str) -> None:
    cells = table.groupby(["lambda1", "activation", "d"], sort=True)
    colors = matplotlib.colormaps["plasma"](np.linspace(0.0, 0.85, len(cells)))
    for color, ((exponent, activation, d), cell) in zip(colors, cells, strict=True):
        look = plotstyle.Look(color, STYLES.get(activation, "-"), "")
        finest, least = cell["layers_per_unit"].max(), cell["tokens"].min()
        for (tokens, layers), run in cell.groupby(["tokens", "layers_per_unit"]):
            if tokens > least:
                ax.plot(run["t"], run[quantity], ".", color=color, markersize=2.5)
                continue
            error = 1.96 * run[f"{quantity}_se"]
            plotstyle.band(ax, run["t"], run[quantity] - error, run[quantity] + error, look)
            width = 1.3 if layers == finest else 0.6
            ax.plot(run["t"], run[quantity], color=color, linestyle=look.linestyle, linewidth=width)
            if layers == finest:
                _slope(ax, run, quantity)
        ax.plot([], [], color=color, linestyle=look.linestyle, label=_name(activation, d, exponent))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2))


def _slope(ax: Axes, run: pd.DataFrame, quantity: str) -> None:
    """Draw the predicted slope over the second half, where it points to synchrony."""
    second = run[run["t"] >= run["t"].max() / 2]
    slope = 2.0 * run["discrete_exponent"].iloc[0]
    if slope < 0:
        predicted = second[quantity].iloc[0] + slope * (second["t"] - second["t"].iloc[0])
        shown = predicted > np.log(1e-28)
        plotstyle.line(ax, second["t"][shown], predicted[shown], plotstyle.BOUND)


def _name(activation: str, d: int, exponent: float) -> str:
    return rf"{activation}, $d={d}$, $\lambda_1={exponent:.3g}$"
