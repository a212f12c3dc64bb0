"""Ends of the walks against their drift."""

import pandas as pd
from matplotlib.figure import Figure

from deeplimits import plotstyle

TABLES = ("walks_estimates",)
CAPTION = "Ends of the walks (ours)."


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Draw the mean ends with their errors."""
    figure, panels = plotstyle.subplots(1, 1, width=plotstyle.COLUMN, height=2.0)
    ends = tables["walks_estimates"]
    plotstyle.errorbar(
        panels[0, 0], ends["drift"], ends["end"], ends["end_se"], plotstyle.SERIES[0]
    )
    return figure
