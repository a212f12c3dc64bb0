"""Fig. 3: cosines and energy over depth, an MLP with SiLU."""

import pandas as pd
from matplotlib.figure import Figure

from deeplimits.agazzi2026 import panels

TABLES = ("synchronization_estimates",)
CAPTION = (
    "Fig. 3 of agazzi2026 (SiLU): pairwise cosines and energy E_β of the tokens over depth, one "
    "row a d and bias σ = σ_U = σ_W, one column an attention scale a. Blue: mean over runs ± 1.96 "
    "standard errors, and the 5–95% range of the pairs of all runs. Red: mean of E_β over runs ± "
    "1.96 standard errors, taken on the logarithm. Black: the slope of log E_β predicted near "
    "synchrony, twice the top Lyapunov exponent of noise and attention at this Δt. N = 64, L = "
    "150, T = 5 and β = 1 are the paper's; m = 512, the number of runs, the bands and the layout "
    "are our choice, because the paper does not state them."
)


def draw(tables: dict[str, pd.DataFrame]) -> Figure:
    """Draw the panels of this activation."""
    return panels.draw(tables["synchronization_estimates"], "silu")
