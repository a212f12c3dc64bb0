"""How a layer of noise changes the distance of two tokens that are infinitely close.

Both papers add isotropic Gaussian noise to unit tokens and normalise. To first order in the
separation δe of two tokens at y ⊥ e, that is a random factor, whose mean logarithm is the exponent
of the discrete model. The axes of two antipodal tokens are two close points as well. Our
derivation.
"""

import math

import numpy as np
from scipy.special import gammaln, psi


def mean_log_growth(d: int, token: float, separation: float) -> float:
    """Return E log of the factor by which a layer changes a small separation δe of tokens at y ⊥ e.

    With v = y + √token Z and w = e + √separation ξ, Z and ξ independent N(0, I_d), the factor is
    the length of the part of w orthogonal to v, over |v|.

    Parameters
    ----------
    d : int
        Dimension, at least 2.
    token, separation : float
        Variances ≥ 0, of a coordinate of the noise on the token and of that on e.

    Notes
    -----
    Given α, the angle by which v leans towards e, the orthogonal part is cos α times a unit vector
    plus noise in d − 1 dimensions. So with M_k(x) = E log|e + √x Z|² in k dimensions the mean is
    ½{E[log cos² α + M_{d−1}(separation/cos² α)] − M_d(token)}.
    """
    cosines, weights = _lean_rule(d, token)
    squares = np.square(cosines)
    spread = [_mean_log_square(d - 1, separation / square) for square in squares]
    return 0.5 * (float(weights @ (np.log(squares) + spread)) - _mean_log_square(d, token))


def _poisson_rule(mean: float) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes J and weights of the Poisson law; every few J where it is close to normal."""
    deviation = math.sqrt(mean)
    # The trapezoidal rule on a normal law errs by exp(−2π²/h²) at steps of h = ⅓ deviations.
    stride = max(1, int(deviation / 3.0))
    nodes = np.arange(max(0, int(mean - 10.0 * deviation)), mean + 10.0 * deviation + 20.0, stride)
    weights = np.exp(nodes * math.log(mean) - mean - gammaln(nodes + 1.0))
    return nodes, weights / weights.sum()


def _mean_log_square(k: int, variance: float) -> float:
    """Return E log|e + √variance Z|², |e| = 1, Z ~ N(0, I_k).

    |e + √x Z|²/x is χ² with k + 2J degrees of freedom, J Poisson of mean 1/(2x), and the mean
    logarithm of χ² with n degrees of freedom is log 2 + ψ(n/2).
    """
    if variance == 0.0:
        return 0.0
    mean = 0.5 / variance
    nodes, weights = _poisson_rule(mean)
    return float(weights @ (psi(0.5 * k + nodes) - math.log(mean)))


def _lean_rule(d: int, variance: float) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes cos α and weights for v = y + √variance Z, sin α = ⟨e, v⟩/|v|, e ⊥ y.

    Given the J of |P_e v|² (as in `_mean_log_square`, k = d − 1), α has a density proportional to
    cos^{d−2+2J} α.
    """
    if variance == 0.0:
        return np.ones(1), np.ones(1)
    j, weights = _poisson_rule(0.5 / variance)
    reach = min(0.5 * math.pi, 12.0 * math.sqrt(variance))
    # Midpoints; the density is even, and negligible at the far end unless variance is of order 1.
    alpha = reach * (np.arange(64) + 0.5) / 64
    power = d - 2 + 2.0 * j
    norm = gammaln(0.5 * power + 1.0) - gammaln(0.5 * power + 0.5)
    density = np.exp(np.multiply.outer(np.log(np.cos(alpha)), power) + norm) @ weights
    return np.cos(alpha), density / density.sum()
