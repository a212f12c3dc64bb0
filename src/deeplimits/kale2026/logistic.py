"""The logistic loss ℓ(m) = log(1 + e^{−m}) of one sample with margin m, however large m is.

ℓ(m), −ℓ′(m) = σ(−m) and ℓ″(m) = σ(m)σ(−m) fall as e^{−m} and exist beyond m = 745 only as
logarithms. From m = `TAIL` on they equal e^{−m} to rounding, so that ℓ(m) = e^{−c} ℓ(m − c) for
every c that leaves m − c ≥ `TAIL`. Subtracting the c of the least margin of a data set (`excess`)
and carrying −c beside the result keeps relative accuracy at every depth, for one exponential a
sample. A margin of +∞ stands for an absent sample: it contributes 0.
"""

import numpy as np
from scipy.special import log1p  # half the time of numpy's

TAIL = 40.0
"""Margin from which on ℓ, σ(−m) and ℓ″ equal e^{−m} up to a factor 1 ± e^{−40} = 1 ± 4e-18."""


def excess(least: np.ndarray) -> np.ndarray:
    """Return c = max(m − TAIL, 0): what margins of `least` or more can be reduced by."""
    return np.maximum(least - TAIL, 0.0)


def loss_and_slope(m: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return ℓ(m) and −ℓ′(m) = σ(−m), with relative accuracy for m < 700."""
    e = np.exp(-np.abs(m))
    loss, slope = log1p(e), e / (1.0 + e)
    negative = m < 0
    if negative.any():  # once a set is separated this is over
        loss -= np.minimum(m, 0.0)
        slope = np.where(negative, 1.0 - slope, slope)
    return loss, slope


def curvature(m: np.ndarray) -> np.ndarray:
    """Return ℓ″(m) = σ(m)σ(−m), with relative accuracy for m < 700."""
    e = np.exp(-np.abs(m))
    return e / np.square(1.0 + e)


def log_loss_and_slope(m: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return ln ℓ(m) and ln σ(−m) of single samples, for every finite m."""
    near = np.minimum(m, TAIL)
    rest = log1p(np.exp(-np.abs(near)))
    return np.log(np.maximum(-near, 0.0) + rest) + (near - m), -(np.maximum(m, 0.0) + rest)
