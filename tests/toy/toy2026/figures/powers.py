"""Powers against the factor."""

import pandas as pd
from matplotlib.figure import Figure

from deeplimits import plotstyle

TABLES = ("powers",)
CAPTION = "Powers."


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Draw the powers."""
    figure, panels = plotstyle.subplots(1, 1, width=plotstyle.COLUMN, height=2.0)
    panels[0, 0].plot(tables["powers"]["factor"], tables["powers"]["value"], "o")
    return figure
