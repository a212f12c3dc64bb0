"""Closed-form predictions for GD on separable logistic regression with |x_i| ≤ 1 and margin γ.

The law of the reconstructed schedule is our derivation; of the baselines, the leading rates that
follow from GD on its support points, and where a cited paper states them, that paper is named.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from deeplimits.kale2026 import checks

DESCENT_LIMIT = 2.0
"""GD cannot raise L in a step with η L(w) < 2 (ours).

|x_i| ≤ 1 gives λ_max(∇²L) ≤ L: ℓ″ = σ(m)σ(−m) ≤ 1 − e^{−ℓ} ≤ ℓ. On the way w − sη∇L, as long as
L stays below L(w), it is at most L(w) − sη|∇L|²(1 − ½sηL(w)), so it cannot come back before
s = 2/(ηL(w)). The classical limit of stability, η λ_max = 2, is the same number.
"""


def decay(gamma: ArrayLike, t: ArrayLike) -> np.ndarray:
    """Return y(t) ≈ −ln L(w_t) of the reconstructed schedule: the root of y + y³/6 = γ²t.

    With u = ln(γ²S) the schedule is η = e^u/(1 + ½u²) and du/dt = γ²/(1 + ½u²), so u + u³/6 = γ²t;
    −ln L follows u, since d(−ln L)/dt = γ²ηL = γ²/(1 + ½u²) for L = e^{−u} (ours). The root is
    2√2 sinh(⅓ arsinh(3γ²t/(2√2))), for large t (6γ²t)^{1/3}.

    Parameters
    ----------
    gamma : array_like
        γ in (0, 1].
    t : array_like
        Iteration, at least 0.

    Returns
    -------
    ndarray
        y, with a relative accuracy of a few roundings, in the broadcast shape.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    checks.margin("gamma", gamma)
    checks.not_negative("t", t)
    root = 2 * math.sqrt(2)
    return root * np.sinh(np.arcsinh(3 * np.square(gamma) * np.asarray(t) / root) / 3)


def decay_told(gamma: ArrayLike, told: ArrayLike, t: ArrayLike) -> np.ndarray:
    """Return y(t) ≈ −ln L(w_t) where the reconstructed schedule is told another margin than γ.

    As d(e^y)/dt = γ²η while d(e^u)/dt = γ̂²η for the γ̂ it is told, e^y − 1 = (γ/γ̂)²(e^u − 1) with
    u = decay(γ̂, t): for large t, y = u − 2 ln(γ̂/γ), as long as the steps are stable (ours). For
    large t, ηL tends to (γ̂/γ)²/(1 + ½u²).

    Parameters
    ----------
    gamma, told : array_like
        The true γ and γ̂, in (0, 1].
    t : array_like
        Iteration, at least 0.

    Returns
    -------
    ndarray
        y, in the broadcast shape; `decay` where `told` is `gamma`.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    checks.margin("gamma", gamma)
    u = decay(told, t)
    return u + np.log(np.exp(-u) - np.square(np.divide(gamma, told)) * np.expm1(-u))


def averaged_lag(gamma: ArrayLike) -> np.ndarray:
    """Return δ by which averaging slows "reconstructed_averaged": y³/6 → (1 − δ)γ²t (ours).

    The rule obeys dy/dt = γ²(L/L̂)/(1 + ½y²). While −ln L = y grows at the rate y′, a mean over a
    window of W steps exceeds the loss, L̂ = L/(1 − Wy′). With W = t^{2/3} and
    y → (6(1−δ)γ²t)^{1/3}, Wy′ tends to the constant δ = ⅓(6(1−δ)γ²)^{1/3}, that is the root of
    δ³ + p(δ − 1) = 0, p = 2γ²/9: .125 at γ = .1, .247 at γ = .3. So −ln L tends to
    (1 − δ)^{1/3} times `decay`.

    Raises
    ------
    ValueError
        If γ is outside (0, 1].
    """
    checks.margin("gamma", gamma)
    p = 2 * np.square(gamma) / 9
    return 2 * np.sqrt(p / 3) * np.sinh(np.arcsinh(1.5 * np.sqrt(3 / p)) / 3)


def decay_exponent(y: ArrayLike) -> np.ndarray:
    """Return d ln y/d ln t = (1 + y²/6)/(1 + y²/2) of `decay`: from 1 at y = 0 to 1/3 (ours).

    Raises
    ------
    ValueError
        If y is negative or not finite.
    """
    checks.not_negative("y", y)
    square = np.square(y)
    return (1 + square / 6) / (1 + square / 2)


def time_to_decay(gamma: ArrayLike, y: ArrayLike) -> np.ndarray:
    """Return t = (y + y³/6)/γ², the iterations in which `decay` reaches y.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    checks.margin("gamma", gamma)
    checks.not_negative("y", y)
    return (np.asarray(y) + np.power(y, 3) / 6) / np.square(gamma)


def constant_step(gamma: ArrayLike, eta: float, t: ArrayLike) -> np.ndarray:
    """Return ln(1 + γ²ηt), the leading −ln L of a constant step once it is stable.

    On two mirrored points (γ, ±√(1−γ²)) the margin m of both obeys dm/dt = ηγ²σ(−m), so
    e^m ≈ 1 + γ²ηt (ours); the bound L ≲ 1/(γ²ηt) for any set is of Wu et al. 2024
    (arXiv 2402.15926). With the horizon-tuned η = γ²T it gives L ≈ 1/(γ⁴T²) at t = T.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    checks.margin("gamma", gamma)
    checks.positive("eta", eta)
    checks.not_negative("t", t)
    return np.log1p(np.square(gamma) * eta * np.asarray(t))


def stable_from(gamma: float, eta: float, n: int) -> float:
    """Return max(η, n)/γ², the scale of the time from which a constant step η descends.

    Up to a constant factor and to a logarithmic term (Wu et al. 2024, arXiv 2402.15926).

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    checks.margin("gamma", gamma)
    checks.positive("eta", eta)
    checks.positive("n", n)
    return max(eta, n) / gamma**2


def loss_adaptive(gamma: ArrayLike, eta: float, t: ArrayLike) -> np.ndarray:
    """Return γ²ηt, the leading −ln L of η_t = η/L, or η/(1 − e^{−L}), at the last iterate.

    d(−ln L)/dt = η_t|∇L|²/L with |∇L| → γL (ours). The average of the iterates has half of it,
    in line with the e^{−Θ(γ²ηt)} of Zhang et al. 2025 (arXiv 2504.04105).

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    checks.margin("gamma", gamma)
    checks.positive("eta", eta)
    checks.not_negative("t", t)
    return np.square(gamma) * eta * np.asarray(t)


def gradient_normalized(gamma: ArrayLike, eta: float, t: ArrayLike) -> np.ndarray:
    """Return 2γη√t, the leading −ln L of steps of length η/√(t+1) (ours).

    The steps align with the direction of largest margin, so the least margin is γ Σ η/√(s+1).

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    checks.margin("gamma", gamma)
    checks.positive("eta", eta)
    checks.not_negative("t", t)
    return 2 * gamma * eta * np.sqrt(t)
