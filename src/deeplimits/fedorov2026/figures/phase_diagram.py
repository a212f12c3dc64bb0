"""Maps over β and d of how two tokens end: simulation, its deviation from theory, undecided."""

import string
from typing import NamedTuple

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import Normalize, PowerNorm
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator, ScalarFormatter

from deeplimits import plotstyle

TABLES = ("phase_diagram_estimates",)
CAPTION = (
    "How two tokens end, over β and dimension d: from ρ₀ = 0 (a–c) and ρ₀ = −.9 (d–f). a, d: "
    "share of runs that end antipodal. b, e: its deviation from the exact probability p of the "
    "limit L → ∞ in standard errors (normal score; 0 where p lies between the shares without and "
    "with the undecided runs), where p > 0 (grey: p = 0); circles mark cells too close to the "
    "transition, or too slow, for a claim. c, f: share of undecided runs. Lines: the transition d "
    "− 2 = cosh 2β, which is the paper's, and the contours p = .01 and .1. Everything else is "
    "ours: the protocol (exact two-token chain, σ²(d−1)Δt = .1, 2000 runs a cell, 12 × 24 cells), "
    "the outcomes (antipodal where p(ρ_T) ≥ .99; consensus where p(ρ_T) ≤ .01 and 1 − ρ ≤ 1e-3; "
    "else undecided), and p. From ρ₀ = 0 the transition can't be seen at large d."
)

_LINES = (
    ("beta_star", plotstyle.Look(plotstyle.BLACK, "-", ""), r"$d-2=\cosh\,2\beta$"),
    ("beta_01", plotstyle.Look(plotstyle.VERMILLION, (0, (4, 1.5)), ""), "$p=.01$"),
    ("beta_10", plotstyle.Look(plotstyle.VERMILLION, (0, (1, 1)), ""), "$p=.1$"),
)

_COARSE = 32
"""Values of β from which on the circles shrink with the cells, so that these stay visible."""


class _Map(NamedTuple):
    """What the panels of one column show."""

    column: str
    label: str
    colours: str
    norm: Normalize
    extend: str


_MAPS = (
    _Map("share", "share antipodal", "Blues", PowerNorm(0.5, 0, 1), "neither"),
    _Map("score", "deviation (standard errors)", "RdBu_r", Normalize(-4, 4), "both"),
    _Map("undecided_share", "share undecided", "Greys", Normalize(0, 0.2), "max"),
)


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """One row a start, from the largest ρ₀ to the least."""
    table = tables["phase_diagram_estimates"]
    starts = sorted(table["rho0"].unique(), reverse=True)
    figure, axes = plotstyle.subplots(
        len(starts),
        len(_MAPS),
        width=plotstyle.PAGE,
        height=0.8 + 2.0 * len(starts),
        sharex=True,
        sharey=True,
    )
    for column, shown in zip(axes.T, _MAPS, strict=True):
        for ax, rho0 in zip(column, starts, strict=True):
            mesh = _draw(ax, table[table["rho0"] == rho0], shown)
        bar = figure.colorbar(mesh, ax=list(column), location="top", aspect=30, extend=shown.extend)
        bar.set_label(shown.label)
        column[-1].set_xlabel(r"$\beta$")
    for ax, rho0 in zip(axes[:, 0], starts, strict=True):
        ax.set_ylabel(rf"$d$   (from $\rho_0={rho0:g}$)")
    for ax, letter in zip(axes.flat, string.ascii_lowercase, strict=False):
        plotstyle.panel_label(ax, letter)
    axes[0, -1].legend(loc="upper left", frameon=True, framealpha=0.8, edgecolor="none")
    return figure


def _draw(ax: Axes, cells: pd.DataFrame, shown: _Map) -> QuadMesh:
    values = cells.pivot(index="d", columns="beta", values=shown.column)
    d, beta = values.index.to_numpy(), values.columns.to_numpy()
    colours = matplotlib.colormaps[shown.colours].with_extremes(bad="0.85")
    edges = _edges(beta), np.exp(_edges(np.log(d)))
    mesh = ax.pcolormesh(*edges, values, cmap=colours, norm=shown.norm, rasterized=True)
    for column, look, label in _LINES:
        line = cells.drop_duplicates("d").sort_values("d")
        plotstyle.line(ax, line[column], line["d"], look, label)
    if shown.column == "score":
        apart = cells[(cells["exact"] > 0) & ~cells["comparable"]]
        size = min(1.0, _COARSE / beta.size)
        ax.plot(
            apart["beta"],
            apart["d"],
            "o",
            color="0.3",
            fillstyle="none",
            markersize=1.6 * size,
            markeredgewidth=size,
        )
    ax.set_yscale("log", base=2)
    ax.yaxis.set_major_formatter(ScalarFormatter())
    ax.yaxis.set_minor_locator(NullLocator())
    ax.set_xlim(edges[0][0], edges[0][-1])
    ax.set_ylim(edges[1][0], edges[1][-1])
    return mesh


def _edges(centres: np.ndarray) -> np.ndarray:
    """Borders half way between centres; the outer ones as far out as the next inner ones are in."""
    if centres.size == 1:
        return centres + np.array([-0.5, 0.5])
    inner = (centres[1:] + centres[:-1]) / 2
    return np.concatenate([[2 * centres[0] - inner[0]], inner, [2 * centres[-1] - inner[-1]]])
