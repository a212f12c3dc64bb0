"""How long two antipodal clusters of unequal sizes last: the diffusion of their cosine.

Tokens at one point stay at one point, for all of them receive the same noise. So k tokens at x and
n − k at y remain two clusters, and their cosine ρ is a diffusion of its own, the two-token one with
the attention of k against n − k. With z = artanh ρ, γ_x and γ_y the weights that each cluster
gives to the other, q = γ_x(1−γ_y) + γ_y(1−γ_x) and Δ = γ_x − γ_y,

    dz = σ²[(d−3)(q − ρΔ²/(1+ρ)) + ρ + q(1−ρ)]dt + σ√(2(1−q) + 2Δ²/(1+ρ)) dB.

For k = n/2, Δ = 0 and ρ = −1 is never left. Otherwise 2Δ → μ₊ − μ₋ at ρ = −1, where 1 + ρ is a
squared Bessel process of dimension d − 1: −1 is left at once, and where −1 would attract if Δ were
0, the clusters stay near it for a time of order e^{2β} (docs/fedorov2026.md). Our derivation.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.integrate import cumulative_trapezoid
from scipy.special import beta as beta_function
from scipy.special import expit

from deeplimits.fedorov2026 import checks

MERGED = 1e-3
"""1 − ρ at which the two clusters count as one."""

_POINTS = 20_001
_START = 1e-12  # of the squared distance on which the noise of unequal clusters acts
_ITERATIONS = 60


class Lifetime(NamedTuple):
    """Times, in units of 1/σ², until two clusters that start at ρ = −1 merge.

    Attributes
    ----------
    mean
        The mean.
    tail
        τ in P(not merged at t) ~ e^{−t/τ}: the inverse of the lowest eigenvalue of the killed
        diffusion, and the lifetime that runs show once the start is forgotten.
    """

    mean: float
    tail: float


def lifetime(k: int, n: int, beta: float, d: int) -> Lifetime:
    """Return the lifetime of k against n − k tokens; infinite for k = n/2.

    With s the scale density and m = 2/(variance·s) the speed density of z, u ↦ ∫_z^e s ∫_{−∞} m u
    maps 1 to the mean time to e and, applied again and again, grows by a factor τ. Both are
    accurate to 1e-4 of their value (trapezoidal rule on 20 001 points).

    Raises
    ------
    ValueError
        Unless 1 ≤ k < n, d ≥ 2 and β is finite and not negative.
    """
    _check(k, n, beta, d)
    if 2 * k == n:
        return Lifetime(math.inf, math.inf)
    _, uneven = _attention(np.array([2.0]), k, n, beta)
    # At d = 2, where the time down there counts most, what is cut off is √_START of the whole.
    start = 0.5 * math.log(_START * float(uneven[0]) ** 2 / 2)
    z = np.linspace(start, math.atanh(1 - MERGED), _POINTS)
    drift, variance = coefficients(z, k, n, beta, d)
    log_scale = -cumulative_trapezoid(2 * drift / variance, z, initial=0)
    scale = np.exp(log_scale - log_scale.max())
    speed = 2 / (variance * scale)
    times = []
    u = np.ones(_POINTS)
    for _ in range(_ITERATIONS):
        inner = cumulative_trapezoid(speed * u, z, initial=0)
        outer = cumulative_trapezoid(scale * inner, z, initial=0)
        u = outer[-1] - outer
        times.append(float(u[0]))
        u /= u[0]
    return Lifetime(mean=times[0], tail=times[-1])


def asymptotic_lifetime(k: int, n: int, beta: float, d: int) -> float:
    """Return (π − ϕ) B((d−1)/2, ½)/√8 · e^{2β}/u, which mean and tail approach as β → ∞.

    B is the beta function, u the `unevenness`, and ϕ the angle at which the clusters count as one.
    For d ≥ 3 it is approached slowly, from above: the attention that the clusters give each other
    at 1 − ρ ~ 1/β shortens the lifetime by a share of order β^{−1/2}. Infinite for k = n/2.

    Raises
    ------
    ValueError
        Unless 1 ≤ k < n, d ≥ 2 and β is finite and not negative.
    """
    _check(k, n, beta, d)
    uneven = unevenness(k, n)
    if uneven == 0:
        return math.inf
    angle = math.pi - math.acos(1 - MERGED)
    constant = angle * float(beta_function((d - 1) / 2, 0.5)) / math.sqrt(8)
    return constant * math.exp(2 * beta) / uneven


def unevenness(k: int, n: int) -> float:
    """Return u = |(n−k)/k − k/(n−k)|; Δ → u e^{−2β} at ρ = −1 as β → ∞."""
    return abs((n - k) / k - k / (n - k))


def coefficients(
    z: np.ndarray, k: int, n: int, beta: float, d: int
) -> tuple[np.ndarray, np.ndarray]:
    """Drift of z and its variance, both by unit of depth and at σ = 1."""
    one_minus, one_plus = 2 * expit(-2 * z), 2 * expit(2 * z)
    rho = np.tanh(z)
    exchange, uneven = _attention(one_minus, k, n, beta)
    pull = uneven**2 / one_plus
    drift = (d - 3) * (exchange - rho * pull) + rho + exchange * one_minus
    return drift, 2 * (1 - exchange) + 2 * pull


def _attention(one_minus: np.ndarray, k: int, n: int, beta: float) -> tuple[np.ndarray, np.ndarray]:
    """Return q and Δ at 1 − ρ."""
    odds = math.log((n - k) / k)
    first, second = (expit(sign * odds - beta * one_minus) for sign in (1, -1))
    return first * (1 - second) + second * (1 - first), first - second


def _check(k: int, n: int, beta: float, d: int) -> None:
    if not 1 <= k < n:
        raise ValueError(f"k must lie between 1 and n - 1 = {n - 1}, got {k}")
    checks.dimension(d)
    checks.not_negative("beta", beta)
