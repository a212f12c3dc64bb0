"""What is read off the tokens: the interaction energy and the pairwise cosines.

All of it is taken from the gaps 1 − ⟨x_i, x_j⟩ of the N(N−1)/2 pairs (`sphere.gaps`,
`sphere.upper`), so that it keeps its relative precision as the tokens synchronise.
"""

from collections.abc import Sequence

import numpy as np


def energy(pair_gaps: np.ndarray, n: int, beta: float) -> np.ndarray:
    """E_β(μ) = ½ ∬ (e^β − e^{β⟨x,y⟩}) dμ dμ of the empirical law of N tokens (arXiv 2604.26898).

    The pairs (i, i) add nothing, so it is −e^β Σ_{i<j} expm1(−β(1 − ⟨x_i, x_j⟩))/N².

    Parameters
    ----------
    pair_gaps
        1 − ⟨x_i, x_j⟩ for i < j, of shape (..., N(N−1)/2).
    n
        N.
    beta
        β.

    Returns
    -------
    E_β, of shape (...): 0 exactly at full synchronisation.
    """
    return np.exp(beta) * -np.expm1(-beta * pair_gaps).sum(axis=-1) / n**2


def quantiles(values: np.ndarray, levels: Sequence[float]) -> np.ndarray:
    """Quantiles along the last axis, interpolated linearly between the order statistics.

    The definition of `numpy.quantile`, by one sort for all levels: (..., k) to (..., levels).
    """
    ordered = np.sort(values, axis=-1)
    position = np.asarray(levels) * (ordered.shape[-1] - 1)
    below = np.floor(position).astype(int)
    above = np.minimum(below + 1, ordered.shape[-1] - 1)
    fraction = position - below
    return ordered[..., below] * (1.0 - fraction) + ordered[..., above] * fraction
