"""Closed-form predictions of agazzi2026: exponents, energy rates and the two-token equation.

Everything follows from the kernel κ of the MLP field. It is written in the gap s = 1 − u of two
tokens, u = ⟨X¹, X²⟩, so that nothing cancels near synchrony. The optional `a` is the scale of an
attention with QᵀK = βI, V = I, which shifts the exponents near synchrony.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exprel

from deeplimits import separation
from deeplimits.agazzi2026.kernel import Kernel


class Extremum(NamedTuple):
    """An extreme value of a function and where it is taken."""

    argument: float
    value: float


def lambda1(kernel: Kernel, a: float = 0.0) -> float:
    """Return the top Lyapunov exponent λ₁ − a, λ₁ = ½[(d−3)κ′(1) − (d−1)κ(1)], per unit of depth.

    Two close tokens approach as |X¹ − X²| ~ e^{(λ₁−a)t}: log s has slope 2(λ₁ − a) almost surely
    (arXiv 2604.26898; the shift by a is our derivation).
    """
    d = kernel.d
    return 0.5 * ((d - 3) * kernel.dkappa1 - (d - 1) * kernel.kappa1) - a


def lambda_bar(kernel: Kernel, a: float = 0.0) -> float:
    """Return the mean-square exponent λ̄ − 2a, λ̄ = (d−1)κ′(1) − (d−3)κ(1), per unit of depth.

    Near synchrony E[s] grows like e^{(λ̄−2a)t} for as long as s stays small (arXiv 2604.26898; the
    shift by 2a is our derivation).
    """
    d = kernel.d
    return (d - 1) * kernel.dkappa1 - (d - 3) * kernel.kappa1 - 2.0 * a


def log_variance_rate(kernel: Kernel) -> float:
    """Return 4(κ(1) + κ′(1)) = d⟨log s⟩/dt near synchrony (our derivation)."""
    return 4.0 * (kernel.kappa1 + kernel.dkappa1)


def moment_exponent(kernel: Kernel, p: ArrayLike, a: float = 0.0) -> np.ndarray:
    """Return Λ(p) = 2(λ₁ − a)p + 2(κ(1) + κ′(1))p², the exponent of E[s^p] in ds = λ̄s dt + … dB.

    Λ(1) = λ̄ − 2a. Our derivation.
    """
    p = np.asarray(p)
    return 2.0 * lambda1(kernel, a) * p + 0.5 * log_variance_rate(kernel) * p * p


def least_moment_exponent(kernel: Kernel, a: float = 0.0) -> Extremum:
    """Return min Λ(p) over 0 ≤ p ≤ 1: −min Λ bounds the rate at which E[s_t] and E[E_β] decay.

    The minimiser is −(λ₁ − a)/(2(κ(1) + κ′(1))), or the nearest end: 1, with Λ(1) = λ̄ − 2a, when
    synchrony is fast, and 0, with no decay, when λ₁ ≥ a. E[s_t] decays at this rate unless the slow
    region near u = −1 is slower (`backward.bulk_eigenvalue`). Our derivation.
    """
    slope, curvature = 2.0 * lambda1(kernel, a), log_variance_rate(kernel)
    if slope >= 0.0:
        p = 0.0
    elif slope <= -curvature:
        p = 1.0
    else:
        p = -slope / curvature
    return Extremum(p, float(moment_exponent(kernel, p, a)))


def dissipation(kernel: Kernel, s: ArrayLike, beta: float) -> np.ndarray:
    """Return F(u) at u = 1 − s: the rate at which noise takes energy from a pair, over its energy.

    F(u) = βe^{βu}g(u)/(e^β − e^{βu}), with g(u) = κ(u)(d−2+u²−βu(1−u²)) + κ(1)(β(1−u²) − (d−1)u)
    (arXiv 2604.26898). Numerator and denominator are divided by s here, so that the limit
    F(1⁻) = −λ̄ comes out at s = 0.

    Parameters
    ----------
    kernel : Kernel
    s : array_like
        In [0, 2].
    beta : float
        β > 0 of the energy E_β.
    """
    s = np.asarray(s)
    d, u = kernel.d, 1.0 - s
    tangent = beta * s * (2.0 - s)  # β(1 − u²)
    g_over_s = kernel.kappa1 * (d - 2 - u + tangent)
    g_over_s -= kernel.gap_ratio(s) * (d - 2 + u * u - u * tangent)
    return g_over_s / exprel(beta * s)


def lambda_bar_prime(kernel: Kernel, beta: float) -> Extremum:
    """Return λ̄′ = −inf F, the decay exponent of E[E_β] in the theorem, and the u of the infimum.

    λ̄′ ≥ λ̄, with equality where the infimum is the limit u → 1 (arXiv 2604.26898). Often it is at
    u = −1 instead, where F = (d−1)(κ(1) + κ(−1))/2 · 2β/(e^{2β} − 1). The search is over 2001
    values of u with both ends; in 5600 settings of σ, d, β and φ the infimum was never inside.

    Parameters
    ----------
    kernel : Kernel
    beta : float
        β > 0.
    """
    # Dense near s = 0, where the F of ReLU varies like √s.
    s = 2.0 * np.linspace(0.0, 1.0, 2001) ** 2
    values = dissipation(kernel, s, beta)
    least = int(np.argmin(values))
    return Extremum(float(1.0 - s[least]), -float(values[least]))


def gap_growth(kernel: Kernel, s: ArrayLike) -> np.ndarray:
    """Return the drift of the gap s of two tokens over s, noise only; λ̄ at s = 0.

    It is −[κ(1)(d−2−u) − r(d−2+u²)], u = 1 − s and r = (κ(1) − κ(u))/s: see `pair_drift`.
    """
    s = np.asarray(s)
    d, u = kernel.d, 1.0 - s
    return kernel.gap_ratio(s) * (d - 2 + u * u) - kernel.kappa1 * (d - 2 - u)


def gap_variation(kernel: Kernel, s: ArrayLike) -> np.ndarray:
    """Return d⟨s⟩/dt over s² for the gap s, noise only; 4(κ(1) + κ′(1)) at s = 0.

    It is 2(2 − s)(κ(1) + ur), u = 1 − s and r = (κ(1) − κ(u))/s: see `pair_variation`. At u = −1
    it vanishes like 2 − s, for an odd kernel like (2 − s)²; then use the symmetry u → −u there.
    """
    s = np.asarray(s)
    return 2.0 * (2.0 - s) * (kernel.kappa1 + (1.0 - s) * kernel.gap_ratio(s))


def pair_drift(kernel: Kernel, s: ArrayLike) -> np.ndarray:
    """Return the drift κ(u)(d−2+u²) − (d−1)κ(1)u of u = ⟨X¹, X²⟩ = 1 − s, noise only.

    Our derivation, from the Itô equation of arXiv 2604.26898; s ∈ [0, 2].
    """
    return -np.asarray(s) * gap_growth(kernel, s)


def pair_variation(kernel: Kernel, s: ArrayLike) -> np.ndarray:
    """Return d⟨u⟩/dt = 2(1−u²)(κ(1) − uκ(u)) of u = ⟨X¹, X²⟩ = 1 − s, noise only.

    Our derivation, from the Itô equation of arXiv 2604.26898; s ∈ [0, 2].
    """
    return np.square(s) * gap_variation(kernel, s)


def discrete_exponent(kernel: Kernel, dt: float, a: float = 0.0) -> float:
    """Return the discrete model's counterpart of λ₁ − a, per unit of depth, at layers of size Δt.

    At m = ∞ and for |X¹ − X²| → 0, a layer is Y = X/(1 + aΔt) on the separation, followed by the
    linearised noise of `separation.mean_log_growth`: with unit vectors y ⊥ e, the noise at y is
    √(κ(1)Δt) Z and its derivative along e is √(κ′(1)Δt) ξ, with independent Z and ξ (for
    Cov(∂_e G(y), G(y)) = κ′(1)⟨e, y⟩ = 0). Our derivation.

    Parameters
    ----------
    kernel : Kernel
    dt : float
        Δt = T/L > 0.
    a : float
        Attention scale, with aΔt > −1.

    Raises
    ------
    ValueError
        Unless Δt > 0 and aΔt > −1.

    Notes
    -----
    To first order the noise adds ¼Δt[(d²−4d+1)κ(1)² + 2(d−3)κ(1)κ′(1) − (d−3)(d−5)κ′(1)²] to λ₁.
    """
    if not (dt > 0.0 and a * dt > -1.0):
        raise ValueError(f"needs dt > 0 and a·dt > −1, got dt = {dt}, a = {a}")
    noise = separation.mean_log_growth(kernel.d, kernel.kappa1 * dt, kernel.dkappa1 * dt)
    return (noise - math.log1p(a * dt)) / dt
