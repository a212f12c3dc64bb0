"""Separable logistic regression: L(w) = (1/n) Σ_i log(1 + e^{−⟨z_i, w⟩}), z_i = y_i x_i.

Labels enter only through z_i. Arrays are batched: P data sets of n points in R^d, padded to common
n and d, and S runs on each; weights w have the shape (P, S, d). All that falls with the loss is
kept as a logarithm, right to rounding of the margins for losses from 1 down to e^{−10⁶} and beyond.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from deeplimits.kale2026 import logistic

DENSE = 128
"""Largest matrix whose eigenvalues are computed all at once; Lanczos takes over beyond."""


@dataclass(frozen=True)
class Gradient:
    """∇L = −e^{log_scale} · direction, which holds gradients far below the smallest double.

    Attributes
    ----------
    log_scale
        (P, S).
    direction
        (P, S, d).
    """

    log_scale: np.ndarray
    direction: np.ndarray

    @cached_property
    def log_norm(self) -> np.ndarray:
        """Logarithm of |∇L|, (P, S)."""
        return self.log_scale + np.log(norm(self.direction))

    def displacement(self, log_step: np.ndarray) -> np.ndarray:
        """−η∇L for ln η in the shape (P, S)."""
        return np.exp(log_step + self.log_scale)[..., np.newaxis] * self.direction


class Problems:
    """P data sets side by side.

    Parameters
    ----------
    sets : sequence of ndarray
        Each (n, d), the points z_i = y_i x_i of one set; n and d may differ between sets.

    Attributes
    ----------
    points : ndarray
        (P, n, d), padded with zeros.
    counts : ndarray
        (P,), the number of true points of each set.

    Raises
    ------
    ValueError
        If there is no set, or a set is empty, not two-dimensional or not finite.
    """

    def __init__(self, sets: Sequence[np.ndarray]) -> None:
        if not sets:
            raise ValueError("at least one data set is needed")
        for index, z in enumerate(sets):
            if z.ndim != 2 or 0 in z.shape or not np.all(np.isfinite(z)):
                raise ValueError(f"data set {index} must be a finite, non-empty (n, d) array")
        self.counts = np.array([len(z) for z in sets])
        self.points = np.zeros((len(sets), self.counts.max(), max(z.shape[1] for z in sets)))
        for row, z in zip(self.points, sets, strict=True):
            row[: z.shape[0], : z.shape[1]] = z
        self._log_counts = np.log(self.counts)[:, np.newaxis]
        self._columns = np.ascontiguousarray(np.swapaxes(self.points, 1, 2))
        absent = np.arange(self.points.shape[1]) >= self.counts[:, np.newaxis]
        self._padding = np.where(absent, np.inf, 0.0)[:, np.newaxis, :] if absent.any() else None

    def __len__(self) -> int:
        return len(self.points)

    @property
    def dimension(self) -> int:
        """d, the largest of all sets."""
        return self.points.shape[2]

    def margins(self, w: np.ndarray) -> np.ndarray:
        """⟨z_i, w⟩, (P, S, n); +∞ for padding."""
        m = w @ self._columns
        return m if self._padding is None else m + self._padding

    def loss_and_gradient(self, m: np.ndarray) -> tuple[np.ndarray, Gradient]:
        """Return ln L and ∇L at the margins m (P, S, n)."""
        c = logistic.excess(m.min(axis=-1))
        loss, slope = logistic.loss_and_slope(m - c[..., np.newaxis])
        log_scale = -c - self._log_counts
        return np.log(loss.sum(axis=-1)) + log_scale, Gradient(log_scale, slope @ self.points)

    def log_loss(self, m: np.ndarray) -> np.ndarray:
        """Return ln L at the margins m (P, S, n); shape (P, S)."""
        c = logistic.excess(m.min(axis=-1))
        loss, _ = logistic.loss_and_slope(m - c[..., np.newaxis])
        return np.log(loss.sum(axis=-1)) - c - self._log_counts

    def log_sharpness(self, m: np.ndarray) -> np.ndarray:
        """Return ln λ_max(∇²L) at the margins m (P, S, n); shape (P, S).

        ∇²L = Zᵀ diag(ℓ″(m)) Z/n. Relative accuracy 1e-8 or better.
        """
        # ℓ″ is largest where |m| is least, and equals e^{−|m|} in both tails.
        size = np.abs(m)
        c = logistic.excess(size.min(axis=-1))
        root = np.sqrt(logistic.curvature(size - c[..., np.newaxis]))
        top = np.empty(c.shape)
        for p, z in enumerate(self.points):
            for s, r in enumerate(root[p]):
                top[p, s] = _largest_singular_value(r[:, np.newaxis] * z)
        return 2.0 * np.log(top) - c - self._log_counts


def norm(w: np.ndarray) -> np.ndarray:
    """Euclidean norm over the last axis."""
    return np.sqrt(np.einsum("...d,...d->...", w, w))


def _largest_singular_value(a: np.ndarray) -> float:
    size = min(a.shape)
    wide = a if len(a) == size else a.T
    if size <= DENSE:
        return float(np.sqrt(np.linalg.eigvalsh(wide @ wide.T)[-1]))
    gram = LinearOperator((size, size), lambda x: wide @ (wide.T @ x), dtype=np.float64)
    # A start fixed in advance keeps the result reproducible.
    top = eigsh(gram, 1, v0=np.ones(size), return_eigenvectors=False)
    return float(np.sqrt(top[0]))
