"""Gaussian vectors whose covariance is a Gram matrix, cheaply and through loss of rank.

A layer with random Gaussian weights applies one random matrix to all tokens. Its outputs are
jointly Gaussian given its inputs, with the Gram matrix of the inputs as covariance between tokens,
so it suffices to draw one normal per token and output from a factor of that matrix. As tokens
merge (or become antipodal) the matrix turns singular. The factors here take out token 0 exactly
and round only relative to what is left, so that the separations within one cluster, or within a
pair of antipodal clusters, keep their law down to separations of the order of the rounding unit.
"""

import math

import numpy as np

JITTER = 1e-13
"""Added variance of each token's remainder, relative to the largest one.

It keeps Cholesky from breaking down on singular matrices, and changes the variance of the
difference of two tokens by at most 2·JITTER times the largest remainder.
"""

NORMAL_COST = 300
"""Time to draw one normal, in floating-point operations of a matrix product (measured: 10 ns)."""


class Scratch:
    """Named arrays that are reused from call to call; what they hold before is arbitrary.

    Fresh large arrays cost a page fault every 4 KiB, as much as the arithmetic done on them here.
    An array is valid until the next request of the same name; not for use from two threads.
    """

    def __init__(self) -> None:
        self._flat: dict[str, np.ndarray] = {}

    def __call__(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """Return the float64 array `name`, of the given shape, C-contiguous."""
        size = math.prod(shape)
        if name not in self._flat or self._flat[name].size < size:
            self._flat[name] = np.empty(size)
        return self._flat[name][:size].reshape(shape)


def random_linear(
    rng: np.random.Generator,
    features: np.ndarray,
    bias: float,
    out: np.ndarray,
    scratch: Scratch,
) -> None:
    """Draw A Wᵀ + σ 1bᵀ in law, W (columns × p) and b (columns) of independent N(0, 1) entries.

    Where N < p it is cheaper to draw N instead of p normals per column and correlate them by a
    factor of A Aᵀ + σ² 11ᵀ, unless there are few columns to share the factorisation.

    Parameters
    ----------
    rng
        Source of the draws, independent over the leading index.
    features
        A, of shape (R, N, p).
    bias
        σ ≥ 0, the standard deviation of the bias that all N rows share.
    out
        Where the draw goes, of shape (R, N, columns).
    scratch
        Working arrays; uses the names "normals" and "rest".
    """
    replicas, n, p = features.shape
    columns = out.shape[-1]
    saved = columns * (p - n) * (NORMAL_COST + 2 * n)
    if saved > n * n * (p + n):
        normals = rng.standard_normal(out=scratch("normals", out.shape))
        np.matmul(feature_factor(features, bias, scratch), normals, out=out)
        return
    normals = rng.standard_normal(out=scratch("normals", (replicas, p, columns)))
    np.matmul(features, normals, out=out)
    if bias > 0:
        out += bias * rng.standard_normal((replicas, 1, columns))


def feature_factor(features: np.ndarray, bias: float, scratch: Scratch) -> np.ndarray:
    """Lower triangular F with F Fᵀ = A Aᵀ + σ² 11ᵀ, for features A (..., N, p): (..., N, N).

    One Gram–Schmidt step on row 0 (the bias counts as one more column of A), then a factor of the
    Gram matrix of what is orthogonal to it. Our construction.
    """
    reference = features[..., :1, :]
    norm = np.sqrt(np.einsum("...i,...i->...", reference, reference)[..., None] + bias * bias)
    inverse = 1.0 / np.where(norm > 0, norm, 1.0)  # a zero row has no direction to take out
    along = (features @ np.swapaxes(reference, -1, -2) + bias * bias) * inverse
    share = along * inverse
    share[..., 0, :] = 1.0  # exactly, so that nothing is left of row 0
    rest = np.multiply(share, reference, out=scratch("rest", features.shape))
    np.subtract(features, rest, out=rest)
    remainder = rest @ np.swapaxes(rest, -1, -2)
    if bias > 0:
        rest_of_bias = bias * (1.0 - share)
        remainder += rest_of_bias * np.swapaxes(rest_of_bias, -1, -2)
    return _with_first_column(along, _root(remainder))


def gap_factor(variance: float, gaps: np.ndarray) -> np.ndarray:
    """Lower triangular F with F Fᵀ = K, for K_ij = κ₁ − Γ_ij given by its gaps Γ (..., N, N).

    The gaps are zero on the diagonal. Token 0 is taken out by the Schur complement, in terms of
    the gaps: K_ij − K_i0 K_0j/κ₁ = Γ_i0 + Γ_0j − Γ_ij − Γ_i0 Γ_0j/κ₁. Our construction.
    """
    g = gaps[..., :, :1]
    g_t = np.swapaxes(g, -1, -2)
    along = (variance - g) / np.sqrt(variance)
    return _with_first_column(along, _root(g + g_t - gaps - g * (g_t / variance)))


def _with_first_column(column: np.ndarray, factor: np.ndarray) -> np.ndarray:
    """Put token 0, whose row and column of the remainder are zero, back into the factor."""
    factor[..., :1] = column
    return factor


def _root(matrix: np.ndarray) -> np.ndarray:
    """Lower triangular B with B Bᵀ = `matrix` (overwritten) + jitter, for (..., n, n) ≥ 0.

    Cholesky; where rounding has left an eigenvalue below −jitter, eigenvalues clipped at 0.
    """
    diagonal = np.einsum("...ii->...i", matrix)
    diagonal += JITTER * diagonal.max(axis=-1, keepdims=True) + np.finfo(float).tiny
    try:
        return np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(matrix)
        root = vectors * np.sqrt(np.maximum(values, 0.0))[..., None, :]
        return np.swapaxes(np.linalg.qr(np.swapaxes(root, -1, -2), mode="r"), -1, -2)
