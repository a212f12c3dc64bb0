"""Slopes of log(1 + ρ) near −1 on both sides of the threshold, and where they change sign."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle, stats

TABLES = ("exponent_estimates",)
CAPTION = (
    "The transition by its exponent: slope of log(1 + ρ) of two almost antipodal tokens, "
    "ρ = ⟨x₁, x₂⟩, σ = 1. The threshold β*(d) = ½ arcosh(d−2) is the paper's; the exponent "
    "(d−1)sech²β − 2, the experiment and all its parameters are ours. Two tokens with softmax "
    "attention, Gaussian V, the exact chain of ρ from 1 + ρ = 1e-100 over a fixed depth; every "
    "point is the mean of independent pairs. a: slopes extrapolated to Δt → 0 by a quadratic in "
    "ε = (d−1)Δt through three steps, against β − β*, with 95% intervals (mostly smaller than the "
    "points); lines: the prediction, without fit. b: at β = β*, each step and its extrapolation, "
    "with 95% intervals; lines: the exact exponent of the discrete chain, which leaves 0 as the "
    "step grows; d stand side by side at the same ε. c: measured minus predicted in standard "
    "errors, the extrapolated slopes (filled) and those at each step against the discrete "
    "exponent (small, pale); shaded: ±1.96. d: the offset at which the slopes of each d change "
    "sign (a cubic in β through them), with 95% intervals; lines: the same for the exact "
    "exponents. At ε = 0 it should be 0."
)
INTERVAL = stats.critical_value()
SPREAD = 0.009
"""Distance in ε between the points of two d."""
ASIDE = 0.009
"""The same in β − β*."""


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Slopes and residuals against β on the left, what the step does on the right."""
    table = tables["exponent_estimates"]
    figure, axes = plotstyle.subplots(
        2, 2, width=plotstyle.PAGE, height=4.6, height_ratios=[1.35, 1], width_ratios=[1.25, 1]
    )
    (slopes, at_threshold), (residuals, crossings) = axes
    bound = plotstyle.BOUND
    for ax, letter in zip(axes.flat, "abcd", strict=True):
        plotstyle.panel_label(ax, letter)
        ax.axhline(0.0, color=bound.color, linestyle=bound.linestyle, linewidth=0.7)
    slopes.axvline(0.0, color=bound.color, linestyle=bound.linestyle, linewidth=0.7)
    residuals.axhspan(-INTERVAL, INTERVAL, color="0.9", linewidth=0)
    groups = list(table.groupby("d", sort=True))
    for place, (d, curve) in enumerate(groups):
        look, shift = plotstyle.SERIES[place], place - 0.5 * (len(groups) - 1)
        _slopes(slopes, curve[curve["epsilon"] == 0], look, f"$d = {d}$")
        _residuals(residuals, curve, look, ASIDE * shift)
        _steps(at_threshold, curve[curve["offset"] == 0], look, SPREAD * shift)
        one = curve.drop_duplicates("epsilon").sort_values("epsilon")
        error = INTERVAL * one["crossing_se"]
        x = one["epsilon"] + SPREAD * shift
        plotstyle.line(crossings, one["epsilon"], one["exact_crossing"], look)
        plotstyle.errorbar(crossings, x, one["crossing"], error, look)
    slopes.set_ylabel(r"slope of $\ln(1+\rho)$, $\Delta t \to 0$")
    slopes.legend(loc="upper right")
    plotstyle.note(slopes, "antipodal tokens repel", "upper left")
    plotstyle.note(slopes, "attract", "lower left")
    residuals.set_ylabel("residual / standard error")
    at_threshold.set_ylabel(r"slope of $\ln(1+\rho)$ at $\beta = \beta^*$")
    crossings.set_ylabel(r"change of sign, $\beta - \beta^*$")
    for ax in (slopes, residuals):
        ax.set_xlabel(r"$\beta - \beta^*(d)$")
    for ax in (at_threshold, crossings):
        ax.set_xlabel(r"step $\varepsilon = (d-1)\,\Delta t$")
    return figure


def _slopes(ax: Axes, curve: pd.DataFrame, look: plotstyle.Look, label: str) -> None:
    """Extrapolated slopes over the prediction."""
    plotstyle.line(ax, curve["offset"], curve["limit"], look)
    error = INTERVAL * curve["slope_se"]
    plotstyle.errorbar(ax, curve["offset"], curve["slope"], error, look, label=label)


def _steps(ax: Axes, curve: pd.DataFrame, look: plotstyle.Look, shift: float) -> None:
    """Slopes at the threshold against the step."""
    curve = curve.sort_values("epsilon")
    # The extrapolated row has its own `exact`; the line starts at the limit itself.
    exact = curve["exact"].where(curve["epsilon"] > 0, curve["limit"])
    plotstyle.line(ax, curve["epsilon"], exact, look)
    error = INTERVAL * curve["slope_se"]
    plotstyle.errorbar(ax, curve["epsilon"] + shift, curve["slope"], error, look)


def _residuals(ax: Axes, curve: pd.DataFrame, look: plotstyle.Look, shift: float) -> None:
    """Residuals of the extrapolated slopes and of those at each step."""
    limit, steps = curve[curve["epsilon"] == 0], curve[curve["epsilon"] > 0]
    z = (steps["slope"] - steps["exact"]) / steps["slope_se"]
    dots = {"color": look.color, "linestyle": "none", "marker": look.marker}
    ax.plot(steps["offset"] + shift, z, **dots, markersize=1.5, alpha=0.5, markeredgewidth=0)
    z = (limit["slope"] - limit["limit"]) / limit["slope_se"]
    ax.plot(limit["offset"] + shift, z, **dots)
