"""Figs. 2–6: one panel a (d, σ, a), pairwise cosines on the left axis and energy on the right."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from deeplimits import plotstyle

COSINE, ENERGY = plotstyle.SERIES[0], plotstyle.SERIES[1]
# Below, the synchronized tokens differ by little more than rounding.
LOWEST_ENERGY = 1e-12
# The prediction is about small gaps: it starts where the mean gap has fallen to this.
NEAR_SYNCHRONY = 0.05


def draw(estimates: pd.DataFrame, activation: str) -> Figure:
    """Rows (d, σ), columns a = 1, 0, −1; without an MLP the rows are d alone."""
    shown = estimates[estimates["activation"] == activation]
    rows = list(shown.groupby(["d", "sigma_u", "sigma_w"]).groups)
    attentions = sorted(shown["a"].unique(), reverse=True)
    lowest = 10.0 ** np.floor(np.log10(max(shown["energy"].min(), LOWEST_ENERGY)) - 1)
    figure, axes = plotstyle.subplots(
        len(rows),
        len(attentions),
        width=plotstyle.PAGE,
        height=0.45 + 1.25 * len(rows),
    )
    cells = dict(list(shown.groupby(["d", "sigma_u", "sigma_w", "a"])))
    for panels, row in zip(axes, rows, strict=True):
        for ax, a in zip(panels, attentions, strict=True):
            right = _panel(ax, cells[*row, a].sort_values("t"), lowest)
            if ax is not panels[-1]:
                right.tick_params(labelright=False)
        panels[0].set_ylabel(f"cosine\n{_row_name(activation, *row)}")
        right.set_ylabel(r"energy $E_\beta$")
    for ax, a in zip(axes[0], attentions, strict=True):
        ax.set_title(f"a = {a:g}".replace("-", "−"))
    for ax in axes[-1]:
        ax.set_xlabel(r"depth $t = \ell\,\Delta t$")
    for ax in axes.flat:  # all have the same limits; `sharex` would compare them all at every draw
        ax.label_outer()
    _legend(figure)
    return figure


def _panel(ax: Axes, cell: pd.DataFrame, lowest: float) -> Axes:
    """Draw one panel, energies down to `lowest`; returns its right axis."""
    t, cosine, error = cell["t"], cell["cosine"], 1.96 * cell["cosine_se"]
    plotstyle.band(ax, t, cell["cosine_q05"], cell["cosine_q95"], COSINE, opacity=0.15)
    plotstyle.band(ax, t, cosine - error, cosine + error, COSINE, opacity=0.5)
    plotstyle.line(ax, t, cosine, COSINE)
    ax.set_ylim(-1.05, 1.05)
    ax.set_xlim(0, t.max())

    right = ax.twinx()
    energy = cell["energy"].clip(lower=lowest / 10)
    # The band is that of the logarithm: the mean of skewed energies minus 1.96 errors can be < 0.
    factor = np.exp(1.96 * cell["energy_se"] / cell["energy"].clip(lower=lowest / 10))
    plotstyle.band(right, t, energy / factor, energy * factor, ENERGY, opacity=0.4)
    plotstyle.line(right, t, energy, ENERGY)
    right.set_yscale("log")
    right.yaxis.set_minor_locator(NullLocator())  # 36 axes of minor ticks take seconds to draw
    right.yaxis.set_major_locator(LogLocator(numticks=5))
    right.set_ylim(lowest, 10.0)
    _slope(right, cell)

    # Plain text: matplotlib parses mathtext anew for each of so many different strings, slowly.
    first = cell.iloc[0]
    exponents = f"λ₁ = {first.lambda1:.3g}, λ̄ = {first.lambda_bar:.3g}, a = {first.a:g}"
    plotstyle.note(right, exponents.replace("-", "−"), corner="lower left")
    return right


def _slope(ax: Axes, cell: pd.DataFrame) -> None:
    """Draw the predicted decay from where the tokens have come near synchrony."""
    near = cell[(cell["gap"] <= NEAR_SYNCHRONY) & (cell["energy"] > LOWEST_ENERGY)]
    if len(near) < 2 or cell["log_slope"].iloc[0] >= 0:
        return
    t = near["t"].to_numpy()
    decay = near["energy"].iloc[0] * np.exp(near["log_slope"].iloc[0] * (t - t[0]))
    plotstyle.line(ax, t, decay, plotstyle.THEORY)


def _row_name(activation: str, d: int, sigma_u: float, sigma_w: float) -> str:
    if activation == "none":
        return f"d = {d}"
    if sigma_u == sigma_w:
        return f"d = {d}, σ = {sigma_u:g}"
    return f"d = {d}, σ_U = {sigma_u:g}, σ_W = {sigma_w:g}"


def _legend(figure: Figure) -> None:
    ax = figure.axes[0]
    entries = [
        ax.plot([], [], color=COSINE.color, linestyle=COSINE.linestyle)[0],
        ax.fill_between([], [], color=COSINE.color, alpha=0.15, linewidth=0),
        ax.plot([], [], color=ENERGY.color, linestyle=ENERGY.linestyle)[0],
        ax.plot([], [], color=plotstyle.THEORY.color, linestyle=plotstyle.THEORY.linestyle)[0],
    ]
    names = [
        "mean cosine ± 1.96 s.e.",
        "5–95% of the pairs",
        r"energy $E_\beta$ ± 1.96 s.e. (right)",
        r"predicted slope $2(\lambda_1 - a)$ at this $\Delta t$",
    ]
    figure.legend(entries, names, loc="outside upper center", ncols=4)
