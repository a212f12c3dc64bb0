"""Fig. 1: components of the tokens of one run over depth, without attention."""

import matplotlib
import pandas as pd
from matplotlib.figure import Figure

from deeplimits import plotstyle

TABLES = ("trajectories",)
CAPTION = (
    "Fig. 1 of agazzi2026: first two components of the tokens over depth, one run an activation, "
    "without attention and without bias; the colour of a token is the rank of its start. ReLU "
    "draws the tokens towards one moving point; tanh is odd and draws them towards two opposite "
    "points. With exponents λ₁ of −0.125 and −0.171 neither has to be complete at T = 20. N = 64, "
    "d = 4, L = 2000, T = 20 and m = 2048 are the paper's; the start (uniform), the seed and the "
    "layout are our choice."
)
NAMES = {"relu": "ReLU", "tanh": "tanh"}


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """One row an activation, one column a component, one line a token."""
    table = tables["trajectories"]
    activations = sorted(table["activation"].unique())
    figure, axes = plotstyle.subplots(
        len(activations), 2, width=plotstyle.PAGE, height=3.6, sharex=True, sharey=True
    )
    for panels, activation in zip(axes, activations, strict=True):
        run = table[table["activation"] == activation]
        for ax, component in zip(panels, ("x1", "x2"), strict=True):
            lines = run.pivot(index="t", columns="token", values=component)
            # The colour tells where a token started, so that merging is seen.
            colors = matplotlib.colormaps["cividis"](lines.iloc[0].rank(pct=True).to_numpy())
            for token, color in zip(lines.columns, colors, strict=True):
                ax.plot(
                    lines.index, lines[token], color=color, linestyle="-", linewidth=0.5, alpha=0.8
                )
            ax.set_ylim(-1.05, 1.05)
            ax.set_xlim(0, lines.index.max())
            ax.set_ylabel(f"component $x_{component[1]}$")
            ax.set_title(f"{NAMES.get(activation, activation)}")
    for ax in axes[-1]:
        ax.set_xlabel(r"depth $t = \ell\,\Delta t$")
    return figure
