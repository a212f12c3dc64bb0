"""Measured slope of log(1 − u) over 2λ₁ against the step, for every model."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle

TABLES = ("ext_lyapunov_estimates",)
CAPTION = (
    "Slope of log(1 − u) of two close tokens over its predicted limit 2λ₁, against the step "
    "ε = κ(1)(d−1)Δt; the experiment is ours, not the paper's. Points: two tokens at m = ∞ under "
    "noise alone, with 95% intervals (often smaller than the point); activations stand side by "
    "side at the same ε. Lines: the exact exponent of the discrete chain at the same steps, which "
    "leaves 2λ₁ (dotted) as the step grows. At ε = 0: the quadratic in ε through the measured "
    "points. d and σ = σ_U = σ_W are those of the paper's figures; activations, steps, starts and "
    "sizes are our choice."
)
NAMES = {
    "relu": "ReLU",
    "silu": "SiLU",
    "sigmoid": "sigmoid",
    "tanh": "tanh",
    "gelu": "GELU",
    "erf": "erf",
}
SPREAD = 0.011
"""Distance in ε between the points of two activations."""


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """One column a dimension, one row a bias, one series an activation."""
    table = tables["ext_lyapunov_estimates"]
    table = table[table["activation"].isin(NAMES)]
    biases = table.groupby(["sigma_u", "sigma_w"])
    dimensions = sorted(table["d"].unique())
    figure, axes = plotstyle.subplots(
        len(biases),
        len(dimensions),
        width=plotstyle.PAGE,
        height=0.5 + 1.8 * len(biases),
        sharex=True,
        sharey=True,
    )
    for panels, (bias, models) in zip(axes, biases, strict=True):
        for ax, d in zip(panels, dimensions, strict=True):
            _panel(ax, models[models["d"] == d])
            ax.set_title(_title(d, *bias))
        panels[0].set_ylabel(r"slope of $\ln(1-u)$ over $2\lambda_1$")
    for ax in axes[-1]:
        ax.set_xlabel(r"step $\varepsilon = \kappa(1)(d-1)\,\Delta t$")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=7)
    return figure


def _panel(ax: Axes, table: pd.DataFrame) -> None:
    ax.axhline(1.0, color=plotstyle.BOUND.color, linestyle=plotstyle.BOUND.linestyle, linewidth=0.7)
    for place, (activation, name) in enumerate(NAMES.items()):
        model = table[table["activation"] == activation].sort_values("epsilon")
        if model.empty:
            continue
        look = plotstyle.SERIES[place]
        # The extrapolated row has its own `exact`; the line starts at the limit itself.
        steps = model[model["epsilon"] > 0]
        exact = np.concatenate([[1.0], steps["exact"] / steps["limit"]])
        plotstyle.line(ax, np.concatenate([[0.0], steps["epsilon"]]), exact, look)
        aside = SPREAD * (place - 0.5 * (len(NAMES) - 1))
        error = 1.96 * model["slope_se"] / model["limit"].abs()
        x, y = model["epsilon"] + aside, model["slope"] / model["limit"]
        plotstyle.errorbar(ax, x, y, error, look, label=name)


def _title(d: int, sigma_u: float, sigma_w: float) -> str:
    if sigma_u == sigma_w:
        return rf"$d = {d}$, $\sigma = {sigma_u:g}$"
    return rf"$d = {d}$, $\sigma_U = {sigma_u:g}$, $\sigma_W = {sigma_w:g}$"
