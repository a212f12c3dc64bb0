"""Closed-form predictions of fedorov2026: thresholds, exponents, the probability of antipodes.

Two tokens with cosine ρ, softmax attention with QᵀK = βI and value noise of scale σ in R^d follow,
in the limit of infinite depth, a diffusion that is autonomous in ρ, or in z = artanh ρ (`sde`).
Both ends ρ = ±1 are invariant; +1 always attracts, −1 does iff d − 2 < cosh 2β. The threshold is
the paper's (arXiv 2601.21942), as is that of the hybrid model; all other formulas are our
derivation.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from deeplimits.fedorov2026 import checks
from deeplimits.fedorov2026.scale_function import ScaleFunction, sech


class ClusterMeans(NamedTuple):
    """Lengths of the attention means of two antipodal clusters, signed along their own tokens."""

    first: float
    second: float


def exponent_consensus(d: int, sigma: float = 1.0) -> float:
    """Return −σ²(d−1), the slope of log(1 − ρ) in depth t as ρ → 1: always attracting.

    Raises
    ------
    ValueError
        For d < 2 or σ negative or not finite.
    """
    checks.dimension(d)
    checks.not_negative("sigma", sigma)
    return -(sigma**2) * (d - 1)


def exponent_antipodal(beta: float, d: int, sigma: float = 1.0) -> float:
    """Return σ²[(d−1)sech²β − 2], the slope of log(1 + ρ) in depth t as ρ → −1.

    It is negative, so that antipodal tokens attract, iff d − 2 < cosh 2β.

    Raises
    ------
    ValueError
        For d < 2, or β or σ negative or not finite.
    """
    checks.dimension(d)
    checks.not_negative("beta", beta)
    checks.not_negative("sigma", sigma)
    return sigma**2 * ((d - 1) * float(sech(beta)) ** 2 - 2)


def critical_beta(d: int) -> float:
    """Return β*(d) = ½ arcosh(d−2), above which antipodal tokens attract (arXiv 2601.21942).

    It is 0 for d = 3, and for d = 2, where they attract at every β, 0 included.

    Raises
    ------
    ValueError
        For d < 2.
    """
    checks.dimension(d)
    return 0.5 * math.acosh(max(d - 2, 1))


def antipodal_probability(beta: float, d: int, rho0: ArrayLike) -> np.ndarray:
    """Return the probability that two tokens with cosine ρ₀ end antipodal, not in consensus.

    p = ∫_{ρ₀}^1 S′ / ∫_{−1}^1 S′, S′(ρ) = (1−ρ²)^{−1/2} exp(−(d−2)∫₀^ρ sech(β(1−r))/(1−r²) dr);
    0 where d − 2 ≥ cosh 2β, arccos(ρ₀)/π for d = 2. It does not depend on σ.

    Parameters
    ----------
    beta : float
        β ≥ 0.
    d : int
        Dimension, at least 2.
    rho0 : array_like
        Cosines in (−1, 1); a number or an array of them.

    Returns
    -------
    ndarray
        Probabilities in the shape of `rho0`, with an absolute error below 1e-14 up to d = 10⁴ and
        1e-10 up to d = 10⁶.

    Raises
    ------
    ValueError
        For d < 2, β negative or not finite, or ρ₀ outside (−1, 1).
    """
    checks.cosine("rho0", rho0)
    return antipodal_probability_at(beta, d, np.arctanh(np.asarray(rho0, dtype=np.float64)))


def antipodal_probability_at(beta: float, d: int, z: ArrayLike) -> np.ndarray:
    """Return `antipodal_probability` at z = artanh ρ₀, which reaches beyond |ρ₀| = 1 − 1e-16.

    Raises
    ------
    ValueError
        For d < 2, β negative or not finite, or z NaN.
    """
    return ScaleFunction(beta, d).upper_share(z)


def cluster_means(k: int, n: int, beta: float) -> ClusterMeans:
    """Return (μ₊, μ₋) for k of n tokens at v and n − k at −v: means are μ₊v and −μ₋v.

    μ₊ = (k e^β − (n−k)e^{−β})/(k e^β + (n−k)e^{−β}); μ₋ has k and n−k exchanged. The common noise
    displaces the two by μ₊PdBv and −μ₋PdBv, so they stay antipodal iff k = n/2. Where a mean is
    negative its cluster moves with the other one and nothing holds them apart.

    Raises
    ------
    ValueError
        Unless 1 ≤ k < n and β is finite and not negative.
    """
    if not 1 <= k < n:
        raise ValueError(f"k must lie between 1 and n - 1 = {n - 1}, got {k}")
    checks.not_negative("beta", beta)
    # (a e^β − b e^{−β})/(a e^β + b e^{−β}) = tanh(β + ½ log(a/b)).
    odds = 0.5 * math.log(k / (n - k))
    return ClusterMeans(math.tanh(beta + odds), math.tanh(beta - odds))


def exponent_cluster(mean: float, d: int, sigma: float = 1.0) -> float:
    """Return −σ²(d−1)μ², the slope of log(1 − cos) of two tokens in a cluster of mean length μ.

    Raises
    ------
    ValueError
        For d < 2 or σ negative or not finite.
    """
    return mean**2 * exponent_consensus(d, sigma)


def escape_rate(beta: float) -> float:
    """Return 4/(1 + e^{2β}), the slope of log(1 + ρ) near −1 in the flow without noise (V = I).

    Raises
    ------
    ValueError
        For β negative or not finite.
    """
    checks.not_negative("beta", beta)
    return 4.0 * float(expit(-2 * beta))


def hybrid_threshold(beta: float) -> float:
    """Return 2e^{−β}: the hybrid model ends in consensus for ε² below it, antipodal above.

    Unnormalized attention of two tokens, V = (1 + ε dW)I with scalar noise (arXiv 2601.21942).

    Raises
    ------
    ValueError
        For β negative or not finite.
    """
    checks.not_negative("beta", beta)
    return 2.0 * math.exp(-beta)


def hybrid_exponent_antipodal(beta: float, epsilon: float) -> float:
    """Return 2e^{−β} − ε², the slope of log(1 + ρ) of the hybrid model as ρ → −1.

    Raises
    ------
    ValueError
        For β or ε negative or not finite.
    """
    checks.not_negative("epsilon", epsilon)
    return hybrid_threshold(beta) - epsilon**2


def hybrid_exponent_consensus(beta: float, epsilon: float) -> float:
    """Return e^{2β}(ε² − 2e^{−β}), the slope of log(1 − ρ) of the hybrid model as ρ → 1.

    Raises
    ------
    ValueError
        For β or ε negative or not finite.
    """
    return -math.exp(2 * beta) * hybrid_exponent_antipodal(beta, epsilon)
