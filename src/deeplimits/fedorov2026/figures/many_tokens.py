"""What many tokens form: outcomes against n, d and β, the minority's share, and the cosines."""

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from deeplimits import plotstyle

TABLES = ("many_tokens_estimates",)
CAPTION = (
    "What n tokens form from a uniform start, under noise alone (blue: σ = 1, a = 0) and in the "
    "deterministic flow (orange: V = I at scale 1/L). Rows 1 to 3, d = 3: shares of runs in one "
    "cluster (all cosines ≥ 0.9), antipodal (all |cosines| ≥ 0.9, but not in one cluster), and "
    "undecided, at t = 4, 16, 64 and 256 (pale to dark; for β = 3 to 64), with 95% Wilson "
    "intervals, of 600 runs up to n = 8, 250 at n = 16, else 80; noise and flow share their "
    "starts, (d − 1)Δt ≤ 0.1 for the noise and Δt ≤ 0.05 for the flow. Crosses: exact limit of "
    "two tokens. Near antipodes the flow escapes at rate 4/(1 + exp 2β), so it needs t of about "
    "21, 139 and 1011 for β = 1, 2, 3. Row 4: antipodal share under noise at t = 16 in other "
    "dimensions; two antipodal tokens attract where d − 2 < cosh 2β. Row 5, d = 3, β = 3, n = 16: "
    "density of all pairwise cosines over depth, with noise and in the flow, and sizes of the "
    "smaller cluster among antipodal runs under noise at t = 4, 16 and 64. Only k = n/2 is "
    "invariant: for other k, hence for every odd n, the formation lasts for a time, which grows "
    "like exp 2β. That antipodal formations persist is in the paper's abstract; the protocol, the "
    "parameters, the tolerance and all predictions are ours."
)
BETAS = (1.0, 2.0, 3.0)
DIMENSION = 3
DEPTHS = (4.0, 16.0, 64.0, 256.0)
OUTCOMES = {1: "one cluster", 2: "antipodal", 0: "undecided"}
DYNAMICS = {"noise": plotstyle.SERIES[0], "flow": plotstyle.SERIES[1]}
ALL_DIMENSIONS = 16.0
"""The depth at which dimensions are compared."""
SHOWN = {"n": 16, "d": DIMENSION, "beta": 3.0}
"""The system of the lowest row."""


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Columns β; outcomes, then dimensions; below, one system."""
    table = tables["many_tokens_estimates"]
    outcomes = table[table["quantity"] == "outcome"]
    figure, axes = plotstyle.subplots(5, 3, width=plotstyle.PAGE, height=7.4)
    for column, beta in enumerate(BETAS):
        rows = outcomes[outcomes["beta"] == beta]
        for ax, item in zip(axes[:3, column], OUTCOMES, strict=True):
            _outcomes(ax, rows[(rows["d"] == DIMENSION) & (rows["item"] == item)])
        _dimensions(axes[3, column], rows[(rows["item"] == 2) & (rows["dynamics"] == "noise")])
        axes[0, column].set_title(rf"$\beta$ = {beta:g}")
    for row, column in np.ndindex(4, 3):
        _tokens(axes[row, column], lowest=row == 3, leftmost=column == 0)
    for ax, name in zip(axes[:4, 0], [*OUTCOMES.values(), "antipodal, t = 16"], strict=True):
        ax.set_ylabel(name)
    for ax, letter in zip(axes[:, 0], "abcde", strict=True):
        plotstyle.panel_label(ax, letter)
    _system(axes[4], table)
    _legend(axes)
    return figure


def _outcomes(ax: Axes, rows: pd.DataFrame) -> None:
    """One line a dynamics and depth, later ones darker, moved apart a little."""
    for side, (dynamics, look) in enumerate(DYNAMICS.items()):
        for rank, depth in enumerate(DEPTHS):
            part = rows[(rows["dynamics"] == dynamics) & (rows["t"] == depth)].sort_values("n")
            shade = _shade(look, rank, len(DEPTHS))
            place = part["n"] * 2 ** (0.07 * (rank - 1.5) + 0.03 * (2 * side - 1))
            _points(ax, place, part, shade)
    limits = rows.dropna(subset="limit").drop_duplicates("limit")
    ax.plot(limits["n"], limits["limit"], color="black", marker="x", linestyle="none", zorder=4)


def _shade(look: plotstyle.Look, rank: int, ranks: int) -> plotstyle.Look:
    """The look at one of several depths: from pale to full colour."""
    color = np.array(matplotlib.colors.to_rgb(look.color))
    weight = 0.3 + 0.7 * rank / (ranks - 1)
    mixed = matplotlib.colors.to_hex(weight * color + (1 - weight))
    return plotstyle.Look(mixed, look.linestyle, look.marker)


def _points(
    ax: Axes, x: pd.Series, rows: pd.DataFrame, look: plotstyle.Look, label: str | None = None
) -> None:
    ends = [rows["share"] - rows["low"], rows["high"] - rows["share"]]
    plotstyle.errorbar(ax, x, rows["share"], ends, look, joined=True, label=label)


def _dimensions(ax: Axes, rows: pd.DataFrame) -> None:
    rows = rows[rows["t"] == ALL_DIMENSIONS]
    for rank, (d, part) in enumerate(rows.sort_values("n").groupby("d")):
        look = plotstyle.SERIES[(4, 0, 2, 3)[rank]]
        _points(ax, part["n"] * 2 ** (0.06 * (rank - 1.5)), part, look, label=f"d = {d}")


def _tokens(ax: Axes, *, lowest: bool, leftmost: bool) -> None:
    """The axes of a share against n; numbers and names at the edge of the grid only."""
    ax.set_xscale("log", base=2)
    ax.set_xticks([2, 4, 8, 16, 32, 64], ["2", "4", "8", "16", "32", "64"])
    ax.set_xlim(1.7, 76)
    ax.set_ylim(-0.04, 1.04)
    ax.tick_params(labelbottom=lowest, labelleft=leftmost)
    if lowest:
        ax.set_xlabel("number of tokens $n$")


def _system(axes: np.ndarray, table: pd.DataFrame) -> None:
    """Cosines under noise and in the flow, and the minority's sizes."""
    chosen = (table["n"] == SHOWN["n"]) & (table["d"] == SHOWN["d"])
    rows = table[chosen & (table["beta"] == SHOWN["beta"])]
    for ax, dynamics in zip(axes, DYNAMICS, strict=False):
        pairs = rows[(rows["quantity"] == "cosine") & (rows["dynamics"] == dynamics)]
        mesh = _density(ax, pairs)
        plotstyle.note(ax, dynamics, "upper left")
    _scale(axes[1], mesh)
    axes[0].set_ylabel(r"cosine $\langle x_i, x_j\rangle$")
    sizes = rows[(rows["quantity"] == "minority") & (rows["dynamics"] == "noise")]
    for rank, depth in enumerate(DEPTHS[:3]):
        part = sizes[sizes["t"] == depth]
        look = _shade(plotstyle.SERIES[0], rank, 3)
        _points(axes[2], part["value"] + 0.008 * (rank - 1), part, look, label=f"t = {depth:g}")
    axes[2].set_xlabel("minority share k/n")
    axes[2].set_ylabel("share of antipodal runs")
    axes[2].set_xlim(0, 0.53)
    axes[2].set_ylim(bottom=0)
    axes[2].legend(loc="upper left")


def _density(ax: Axes, pairs: pd.DataFrame) -> QuadMesh:
    grid = pairs.pivot(index="value", columns="t", values="share")
    mesh = ax.pcolormesh(
        grid.columns,
        grid.index,
        grid,
        norm=LogNorm(1e-3, 1.0, clip=True),
        cmap="viridis",
        shading="nearest",
        rasterized=True,
    )
    ax.set_xscale("log")
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.set_xlabel(r"depth $t$")
    return mesh


def _scale(ax: Axes, mesh: QuadMesh) -> None:
    """The colours' scale, in the dark corner of the panel."""
    inner = ax.inset_axes((0.56, 0.14, 0.38, 0.05))
    bar = ax.figure.colorbar(mesh, cax=inner, orientation="horizontal", ticks=[1e-3, 1e-2, 0.1, 1])
    bar.set_ticklabels([".001", ".01", ".1", "1"], color="white")
    bar.outline.set_edgecolor("white")
    inner.tick_params(color="white", pad=1)
    inner.minorticks_off()
    inner.set_title("share of pairs a bin", color="white", fontsize=plotstyle.SMALLEST)


def _legend(axes: np.ndarray) -> None:
    for dynamics, look in DYNAMICS.items():
        plotstyle.errorbar(axes[0, 0], [], [], [], look, label=dynamics, joined=True)
    axes[0, 0].legend(loc="lower left")
    for rank, depth in enumerate(DEPTHS):
        shade = _shade(DYNAMICS["noise"], rank, len(DEPTHS))
        plotstyle.errorbar(axes[1, 0], [], [], [], shade, label=f"t = {depth:g}", joined=True)
    axes[1, 0].legend(loc="upper right", ncols=2)
    axes[3, 0].legend(loc="upper right", ncols=2)
