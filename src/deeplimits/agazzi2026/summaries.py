"""What an experiment keeps of the tokens at one depth: pairwise cosines and energy."""

import numpy as np

from deeplimits import sphere
from deeplimits.agazzi2026 import energy
from deeplimits.schema import Column

LEVELS = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
"""Levels of the recorded quantiles of the pairwise cosines."""


def quantile_name(level: float) -> str:
    """Column name of a quantile of the pairwise cosines."""
    return f"cosine_q{round(100 * level):02d}"


COLUMNS = (
    Column("gap", "float64", "1", "mean of 1 − ⟨x_i, x_j⟩ over the pairs i < j"),
    Column("axial_gap", "float64", "1", "mean of 1 − |⟨x_i, x_j⟩| over the pairs i < j"),
    Column("energy", "float64", "1", "E_β of the tokens' empirical measure"),
    *(
        Column(quantile_name(level), "float64", "1", f"{level:.0%} quantile of the cosines")
        for level in LEVELS
    ),
)


def summarize(x: np.ndarray, beta: float) -> dict[str, np.ndarray]:
    """Statistics of the N(N−1)/2 pairs of each replica.

    Parameters
    ----------
    x
        Unit tokens (R, N, d).
    beta
        β of the energy E_β.

    Returns
    -------
    dict
        The `COLUMNS` as arrays of length R. The mean gap and the energy are free of cancellation as
        the tokens synchronize; the axial gap, small for tokens near ±v, is so to 1e-16. Quantiles
        are linear between order statistics.
    """
    pairs = sphere.upper(sphere.gaps(x))
    quantiles = energy.quantiles(1.0 - pairs, LEVELS)
    return {
        "gap": pairs.mean(axis=-1),
        "axial_gap": np.minimum(pairs, 2.0 - pairs).mean(axis=-1),
        "energy": energy.energy(pairs, x.shape[-2], beta),
        **{quantile_name(level): quantiles[:, index] for index, level in enumerate(LEVELS)},
    }
