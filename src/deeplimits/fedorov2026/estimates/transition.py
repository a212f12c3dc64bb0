"""Frequencies of outcomes along β and ρ₀, and exact curves through them."""

import numpy as np
import pandas as pd

from deeplimits.fedorov2026 import frequencies

KEY = frequencies.KEY
COLUMNS = frequencies.COLUMNS

POINTS = 81
"""Points of a curve."""


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a model, start, step and depth; rows with ε = 0 and no runs are the curves."""
    rows = frequencies.rows(table)
    curves = frequencies.theory_rows(curve_points(rows))
    return pd.concat([rows, curves], ignore_index=True)


def curve_points(rows: pd.DataFrame) -> pd.DataFrame:
    """Points (d, β, ρ₀) between the simulated ones: along β for every d and ρ₀, and along ρ₀.

    Only what was simulated at two places or more has a curve.
    """
    along_beta = [
        pd.DataFrame({"d": d, "beta": spaced(part["beta"]), "rho0": rho0})
        for (d, rho0), part in rows.groupby(["d", "rho0"])
    ]
    along_rho0 = [
        pd.DataFrame({"d": d, "beta": beta, "rho0": spaced(part["rho0"])})
        for (d, beta), part in rows.groupby(["d", "beta"])
    ]
    return pd.concat(along_beta + along_rho0).drop_duplicates()


def spaced(values: pd.Series) -> np.ndarray:
    """Evenly spaced points over the range of the values; the value itself where there is one."""
    if values.nunique() == 1:
        return values.unique()
    return np.linspace(values.min(), values.max(), POINTS)
