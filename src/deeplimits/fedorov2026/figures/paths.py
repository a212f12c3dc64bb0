"""Tokens on the sphere over depth: noise beside the deterministic flow, from the same start."""

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from deeplimits import plotstyle

TABLES = ("paths", "paths_estimates")
CAPTION = (
    "Sixteen tokens on the sphere in R³, β = 3, one run each of noise alone (a: σ = 1, a = 0, V "
    "drawn) and of the deterministic flow (b: V = I at scale 1/L) from the same uniform start. "
    "Left: the tokens at four depths, with their paths over the half unit of depth before; what "
    "is on the hidden side is paler, and the colour of a token is the rank of its start. Right: "
    "the cosines of all 120 pairs over depth; beyond the dotted lines they count as formed "
    "(tolerance 0.1). Here the noise forms two antipodal clusters and moves them about together, "
    "and the flow ends in one. The root seed fixes the run, and β was chosen so that antipodal "
    "formations are frequent; how often each outcome occurs is shown in the figure many_tokens. "
    "Model and contrast are the paper's, whose abstract says that antipodal formations persist; "
    "parameters and protocol are ours."
)
NAMES = {"noise": "noise", "flow": "deterministic flow"}
SNAPSHOTS = (0.0, 1 / 64, 1 / 8, 1.0)
"""Depths shown, over T."""
TAIL = 0.5
"""Depth over which the path before a snapshot is drawn."""
AZIMUTH, ELEVATION = np.deg2rad(30.0), np.deg2rad(20.0)
RIGHT = np.array([-np.sin(AZIMUTH), np.cos(AZIMUTH), 0.0])
UP = np.array(
    [
        -np.cos(AZIMUTH) * np.sin(ELEVATION),
        -np.sin(AZIMUTH) * np.sin(ELEVATION),
        np.cos(ELEVATION),
    ]
)
TOWARDS = np.cross(RIGHT, UP)
"""The axes of the picture, and that towards the viewer."""


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """One row a dynamics: four snapshots, and the cosines."""
    paths, cosines = tables["paths"], tables["paths_estimates"]
    figure, axes = plotstyle.subplots(
        2,
        len(SNAPSHOTS) + 1,
        width=plotstyle.PAGE,
        height=2.75,
        width_ratios=[1.0] * len(SNAPSHOTS) + [1.7],
    )
    for panels, dynamics, letter in zip(axes, NAMES, "ab", strict=True):
        run = paths[paths["dynamics"] == dynamics]
        for ax, part in zip(panels, SNAPSHOTS, strict=False):
            _snapshot(ax, run, part * run["t"].max())
        _cosines(panels[-1], cosines[cosines["dynamics"] == dynamics])
        plotstyle.panel_label(panels[0], letter)
        panels[0].set_ylabel(NAMES[dynamics])
    axes[1, -1].set_xlabel(r"depth $t = \ell\,\Delta t$")
    axes[0, -1].tick_params(labelbottom=False)
    return figure


def _snapshot(ax: Axes, run: pd.DataFrame, depth: float) -> None:
    """Tokens at the recorded depth next to `depth`, with their tails."""
    times = np.sort(run["t"].unique())
    now = times[np.abs(times - depth).argmin()]
    tail = run[(run["t"] <= now) & (run["t"] >= now - TAIL)].sort_values(["token", "t"])
    tokens = run["token"].nunique()
    x = tail[["x1", "x2", "x3"]].to_numpy().reshape(tokens, -1, 3)
    across, up, towards = x @ RIGHT, x @ UP, x @ TOWARDS
    start = run[run["t"] == times[0]].sort_values("token")[["x1", "x2", "x3"]].to_numpy()
    rank = (start @ RIGHT).argsort().argsort() / (tokens - 1)
    colors = matplotlib.colormaps["viridis"](0.9 * rank)
    _globe(ax)
    for token, color in enumerate(colors):
        points = np.stack([across[token], up[token]], axis=-1)
        segments = np.stack([points[:-1], points[1:]], axis=1)
        seen = towards[token, 1:] >= 0
        for side, opacity in ((~seen, 0.2), (seen, 0.7)):
            ax.add_collection(
                LineCollection(segments[side], colors=[color], linewidths=0.6, alpha=opacity)
            )
    order = towards[:, -1].argsort()  # the nearest last
    hidden = towards[order, -1] < 0
    colors[:, 3] = 1.0
    colors[order[hidden], :3] = 0.65 + 0.35 * colors[order[hidden], :3]
    ax.scatter(
        across[order, -1],
        up[order, -1],
        c=colors[order],
        s=np.where(hidden, 7, 12),
        edgecolors=np.where(hidden, "0.7", "0.1"),
        linewidths=0.3,
        zorder=3,
    )
    ax.set_title(f"t = {now:.3g}")


def _globe(ax: Axes) -> None:
    """The outline, and the great circles of the coordinate planes, hidden halves paler."""
    angle = np.linspace(0, 2 * np.pi, 181)
    ax.fill(np.cos(angle), np.sin(angle), facecolor="0.97", edgecolor="0.4", linewidth=0.6)
    for first in range(3):
        circle = np.zeros((angle.size, 3))
        circle[:, first], circle[:, first - 1] = np.cos(angle), np.sin(angle)
        for side, shade in ((circle @ TOWARDS < 0, "0.92"), (circle @ TOWARDS >= 0, "0.8")):
            seen = np.where(side[:, None], circle, np.nan)
            ax.plot(seen @ RIGHT, seen @ UP, color=shade, linestyle="-", linewidth=0.4)
    ax.set_aspect("equal")
    ax.set_xlim(-1.08, 1.08)
    ax.set_ylim(-1.08, 1.08)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)


def _cosines(ax: Axes, pairs: pd.DataFrame) -> None:
    """One line a pair."""
    lines = pairs[pairs["t"] > 0].pivot(index="t", columns=["first", "second"], values="cosine")
    look = plotstyle.SERIES[0]
    ax.plot(lines.index, lines, color=look.color, linestyle="-", linewidth=0.4, alpha=0.3)
    for level in (-0.9, 0.9):
        ax.axhline(level, color=plotstyle.BOUND.color, linestyle=":", linewidth=0.6)
    ax.set_xscale("log")
    ax.set_xlim(lines.index.min(), lines.index.max())
    ax.set_ylim(-1.04, 1.04)
    ax.set_ylabel(r"cosine $\langle x_i, x_j\rangle$")
