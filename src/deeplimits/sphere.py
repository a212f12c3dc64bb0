"""Points on the unit sphere S^{d−1} and the distances between them.

Tokens are the rows of an array: (..., N, d) holds N points of R^d for every leading index. Near
synchrony a cosine u carries no information in floating point, so the functions here work with
1 − u = |x − y|²/2 and 1 + u = |x + y|²/2, which keep their relative precision.

The last two functions are the exact two-token step shared by the papers: both models add Gaussian
noise to two unit vectors and normalise, and both noises are isotropic and independent on the sum
and the difference of the tokens.
"""

import numpy as np
from numpy.typing import ArrayLike


def uniform(rng: np.random.Generator, shape: tuple[int, ...], d: int) -> np.ndarray:
    """Independent uniform points on S^{d−1}, as an array of shape (*shape, d)."""
    return normalize(rng.standard_normal((*shape, d)))


def normalize(v: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """LN(v) = v/|v| along the last axis (into `out` if given, which may be `v`).

    Raises
    ------
    ValueError
        If a vector is zero or not finite, so that it has no direction.
    """
    squared = np.einsum("...i,...i->...", v, v)
    if not np.all((squared > 0) & (squared < np.inf)):
        raise ValueError("cannot normalise a vector that is zero or not finite")
    return np.divide(v, np.sqrt(squared)[..., None], out=out)


def gram(x: np.ndarray) -> np.ndarray:
    """Inner products ⟨x_i, x_j⟩ of the rows: (..., N, d) to (..., N, N)."""
    return x @ np.swapaxes(x, -1, -2)


def one_minus_cosine(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """1 − ⟨x, y⟩ = |x − y|²/2 of unit vectors, free of cancellation as x → y."""
    difference = x - y
    return 0.5 * np.einsum("...i,...i->...", difference, difference)


def one_plus_cosine(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """1 + ⟨x, y⟩ = |x + y|²/2 of unit vectors, free of cancellation as x → −y."""
    return one_minus_cosine(x, -y)


def gaps(x: np.ndarray) -> np.ndarray:
    """1 − ⟨x_i, x_j⟩ for all pairs: unit rows (..., N, d) to (..., N, N), zero on the diagonal.

    The rows are referred to row 0 first: with c_i = x_i − x_0, 1 − ⟨x_i, x_j⟩ is
    (|c_i|² + |c_j|²)/2 − ⟨c_i, c_j⟩. The absolute error is thus a few rounding units of
    max|x_i − x_0|², the squared size of the cluster, instead of a few units of 1.
    """
    centred = x - x[..., :1, :]
    inner = gram(centred)
    half = 0.5 * np.einsum("...ii->...i", inner)
    result = half[..., :, None] + half[..., None, :] - inner
    np.maximum(result, 0.0, out=result)
    np.einsum("...ii->...i", result)[...] = 0.0
    return result


def upper(pairs: np.ndarray) -> np.ndarray:
    """Entries i < j of symmetric matrices, row by row: (..., N, N) to (..., N(N−1)/2)."""
    i, j = np.triu_indices(pairs.shape[-1], k=1)
    return pairs[..., i, j]


def pair_gram(
    rng: np.random.Generator,
    mean_sum: ArrayLike,
    mean_diff: ArrayLike,
    noise_sum: ArrayLike,
    noise_diff: ArrayLike,
    d: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Exact draw of the Gram matrix of a noisy sum and difference of two tokens.

    S = μ_s e_s + η_s g_s and D = μ_d e_d + η_d g_d, with e_s, e_d orthonormal in R^d and g_s, g_d
    independent N(0, I_d). Beyond the plane of e_s, e_d only the Gram matrix of the noises matters;
    Bartlett's decomposition of that Wishart_2(d−2) matrix leaves five normal and two χ² variates
    for every d (four normals at d = 2; one χ² fewer at d = 3).

    Parameters
    ----------
    rng
        Source of the draws.
    mean_sum, mean_diff, noise_sum, noise_diff
        μ_s, μ_d, η_s, η_d ≥ 0, broadcast against each other; one draw per element.
    d
        Dimension, at least 2.

    Returns
    -------
    a, b, q, determinant
        |S|², |D|², ⟨S, D⟩ and ab − q². The determinant is the sum of the squared 2×2 minors
        (Cauchy–Binet), so it keeps its relative precision when S and D are of different scales.

    Raises
    ------
    ValueError
        If d < 2.

    Notes
    -----
    Our derivation.
    """
    if d < 2:
        raise ValueError(f"two tokens need d >= 2, got {d}")
    mu_s, mu_d, eta_s, eta_d = np.broadcast_arrays(mean_sum, mean_diff, noise_sum, noise_diff)
    shape = mu_s.shape
    g = rng.standard_normal((4, *shape))
    s = [mu_s + eta_s * g[0], eta_s * g[1]]
    t = [eta_d * g[2], mu_d + eta_d * g[3]]
    if d >= 3:  # along the direction of the noise of S beyond the plane
        s.append(eta_s * np.sqrt(rng.chisquare(d - 2, shape)))
        t.append(eta_d * rng.standard_normal(shape))
    if d >= 4:  # and orthogonal to it
        s.append(np.zeros(shape))
        t.append(eta_d * np.sqrt(rng.chisquare(d - 3, shape)))
    a = sum(s_i * s_i for s_i in s)
    b = sum(t_i * t_i for t_i in t)
    q = sum(s_i * t_i for s_i, t_i in zip(s, t, strict=True))
    determinant = sum(
        (s[i] * t[j] - s[j] * t[i]) ** 2 for i in range(len(s)) for j in range(i + 1, len(s))
    )
    return a, b, q, determinant


def pair_cosine(
    a: np.ndarray, b: np.ndarray, determinant: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """1 − ρ and 1 + ρ of the normalised tokens (S ± D)/|S ± D|, free of cancellation at both ends.

    With a = |S|², b = |D|² and the determinant ab − q²: ρ = (a − b)/N, where
    N² = (a + b)² − 4q² = (a − b)² + 4(ab − q²), and 1 − ρ² = 4(ab − q²)/N². Both results keep
    their relative precision, so that 1 ∓ ρ can be followed down to the smallest floats.

    Notes
    -----
    The exact two-token chain, our derivation.
    """
    contrast = np.abs(a - b)
    norm = np.sqrt(contrast * contrast + 4.0 * determinant)
    far = (norm + contrast) / norm
    near = 4.0 * determinant / (norm * (norm + contrast))
    synchronous = a >= b
    return np.where(synchronous, near, far), np.where(synchronous, far, near)
