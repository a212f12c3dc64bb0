"""Two tokens: probability of an antipodal end along β and ρ₀, residuals, horizons and steps."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FormatStrFormatter

from deeplimits import plotstyle
from deeplimits.fedorov2026 import frequencies

TABLES = ("transition_estimates",)
CAPTION = (
    "Two tokens end antipodal with positive probability if and only if d − 2 < cosh 2β: the "
    "paper's transition. Everything else is ours: the exact two-token chain with σ²(d−1)Δt = .05 "
    "(.1 for d = 32), 4000 runs a point, outcomes as in the map over d and β, and the exact "
    "probability (lines). a: share of antipodal runs against β from ρ₀ = −.9 (ticks on top: the "
    "transitions), b: from ρ₀ = 0, c: against ρ₀. Bars are 95% Wilson intervals, from all "
    "undecided runs counted as not antipodal to all counted as antipodal. e–g: deviations in "
    "standard errors (normal scores; 0 within the undecided share) where the horizon allows a "
    "claim; dotted lines at ±2. d: share of runs still more than 1e-3 from both ends at T/4, T/2 "
    "and T, one line a model where the horizon allows a claim (blue where −1 attracts, orange "
    "where it repels). h: deviation of the log odds times |(d−1)sech²β − 2| against the step where "
    "steps were varied, with one standard error, and what the claims allow for (dotted)."
)

_LOOKS = (*plotstyle.SERIES, plotstyle.Look(plotstyle.BLACK, "-", "X"))

_SYMBOLS = {"d": "d", "beta": r"\beta"}

Series = list[tuple[str, pd.DataFrame, pd.DataFrame]]
"""Label, simulated rows and curve."""


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Shares and horizons above, deviations and steps beneath."""
    table = tables["transition_estimates"]
    figure, axes = plotstyle.subplots(
        2, 4, width=plotstyle.PAGE, height=3.7, height_ratios=[3, 1.8]
    )
    points, curves = frequencies.finest(table), table[table["replicas"] == 0]
    looks = dict(zip(sorted(points["d"].unique()), _LOOKS, strict=False))
    for place, rho0 in enumerate((-0.9, 0.0)):
        series = _series(points[points["rho0"] == rho0], curves[curves["rho0"] == rho0], ["d"])
        _shares(*axes[:, place], "beta", series, looks)
        plotstyle.note(axes[0, place], rf"$\rho_0={rho0:g}$")
    along_rho0 = _series(points, curves, ["d", "beta"])
    _shares(*axes[:, 2], "rho0", along_rho0, looks)
    if along_rho0:
        axes[0, 2].legend()
    _horizons(axes[0, 3], table)
    _steps(axes[1, 3], frequencies.final(table), looks)
    for ax, letter in zip(axes.flat, "abcdefgh", strict=True):
        plotstyle.panel_label(ax, letter)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, ncols=len(labels), loc="outside upper left")
    axes[0, 0].set_ylabel("share antipodal")
    axes[1, 0].set_ylabel("deviation\n(standard errors)")
    return figure


def _series(points: pd.DataFrame, curves: pd.DataFrame, names: list[str]) -> Series:
    """What was simulated at three places or more, by the values of the named axes."""
    theory = curves.groupby(names)
    return [
        (
            ", ".join(
                f"${_SYMBOLS[axis]}={value:g}$" for axis, value in zip(names, values, strict=True)
            ),
            part,
            theory.get_group(values),
        )
        for values, part in points.groupby(names)
        if len(part) >= 3
    ]


def _shares(upper: Axes, lower: Axes, axis: str, series: Series, looks: dict) -> None:
    """Shares over their curves, and the scores of those that can be compared."""
    for label, points, curve in series:
        look = looks[points["d"].iloc[0]]
        points, curve = points.sort_values(axis), curve.sort_values(axis)
        plotstyle.line(upper, curve[axis], curve["exact"], look)
        ends = [points["share"] - points["low"], points["high"] - points["share"]]
        plotstyle.errorbar(upper, points[axis], points["share"], ends, look, label=label)
        compared = points[points["comparable"]]
        lower.plot(
            compared[axis], compared["score"], color=look.color, marker=look.marker, linestyle=""
        )
        if axis == "beta":  # the transition, above the panel
            place = points["beta_star"].iloc[0]
            upper.plot(place, 1.0, "|", color=look.color, markersize=6)
    for level in (-2, 2):
        lower.axhline(level, color="black", linestyle=plotstyle.BOUND.linestyle, linewidth=0.6)
    if axis == "beta":
        lower.set_xlim(left=-0.15)
    lower.set_ylim(-4.5, 4.5)
    upper.set_ylim(-0.02, 1.04)
    lower.set_xlabel(r"$\beta$" if axis == "beta" else r"$\rho_0$")
    upper.sharex(lower)
    upper.tick_params(labelbottom=False)


def _horizons(ax: Axes, table: pd.DataFrame) -> None:
    """Share between the ends over depth, one line a model whose last depth allows claims."""
    last = frequencies.final(table)
    chosen = last.loc[last["comparable"], [*frequencies.RUN, "layer"]]
    runs = table.merge(chosen, on=frequencies.RUN, suffixes=("", "_last"))
    for _, run in runs.sort_values("layer").groupby(frequencies.RUN):
        look = plotstyle.SERIES[0 if run["exponent"].iloc[0] < 0 else 1]
        depth = run["layer"] / run["layer_last"]
        ax.plot(
            depth, run["between_share"], color=look.color, linestyle="-", linewidth=0.5, alpha=0.6
        )
    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_formatter(FormatStrFormatter("%g"))
    ax.set_yscale("symlog", linthresh=1e-3, linscale=0.5)
    ax.set_ylim(bottom=-1e-4)
    ax.set_xlabel("$t/T$")
    ax.set_ylabel("share between the ends")


def _steps(ax: Axes, last: pd.DataFrame, looks: dict) -> None:
    """Offset of the log odds in units of 1/|exponent| against the step."""
    chosen = last[last["comparable"] & (last["exact"] > 0)]
    for (d, *_), steps in chosen.sort_values("epsilon").groupby(frequencies.RUN[:3]):
        if len(steps) > 1:
            unit = steps["exponent"].abs()
            errors = steps["offset_se"] * unit
            plotstyle.errorbar(
                ax, steps["epsilon"], steps["offset"] * unit, errors, looks[d], joined=True
            )
    reach = np.array([0.0, last["epsilon"].max()])
    for sign in (-1, 1):
        plotstyle.line(ax, reach, sign * reach, plotstyle.BOUND)
    ax.set_xlabel(r"$\sigma^2(d-1)\Delta t$")
    ax.set_ylabel("offset of log odds")
