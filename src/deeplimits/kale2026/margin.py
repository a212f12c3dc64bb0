"""The exact margin γ = max_{|u|=1} min_i ⟨z_i, u⟩ of a data set, with a certificate.

By duality γ is the norm of the point of conv{z_i} nearest to 0. Any u bounds γ from below, any
convex combination from above, so the two together prove the value up to their gap; a convex
combination equal to 0 proves that no plane through the origin separates the set.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

ACCURACY = 1e-9
"""Largest accepted relative gap between the two bounds of a margin."""

ZERO = 1e-9
"""A convex combination of points shorter than this, relative to the largest point, counts as 0."""


@dataclass(frozen=True)
class Margin:
    """A proved margin: `lower` ≤ γ ≤ `upper`.

    Attributes
    ----------
    direction
        (d,), the unit vector u with min_i ⟨z_i, u⟩ = lower.
    weights
        (n,), the convex combination p with |Σ p_i z_i| = upper; positive on support points.
    """

    lower: float
    upper: float
    direction: np.ndarray
    weights: np.ndarray

    @property
    def gamma(self) -> float:
        """γ, from below: what `direction` attains."""
        return self.lower


class NotSeparableError(ValueError):
    """No plane through the origin separates the set; `weights` is the proof.

    Attributes
    ----------
    weights
        (n,), a convex combination p with Σ p_i z_i = 0 up to `ZERO`.
    """

    def __init__(self, name: str, weights: np.ndarray, length: float) -> None:
        super().__init__(
            f"{name}: no plane through the origin separates the two classes; a convex combination "
            f"of {np.count_nonzero(weights)} of the points y x has length {length:.1e}"
        )
        self.weights = weights


def solve(z: np.ndarray, name: str = "data set") -> Margin:
    """Return the margin of the points z_i = y_i x_i, (n, d), proved to `ACCURACY`.

    Raises
    ------
    NotSeparableError
        If no plane through the origin separates them; it carries the certificate.
    ArithmeticError
        If rounding leaves neither the margin nor the absence of one proved.
    """
    scale = float(np.linalg.norm(z, axis=1).max())
    if scale == 0:
        raise NotSeparableError(name, np.full(len(z), 1 / len(z)), 0.0)
    weights = _nearest_combination(z / scale)
    upper = float(np.linalg.norm(weights @ z))
    if upper <= ZERO * scale:
        raise NotSeparableError(name, weights, upper)
    direction = _equal_margins(z[weights > 0])
    lower = float((z @ direction).min())
    if not upper - lower <= ACCURACY * upper:
        raise ArithmeticError(f"{name}: its margin is only known to lie in [{lower}, {upper}]")
    return Margin(lower, upper, direction, weights)


def _nearest_combination(z: np.ndarray) -> np.ndarray:
    """Weights p of the point of conv{z_i} nearest to 0, by nonnegative least squares.

    min |Σ q_i z_i|² + (1 − Σ q_i)² over q ≥ 0 is solved by a multiple of p: for q = sp it is
    s²|Σ p_i z_i|² + (1 − s)², least where |Σ p_i z_i| is.
    """
    q, _ = nnls(np.vstack([z.T, np.ones(len(z))]), np.append(np.zeros(z.shape[1]), 1.0))
    return q / q.sum()


def _equal_margins(support: np.ndarray) -> np.ndarray:
    """Return the unit vector in the span of the support points that gives them equal margins.

    It is that of Σ p_i z_i, but for a small margin γ rounded less, by 1/γ times.
    """
    v, *_ = np.linalg.lstsq(support, np.ones(len(support)), rcond=None)
    return v / np.linalg.norm(v)
