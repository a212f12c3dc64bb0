"""Weak error of the discrete chain against its depth L."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle, stats

TABLES = ("deep_limit_estimates",)
CAPTION = (
    "How close in law the discrete two-token chain of depth L is to its limit: |E f(ρ_T) − E f| "
    "for three smooth functions of the cosine ρ, the limit by the backward equation of the "
    "one-dimensional diffusion. The paper shows convergence in distribution to a system driven by "
    "a common matrix Brownian motion; that the weak error falls like 1/L (dotted) is our "
    "expectation, and the experiment and its parameters are ours, chosen in a trial so that errors "
    "keep their sign and stand out from the noise. Softmax attention, σ = 1, T = LΔt fixed. "
    "a, c: Gaussian V, by the exact chain of ρ; b, d: Rademacher V, drawn entry by entry, bounded "
    "as in the paper. 95% intervals; pale: errors below 3 standard errors, left out of the fits. "
    "Legends: fitted slope ± standard error."
)
NAMES = {"square": r"$\rho^2$", "exponential": r"$e^\rho$", "cosine": r"$\cos\pi\rho$"}
LAWS = {"gaussian": "Gaussian", "rademacher": "Rademacher"}
INTERVAL = stats.critical_value()
MODEL = ["d", "beta", "rho0", "horizon"]


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """One row a model, one column a law of the entries."""
    table = tables["deep_limit_estimates"]
    models = list(table.groupby(MODEL, sort=True))
    figure, axes = plotstyle.subplots(
        len(models),
        len(LAWS),
        width=plotstyle.PAGE,
        height=0.4 + 2.1 * len(models),
        sharex=True,
        sharey=True,
    )
    letters = iter("abcdefgh")
    for panels, (model, runs) in zip(axes, models, strict=True):
        for ax, (law, name) in zip(panels, LAWS.items(), strict=True):
            _panel(ax, runs[runs["entries"] == law])
            plotstyle.panel_label(ax, next(letters))
            ax.set_title(_title(name, *model))
        panels[0].set_ylabel(r"weak error $|E f(\rho_T) - E f|$")
    for ax in axes[-1]:
        ax.set_xlabel("layers $L$")
    return figure


def _panel(ax: Axes, runs: pd.DataFrame) -> None:
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    for look, (function, name) in zip(plotstyle.SERIES, NAMES.items(), strict=False):
        curve = runs[runs["function"] == function].sort_values("layers")
        if curve.empty:
            continue
        row = curve.iloc[0]
        fit = rf": ${row.slope:.2f} \pm {row.slope_se:.2f}$" if pd.notna(row["slope"]) else ""
        resolved = curve["resolved"]
        _points(ax, curve[resolved], look, label=name + fit, joined=True)
        pale = plotstyle.Look(f"{look.color}60", look.linestyle, look.marker)
        _points(ax, curve[~resolved], pale)
    if not runs.empty:
        ends = runs["layers"].agg(["min", "max"])
        height = 1.4 * runs["error"].abs().max()
        plotstyle.line(ax, ends, height * ends.min() / ends, plotstyle.BOUND, label="slope $-1$")
    ax.legend(loc="lower left")


def _points(ax: Axes, curve: pd.DataFrame, look: plotstyle.Look, **options) -> None:
    error = INTERVAL * curve["error_se"]
    plotstyle.errorbar(ax, curve["layers"], curve["error"].abs(), error, look, **options)


def _title(law: str, d: int, beta: float, rho0: float, horizon: float) -> str:
    return rf"{law} $V$, $d = {d}$, $\beta = {beta:g}$, $\rho_0 = {rho0:g}$, $T = {horizon:g}$"
