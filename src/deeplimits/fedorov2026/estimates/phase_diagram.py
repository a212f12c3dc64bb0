"""Frequencies of outcomes over d and β, and where theory puts the transition and its contours."""

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from deeplimits.fedorov2026 import frequencies, theory
from deeplimits.schema import Column

KEY = frequencies.KEY
COLUMNS = (
    *frequencies.COLUMNS,
    Column("beta_01", "float64", "1", "β where p = .01, if there is one", nullable=True),
    Column("beta_10", "float64", "1", "β where p = .1, if there is one", nullable=True),
)

_LARGEST = 50.0  # β, where p is that of β → ∞ for all practical d


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a model and start."""
    steps = ((table["d"] - 1) * table["t"] / table["layer"]).round(12)
    rows = frequencies.rows(table.assign(epsilon=steps))
    lines = pd.DataFrame(
        {
            "d": d,
            "rho0": rho0,
            "beta_01": contour(d, rho0, 0.01),
            "beta_10": contour(d, rho0, 0.1),
        }
        for d, rho0 in rows[["d", "rho0"]].drop_duplicates().itertuples(index=False)
    )
    return rows.merge(lines, on=["d", "rho0"])[[column.name for column in COLUMNS]]


def contour(d: int, rho0: float, share: float) -> float:
    """Return the β at which p(ρ₀; β, d) = share, NaN if p is larger or smaller at every β.

    p grows with β, from 0 at β* if d ≥ 3.
    """

    def excess(beta: float) -> float:
        return float(theory.antipodal_probability(beta, d, rho0)) - share

    lowest = theory.critical_beta(d)
    if excess(lowest) > 0 or excess(_LARGEST) < 0:
        return np.nan
    return brentq(excess, lowest, _LARGEST)
