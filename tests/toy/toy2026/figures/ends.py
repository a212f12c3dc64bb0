"""Ends of the walks against their drift."""

import pandas as pd
from matplotlib.figure import Figure

from deeplimits import plotstyle

TABLES = ("walks_estimates",)
CAPTION = "Ends of the walks (ours)."


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Draw the mean ends."""
    figure, ax = plotstyle.subplots(plotstyle.COLUMN, 2.0)
    ax.plot(tables["walks_estimates"]["drift"], tables["walks_estimates"]["end"], "o")
    return figure
