"""What the tokens have formed: one cluster, two antipodal clusters, or neither yet.

The tolerance in the cosine is stated with every result that uses it. Our protocol: the abstract of
arXiv 2601.21942 speaks of antipodal formations and gives no criterion.
"""

from typing import NamedTuple

import numpy as np

UNDECIDED, ONE_CLUSTER, ANTIPODAL = 0, 1, 2
"""Values of `Formation.outcome`."""
OUTCOMES = ("undecided", "one cluster", "antipodal")
"""Their names, in this order."""
TOLERANCE = 0.1


class Formation(NamedTuple):
    """What each replica has formed, integer arrays (R,).

    Attributes
    ----------
    outcome
        `UNDECIDED`, `ONE_CLUSTER` or `ANTIPODAL`.
    minority
        min(k, n − k), with k tokens on the side of the first token, ⟨x_1, x_j⟩ ≥ 0; the size of
        the smaller cluster where the outcome is decided, hence 0 for one cluster.
    """

    outcome: np.ndarray
    minority: np.ndarray


def classify(gram: np.ndarray, tolerance: float = TOLERANCE) -> Formation:
    """Classify replicas by the cosines of all pairs of tokens.

    One cluster: all ⟨x_i, x_j⟩ ≥ 1 − `tolerance`. Antipodal: all |⟨x_i, x_j⟩| ≥ 1 − `tolerance`,
    and not one cluster.

    Parameters
    ----------
    gram
        Gram matrices of the tokens, (R, n, n), n ≥ 2.
    tolerance
        In (0, ½): with a larger one the signs of the cosines need not divide the tokens in two.

    Raises
    ------
    ValueError
        If the tolerance is out of its range or there are no two tokens.
    """
    if not 0 < tolerance < 0.5:
        raise ValueError(f"tolerance must lie between 0 and 0.5, got {tolerance}")
    n = gram.shape[-1]
    if n < 2:
        raise ValueError(f"a formation needs two tokens or more, got {n}")
    together = gram.min(axis=(1, 2)) >= 1.0 - tolerance
    axial = np.abs(gram).min(axis=(1, 2)) >= 1.0 - tolerance
    outcome = np.where(together, ONE_CLUSTER, np.where(axial, ANTIPODAL, UNDECIDED))
    side = np.count_nonzero(gram[:, 0] >= 0, axis=1)
    return Formation(outcome, np.minimum(side, n - side))
