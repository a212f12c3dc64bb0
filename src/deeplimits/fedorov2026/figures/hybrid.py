"""Outcomes and exponents of the hybrid model on both sides of its threshold."""

import dataclasses

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle, stats

TABLES = ("hybrid_estimates", "hybrid_exponent_estimates")
CAPTION = (
    "The hybrid model against noise: two tokens, unnormalized attention, a deterministic part and "
    "scalar noise ε. The threshold ε² = 2e^{−β} is the paper's (dotted: below it consensus, above "
    "it antipodal tokens); the form of the model, the exponents, the experiment and its parameters "
    "are ours. a–c: where tokens from right angles are at the last depth T (points) and at T/4 "
    "(pale), e^{−β}t being the clock of the slow end: share near ρ = −1, near ρ = 1 and undecided, "
    "with 95% Wilson intervals; near means 1 ∓ ρ < 1e-3. d: measured slopes of log(1 ± ρ) far out "
    "at both ends, extrapolated to Δt → 0 and divided by 2e^{−β} at −1 and by 2e^{β} at +1, with "
    "95% intervals (mostly smaller than the points); lines: the predictions 1 − r and r − 1, "
    "r = ε²/(2e^{−β}). e: residuals in standard errors of the extrapolated slopes (filled) and of "
    "those at each step against the exact exponent of the discrete chain (small, pale), series "
    "side by side at the same r; shaded: ±1.96."
)
OUTCOMES = {"antipodal": "at −1", "consensus": "at +1", "undecided": "undecided"}
ENDS = {"antipodal": r"at $\rho = -1$", "consensus": r"at $\rho = 1$"}
INTERVAL = stats.critical_value()
SPREAD = 0.016
"""Distance in r between the points of two β."""


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Outcomes above, one panel a β; exponents below."""
    outcomes, exponents = (tables[name] for name in TABLES)
    figure = plotstyle.figure(plotstyle.PAGE, 4.4)
    above, below = figure.subfigures(2, 1)
    groups = list(outcomes.groupby("beta", sort=True))
    panels = above.subplots(1, len(groups), sharey=True, squeeze=False)[0]
    for ax, (beta, runs) in zip(panels, groups, strict=True):
        _outcomes(ax, runs)
        ax.set_title(rf"$\beta = {beta:g}$, $e^{{-\beta}}T = {runs['clock'].max():g}$")
        ax.set_xlabel(r"$\varepsilon^2/(2e^{-\beta})$")
    panels[0].set_ylabel("share of pairs")
    panels[-1].legend(loc="center right")
    slopes, residuals = below.subplots(1, 2)
    _exponents(slopes, residuals, exponents)
    for ax, letter in zip((*panels, slopes, residuals), "abcdefgh", strict=False):
        plotstyle.panel_label(ax, letter)
        _threshold(ax)
    return figure


def _threshold(ax: Axes) -> None:
    bound = plotstyle.BOUND
    ax.axvline(1.0, color=bound.color, linestyle=bound.linestyle, linewidth=0.7)


def _outcomes(ax: Axes, runs: pd.DataFrame) -> None:
    """Shares at the last recorded depth, and at about a quarter of it."""
    clocks = runs["clock"].drop_duplicates()
    last = clocks.max()
    quarter = clocks.loc[(clocks - 0.25 * last).abs().idxmin()]
    for look, (outcome, name) in zip(plotstyle.SERIES, OUTCOMES.items(), strict=False):
        curve = runs[runs["outcome"] == outcome].sort_values("ratio")
        early, late = (curve[curve["clock"] == clock] for clock in (quarter, last))
        pale = dataclasses.replace(look, color=f"{look.color}70")
        plotstyle.line(ax, early["ratio"], early["share"], pale)
        ends = [late["share"] - late["low"], late["high"] - late["share"]]
        plotstyle.errorbar(ax, late["ratio"], late["share"], ends, look, label=name, joined=True)
    ax.set_ylim(-0.03, 1.03)


def _exponents(ax: Axes, residuals: Axes, table: pd.DataFrame) -> None:
    bound = plotstyle.BOUND
    for panel in (ax, residuals):
        panel.axhline(0.0, color=bound.color, linestyle=bound.linestyle, linewidth=0.7)
        panel.set_xlabel(r"$\varepsilon^2/(2e^{-\beta})$")
    residuals.axhspan(-INTERVAL, INTERVAL, color="0.9", linewidth=0)
    models = list(table.groupby(["end", "beta"], sort=True))
    for place, ((end, beta), rows) in enumerate(models):
        look = plotstyle.SERIES[place % len(plotstyle.SERIES)]
        rows = rows.sort_values("ratio")
        limit, steps = rows[rows["step"] == 0], rows[rows["step"] > 0]
        shift = SPREAD * (place - 0.5 * (len(models) - 1))
        error = INTERVAL * limit["slope_se"]
        name = rf"{ENDS[end]}, $\beta = {beta:g}$"
        plotstyle.errorbar(ax, limit["ratio"], limit["slope"], error, look, label=name)
        plotstyle.line(ax, limit["ratio"], limit["limit"], plotstyle.THEORY)
        dots = {"color": look.color, "linestyle": "none", "marker": look.marker}
        z = (steps["slope"] - steps["exact"]) / steps["slope_se"]
        small = {"markersize": 1.5, "alpha": 0.5, "markeredgewidth": 0}
        residuals.plot(steps["ratio"] + shift, z, **dots, **small)
        z = (limit["slope"] - limit["limit"]) / limit["slope_se"]
        residuals.plot(limit["ratio"] + shift, z, **dots)
    ax.set_ylabel(r"slope of $\ln(1 \pm \rho)$, scaled")
    residuals.set_ylabel("residual / standard error")
    ax.legend(loc="upper center", ncols=2)
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + 0.45 * (high - low))
