"""When SGD with the step 1/ℓ of the one sample drawn runs away, and how fast: our derivation.

A sample with a large positive margin moves w by z_i, since σ(−m)/ℓ(m) → 1; one with a large
negative margin moves it by z_i/|m|, next to nothing. So while the points of a set A are far on the
wrong side, w drifts along v = (1/n) Σ_{i∉A} z_i, and that state sustains itself if A is what v
misclassifies: A = {i : ⟨z_i, v⟩ < 0}. The margins in A then fall linearly and the loss rises as
L ≈ rt with r = (1/n) Σ_{i∈A} |⟨z_i, v⟩|. With A empty, v is the mean z̄ of all points and
−ln L ≈ t min_i ⟨z_i, z̄⟩.
"""

import numpy as np


def speed(z: np.ndarray) -> float:
    """Return min_i ⟨z_i, z̄⟩ of points (n, d): the rate of −ln L if it is positive."""
    return float((z @ z.mean(axis=0)).min())


def runaway_rate(z: np.ndarray, wrong: np.ndarray) -> float:
    """Return r of the runaway to which a set A leads, by A → {i : ⟨z_i, v(A)⟩ < 0}; 0 if none.

    Parameters
    ----------
    z : ndarray
        (n, d).
    wrong : ndarray of bool
        (n,), the set A to start from, such as the points that an iterate misclassifies.
    """
    for _ in range(len(z)):
        products = z @ ((~wrong) @ z) / len(z)
        now = products < 0
        if np.array_equal(now, wrong):
            return float(np.maximum(-products, 0.0).mean())
        wrong = now
    return 0.0
