"""The window of b in which λ₁ of swish(b) is positive, for every dimension."""

import numpy as np
import pandas as pd

from deeplimits.schema import Column

KEY = ("d",)
COLUMNS = (
    Column("d", "int64", "1", "dimension of the tokens"),
    Column("b_first", "float64", "1", "smallest b looked at"),
    Column("b_last", "float64", "1", "largest b looked at"),
    Column("opens", "float64", "1", "b above which λ₁ > 0; missing: none", nullable=True),
    Column("closes", "float64", "1", "b above which λ₁ < 0 again; missing: none", nullable=True),
    Column("scaled_max", "float64", "1", "largest d·λ₁ on the grid"),
    Column("b_max", "float64", "1", "the b where it is"),
)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """Ends of the window, by linear interpolation of d·λ₁ in log b between two grid points.

    Raises
    ------
    ValueError
        If the sign changes more often than a window does.
    """
    rows = [_window(d, curve.sort_values("b")) for d, curve in table.groupby("d", sort=True)]
    return pd.DataFrame(rows)[[column.name for column in COLUMNS]]


def _window(d: int, curve: pd.DataFrame) -> dict:
    b, scaled = curve["b"].to_numpy(), curve["scaled_lambda1"].to_numpy()
    rises = np.flatnonzero((scaled[:-1] <= 0) & (scaled[1:] > 0))
    falls = np.flatnonzero((scaled[:-1] > 0) & (scaled[1:] <= 0))
    if scaled[0] > 0 or rises.size > 1:
        raise ValueError(f"d = {d}: λ₁ > 0 is not one window that opens inside the grid")
    most = int(np.argmax(scaled))
    return {
        "d": d,
        "b_first": b[0],
        "b_last": b[-1],
        "opens": _zero(b, scaled, rises),
        "closes": _zero(b, scaled, falls),
        "scaled_max": scaled[most],
        "b_max": b[most],
    }


def _zero(b: np.ndarray, scaled: np.ndarray, before: np.ndarray) -> float:
    """The b of the sign change after index `before`, NaN if there is none."""
    if before.size == 0:
        return np.nan
    i = before[0]
    share = scaled[i] / (scaled[i] - scaled[i + 1])
    return float(b[i] * (b[i + 1] / b[i]) ** share)
