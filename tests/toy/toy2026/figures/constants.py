"""Constants."""

import pandas as pd
from matplotlib.figure import Figure

from deeplimits import plotstyle

TABLES = ("constants",)
CAPTION = "Constants."


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Draw the constants."""
    figure, ax = plotstyle.subplots(plotstyle.COLUMN, 2.0)
    ax.plot(tables["constants"]["factor"], tables["constants"]["value"], "o")
    return figure
