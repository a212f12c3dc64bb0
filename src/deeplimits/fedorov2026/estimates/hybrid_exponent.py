"""Slopes at both ends of the hybrid model, at each step and extrapolated, and predictions."""

import numpy as np
import pandas as pd

from deeplimits import stats
from deeplimits.fedorov2026 import discrete, theory
from deeplimits.schema import Column

MODEL = ["beta", "ratio", "end"]
KEY = (*MODEL, "step")
COLUMNS = (
    Column("beta", "float64", "1", "β"),
    Column("ratio", "float64", "1", "ε²/(2e^{−β})"),
    Column("end", "string", "1", "antipodal, ρ = −1, or consensus, ρ = 1"),
    Column("step", "float64", "1", "e^βΔt; 0: extrapolated from the others"),
    Column("replicas", "int64", "1", "number of pairs at each step"),
    Column("scale", "float64", "1", "2e^{−β} (antipodal) or 2e^β (consensus)"),
    Column("slope", "float64", "1", "slope of log(1 ± ρ), over `scale`"),
    Column("slope_se", "float64", "1", "its standard error"),
    Column("exact", "float64", "1", "what `slope` estimates: the exponent of the discrete chain"),
    Column("limit", "float64", "1", "1 − ratio (antipodal) or ratio − 1, the limit Δt → 0"),
)

DEGREE = 2
"""Degree in the step of the polynomial that extrapolates; less if there are too few steps."""


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and end, and one with step 0 for each model simulated at two steps or more."""
    steps = pd.DataFrame([_step(row) for _, row in table.iterrows()])
    models = steps.groupby(MODEL, sort=True)
    limits = pd.DataFrame([_limit(model) for _, model in models if len(model) > 1])
    result = pd.concat([steps, limits], ignore_index=True)
    return result[[column.name for column in COLUMNS]]


def _step(row: pd.Series) -> dict:
    """The slope in one cell at one end."""
    beta, end = row["beta"], row["end"]
    epsilon = np.sqrt(row["ratio"] * theory.hybrid_threshold(beta))
    limit = {
        "antipodal": theory.hybrid_exponent_antipodal,
        "consensus": theory.hybrid_exponent_consensus,
    }[end](beta, epsilon)
    scale = 2.0 * np.exp(-beta if end == "antipodal" else beta)
    return {
        **row[[*MODEL, "step", "replicas"]],
        "scale": scale,
        "slope": row["mean"] / row["t"] / scale,
        "slope_se": np.sqrt(row["variance"] / row["replicas"]) / row["t"] / scale,
        "exact": getattr(discrete.hybrid_exponents(beta, epsilon, row["dt"]), end) / scale,
        "limit": limit / scale,
    }


def _limit(steps: pd.DataFrame) -> dict:
    """The row at step 0; `exact` is extrapolated alike, to show what that leaves."""
    weights = stats.weights_at_zero(steps["step"], steps["slope_se"], DEGREE)
    return {
        **steps.iloc[0],
        "step": 0.0,
        "slope": weights @ steps["slope"],
        "slope_se": np.sqrt(weights**2 @ steps["slope_se"] ** 2),
        "exact": weights @ steps["exact"],
    }
