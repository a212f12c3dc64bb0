"""The Gram chain: the model with Gaussian V at a cost that does not depend on d.

The inner products of the n tokens are a Markov chain. It is carried by tokens in k = min(n, d)
coordinates, arrays (R, n, k) whose inner products are those of the tokens in R^d. Of V, k rows act
in the span of the tokens, a k×k Gaussian matrix; of the other d − k rows only the Gram matrix
matters, a Wishart_k(d−k) matrix, drawn as a trapezoid by Bartlett's decomposition. An orthogonal
triangularisation brings the k + min(k, d−k) coordinates back to k. No Gram matrix is ever
factored, so that merged or antipodal tokens do no harm: positions carry an absolute error of the
rounding unit, 1 ∓ cos of its square. For n ≥ d nothing is to be saved, and V itself is drawn.
Our derivation.
"""

from dataclasses import dataclass

import numpy as np

from deeplimits import sphere
from deeplimits.fedorov2026 import checks
from deeplimits.fedorov2026.layer import TokenLayer

FEW = 8
"""Up to so many tokens replicas are neighbours in memory, and loops over tokens replace LAPACK."""


@dataclass(frozen=True, kw_only=True)
class GramLayer(TokenLayer):
    """x_i ← LN(x_i + aΔt m_i + σ√Δt V m_i), Gaussian V in R^d, on tokens (R, n, min(n, d)).

    Attributes
    ----------
    d
        Dimension, at least 2.
    """

    d: int

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.dimension(self.d)

    def __call__(self, rng: np.random.Generator, x: np.ndarray) -> np.ndarray:
        """Return the tokens after the layer, up to an orthogonal map.

        Raises
        ------
        ValueError
            If the tokens do not come in min(n, d) coordinates.
        """
        n, k = x.shape[1:]
        if k != min(n, self.d):
            raise ValueError(f"d = {self.d}: {n} tokens need min(n, d) coordinates, got {k}")
        multiply = _multiply_few if n <= FEW else np.matmul
        means = multiply(self.weights(multiply(x, np.swapaxes(x, 1, 2))), x)
        base = x + self.drift * self.dt * means if self.drift else x
        if self.sigma == 0:
            return sphere.normalize(base)
        y = multiply(means, np.swapaxes(self._values(rng, len(x), n, k), 1, 2))
        y *= self.amplitude
        y[..., :k] += base
        if self.d > n:
            y = _triangular(y)
        return sphere.normalize(y, out=y)

    def _values(self, rng: np.random.Generator, replicas: int, n: int, k: int) -> np.ndarray:
        """V on the span of the tokens: its k rows there, then a factor of its d − k other rows."""
        V = _zeros(replicas, k + min(k, self.d - k), k, few=n <= FEW)
        V[:, :k] = _normals(rng, V[:, :k].shape, few=n <= FEW)
        _fill_bartlett(rng, V[:, k:], self.d - k)
        return V


def uniform(rng: np.random.Generator, replicas: int, n: int, d: int) -> np.ndarray:
    """Coordinates (R, n, min(n, d)) of n independent uniform points on S^{d−1}, R = `replicas`.

    Raises
    ------
    ValueError
        For d < 2.
    """
    checks.dimension(d)
    factor = _zeros(replicas, min(n, d), n, few=n <= FEW)
    _fill_bartlett(rng, factor, d)
    return sphere.normalize(np.swapaxes(factor, 1, 2))


def coordinates(x: np.ndarray) -> np.ndarray:
    """Tokens (R, n, d) in min(n, d) coordinates, with the same inner products."""
    if x.shape[2] > x.shape[1]:
        return _triangular(x)
    result = _zeros(*x.shape, few=x.shape[1] <= FEW)
    result[...] = x
    return result


def _fill_bartlett(rng: np.random.Generator, out: np.ndarray, degrees: int) -> None:
    """Fill zeros (R, min(k, ν), k) with F, upper trapezoidal, such that FᵀF is Wishart_k(ν).

    F is the triangular factor of a ν×k Gaussian matrix: F_ii is χ with ν − i degrees of freedom,
    the entries to the right of the diagonal are normal (Bartlett's decomposition).
    """
    replicas, rows, columns = out.shape
    for i in range(rows):
        out[:, i, i] = np.sqrt(rng.chisquare(degrees - i, replicas))
        out[:, i, i + 1 :] = _normals(rng, (replicas, columns - i - 1), few=columns <= FEW)


def _triangular(y: np.ndarray) -> np.ndarray:
    """Lower triangular L (R, n, n) with L Lᵀ = Y Yᵀ, for Y (R, n, m), n ≤ m.

    Both methods have a backward error of the rounding unit in every row, whatever the rank
    (Björck 1967, "Solving linear least squares problems by Gram–Schmidt orthogonalization").
    """
    n = y.shape[1]
    if n > FEW:
        return np.swapaxes(np.linalg.qr(np.swapaxes(y, 1, 2), mode="r"), 1, 2)
    rest = y.copy(order="K")
    L = _zeros(len(y), n, n, few=True)
    for i in range(n):
        pivot, later = rest[:, i], rest[:, i + 1 :]
        square = np.einsum("rk,rk->r", pivot, pivot)
        L[:, i, i] = np.sqrt(square)
        # A row that nothing is left of takes nothing out of later ones.
        inner = np.einsum("rjk,rk->rj", later, pivot) / np.where(square > 0, square, 1.0)[:, None]
        L[:, i + 1 :, i] = inner * L[:, i, i, None]
        later -= inner[..., None] * pivot[:, None]
    return L


def _multiply_few(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A B for many small matrices (R, ·, ·), fast where R runs fastest in memory."""
    return np.einsum("rij,rjk->rik", a, b)


def _normals(rng: np.random.Generator, shape: tuple[int, ...], *, few: bool) -> np.ndarray:
    """Independent normals of shape (R, …), in the memory order of `few` tokens or of many."""
    if not few:
        return rng.standard_normal(shape)
    return np.moveaxis(rng.standard_normal((*shape[1:], shape[0])), -1, 0)


def _zeros(replicas: int, rows: int, columns: int, *, few: bool) -> np.ndarray:
    """Zeros (R, rows, columns) in the same memory orders."""
    if not few:
        return np.zeros((replicas, rows, columns))
    return np.moveaxis(np.zeros((rows, columns, replicas)), -1, 0)
