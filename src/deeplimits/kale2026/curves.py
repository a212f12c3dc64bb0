"""Curves of ln L over many runs: bands, the law beside them, and how polynomial the decay looks.

The local order of a decay is k(t) = (ln L(t/10) − ln L(t))/ln 10, taken over the decade before t:
constant for L ~ t^{−k}; for ln L ~ −t^a it grows by 10^a a decade. The contrast
k(t) − `GROWTH` k(t/10) is therefore negative for a polynomial, and positive for a stretched
exponential with a > log₁₀ GROWTH = .18; the law's own a is above 1/3.
"""

import numpy as np
import pandas as pd

from deeplimits import stats
from deeplimits.kale2026 import theory
from deeplimits.schema import Column

GROWTH = 1.5
REACHED = 0.9
"""Share of the law's −ln L at which a run counts as having followed it."""
BEHIND = 0.5
"""Share below which it counts as left behind."""
BAND = (0.05, 0.95)

COLUMNS = (
    Column("t", "int64", "1", "iteration"),
    Column("runs", "int64", "1", "number of runs"),
    Column("median", "float64", "1", "median of ln L(w_t) over runs"),
    Column("low", "float64", "1", "5% quantile"),
    Column("high", "float64", "1", "95% quantile"),
    Column("worst", "float64", "1", "largest ln L(w_t) of all runs"),
    Column("law", "float64", "1", "y(t) of y + y³/6 = γ²t, predicted −ln L of the schedule"),
    Column("reached", "int64", "1", "runs with −ln L ≥ .9 y"),
    Column("behind", "int64", "1", "runs with −ln L < .5 y"),
    Column("order", "float64", "1", "mean of k(t) over runs", nullable=True),
    Column("order_se", "float64", "1", "its standard error; none for one run", nullable=True),
    Column("law_order", "float64", "1", "k(t) of the law", nullable=True),
    Column("contrast", "float64", "1", "mean over runs of k(t) − 1.5 k(t/10)", nullable=True),
    Column("contrast_se", "float64", "1", "its standard error", nullable=True),
)


def summarize(runs: pd.DataFrame, gamma: float) -> pd.DataFrame:
    """Return one row an iteration of the runs of one rule on one set, in columns `COLUMNS`.

    `runs` has the columns replica, t and log_loss, with the same t for every replica.
    """
    matrix = runs.pivot(index="replica", columns="t", values="log_loss")
    t = matrix.columns.to_numpy(dtype=np.float64)
    log_loss = matrix.to_numpy()
    law = theory.decay(gamma, t)
    order = local_order(t, log_loss)
    contrast = order - GROWTH * _decade_before(t, order)
    order_mean, order_se = _mean(order)
    contrast_mean, contrast_se = _mean(contrast)
    low, median, high = np.quantile(log_loss, (BAND[0], 0.5, BAND[1]), axis=0)
    return pd.DataFrame(
        {
            "t": matrix.columns.to_numpy(),
            "runs": len(log_loss),
            "median": median,
            "low": low,
            "high": high,
            "worst": log_loss.max(axis=0),
            "law": law,
            "reached": np.count_nonzero(-log_loss >= REACHED * law, axis=0),
            "behind": np.count_nonzero(-log_loss < BEHIND * law, axis=0),
            "order": order_mean,
            "order_se": order_se,
            "law_order": local_order(t, -law[np.newaxis])[0],
            "contrast": contrast_mean,
            "contrast_se": contrast_se,
        }
    )


def local_order(t: np.ndarray, log_loss: np.ndarray) -> np.ndarray:
    """Return k(t) of curves (runs, K) recorded at t (K,); NaN where t/10 is before the first."""
    return (_decade_before(t, log_loss) - log_loss) / np.log(10)


def _decade_before(t: np.ndarray, curves: np.ndarray) -> np.ndarray:
    """The curves at t/10, linear in ln t between records; NaN before the first."""
    x = np.log(t)
    earlier = x - np.log(10)
    # t/10 of the first decade's end is the first record, up to rounding.
    earlier = np.where(np.isclose(earlier, x[0], atol=1e-12), x[0], earlier)
    return np.stack([np.interp(earlier, x, curve, left=np.nan) for curve in curves])


def _mean(samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean over runs and its standard error, NaN for a single run."""
    if len(samples) == 1:
        return samples[0], np.full(samples.shape[1], np.nan)
    return stats.mean(samples)
