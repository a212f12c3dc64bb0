"""E[s_t] of two tokens under noise only, s = 1 − ⟨X¹, X²⟩, from the backward equation.

h(t, s) = E[s_t | s_0 = s] solves ∂_t h = Lh, h(0, s) = s. In z = log(s/(2 − s)) = −2 artanh u the
generator is L = ½A ∂² + V ∂. Towards synchrony, z → −∞, both coefficients become constant,
4(κ(1) + κ′(1)) and 2λ₁. The ends:

- u = −1: the solution is smooth in 1 + u ≈ 2e^{−z}, so it is flat in z and the grid ends with no
  flux at 1 + u = 2e-13. (Two tokens come to u = −1 only at d = 2, where they are reflected.)
- u = −1 of an odd kernel is absorbing like u = 1. As E[u_t] is then odd in u_0, it is enough to
  solve on 0 ≤ u ≤ 1 with h = 1 at u = 0.
- u = 1: the grid ends where the end cannot be felt from z_0.

The unknown is g = s^{−p}h, p the minimiser of Λ on [0, 1], with no flux at u = 1. Near synchrony
s^p is the edge of the continuous spectrum for 0 < p < 1, and proportional to E[s_t] for p = 1. So g
is of about the same size everywhere (in h, rounding errors near synchrony would come to dominate),
and its slowest decay there, Λ(p), is free of discretisation error. Exponentially fitted differences
in z, monotone and of second order; Radau IIA, of order 5, in time. Our derivation, from the Itô
equation of arXiv 2604.26898.
"""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.linalg import solve_banded
from scipy.optimize import brentq
from scipy.special import expit, exprel

from deeplimits.agazzi2026 import theory
from deeplimits.agazzi2026.kernel import Kernel

STEP = 0.02
"""Default grid step in z.

Where E[s_t] is known otherwise, its relative error is then below 1e-5 for |u0| ≤ ½ and d ≤ 64, and
at most 1e-4 towards u0 = −1 at d = 128 (it grows like d²).
"""

_ANTIPODE = 30.0  # the z where the grid ends at u = −1; the error goes like √(1 + u) at d = 2
_SYNCHRONY = -80.0  # the z from which A and V are constant, up to 1e-17 even for ReLU's √s
_TIME_STEP = 0.1  # over the time passed


def mean_gap(kernel: Kernel, times: ArrayLike, u0: float, *, step: float = STEP) -> np.ndarray:
    """Return E[1 − u_t] for two tokens that start at ⟨X¹, X²⟩ = u0, noise only.

    Parameters
    ----------
    kernel : Kernel
    times : array_like
        Depths t ≥ 0, not decreasing.
    u0 : float
        In (−1, 1).
    step : float
        Grid step in z; the error is O(step²).

    Returns
    -------
    ndarray
        One mean for each time.

    Raises
    ------
    ValueError
        For times that are negative, decreasing or not finite, for u0 outside (−1, 1), and for a
        kernel that is so close to odd that κ(1) + κ(−1) > 0 is lost in rounding errors.
    """
    return np.array([mean for mean, _ in _solve(kernel, times, u0, step)])


def local_rate(kernel: Kernel, times: ArrayLike, u0: float, *, step: float = STEP) -> np.ndarray:
    """Return −(d/dt) log E[1 − u_t], by the generator rather than by differences in t.

    It tends to `decay_rate`: like −min Λ + 3/(2t) where min Λ is taken inside (0, 1) and there is
    no bulk eigenvalue. Parameters and errors as for `mean_gap`.
    """
    return np.array([rate for _, rate in _solve(kernel, times, u0, step)])


def bulk_eigenvalue(kernel: Kernel) -> float | None:
    """Return the lowest discrete eigenvalue ν of −L, or None where there is none.

    In L² of its speed measure −L has a continuous spectrum from λ₁²/(2(κ(1) + κ′(1))) up. The slow
    region near u = −1 may add an eigenvalue below it, and e^{−νt} is then a part of E[s_t]. It is 0
    by convention where E[s_t] does not decay exponentially: for an odd kernel (some pairs end
    antipodal) and for λ₁ ≥ 0 (no synchrony).

    Raises
    ------
    ValueError
        For an almost odd kernel, as `mean_gap`.
    """
    if kernel.odd or theory.lambda1(kernel) >= 0.0:
        return 0.0
    _refuse_almost_odd(kernel)
    edge = 2.0 * theory.lambda1(kernel) ** 2 / theory.log_variance_rate(kernel)
    if _mismatch(kernel, edge, edge) <= 0.0:
        return None
    return brentq(lambda nu: _mismatch(kernel, nu, edge), 0.0, edge, xtol=1e-14, rtol=1e-9)


def decay_rate(kernel: Kernel) -> float:
    """Return lim −(1/t) log E[s_t]: the lesser of −min Λ on [0, 1] and the bulk eigenvalue."""
    rate = -theory.least_moment_exponent(kernel).value
    nu = bulk_eigenvalue(kernel)
    return rate if nu is None else min(rate, nu)


def _refuse_almost_odd(kernel: Kernel) -> None:
    half_sum = kernel.kappa1 - float(kernel.gap_ratio(np.float64(2.0)))
    if not kernel.odd and half_sum < 1e-11 * kernel.kappa1:
        raise ValueError(f"{kernel} is odd up to rounding errors: set its biases to 0")


def _coefficients(kernel: Kernel, z: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return A and V at z: A = 8c/(2 − s), V = 2(b − 2uc)/(2 − s), c = κ(1) + u(κ(1) − κ(u))/s.

    Here sb is the drift of s.
    """
    s, r = 2.0 * expit(z), 2.0 * expit(np.negative(z))
    u = 1.0 - s
    c = kernel.kappa1 + u * kernel.gap_ratio(s)
    return 8.0 * c / r, 2.0 * (theory.gap_growth(kernel, s) - 2.0 * u * c) / r


@dataclass(frozen=True)
class _Generator:
    """s^{−p}Ls^p on the grid z: a tridiagonal matrix of these three diagonals."""

    z: np.ndarray
    upper: np.ndarray
    diagonal: np.ndarray
    lower: np.ndarray

    def apply(self, g: np.ndarray) -> np.ndarray:
        """Return the matrix times g."""
        result = self.diagonal * g
        result[:-1] += self.upper * g[1:]
        result[1:] += self.lower * g[:-1]
        return result

    def resolve(self, dt: float, pole: complex, g: np.ndarray) -> np.ndarray:
        """Return (dt·matrix − pole)⁻¹ g."""
        bands = np.zeros((3, g.size), dtype=np.result_type(pole, g))
        bands[0, 1:] = dt * self.upper
        bands[1] = dt * self.diagonal - pole
        bands[2, :-1] = dt * self.lower
        return solve_banded((1, 1), bands, g, check_finite=False)


def _generator(kernel: Kernel, left: float, step: float, p: float) -> _Generator:
    """Return the generator on a grid from about `left` to u = −1, or to u = 0 if odd."""
    right = 0.0 if kernel.odd else _ANTIPODE
    z = right - step * np.arange(math.ceil((right - left) / step) + 1)[::-1]
    s, r = 2.0 * expit(z), 2.0 * expit(-z)
    a, v = _coefficients(kernel, z)
    variation = theory.gap_variation(kernel, s)
    # s^{−p}Ls^p = ½A ∂² + (V + ½pAr) ∂ + s^{−p}(Ls^p), with d(log s)/dz = r/2.
    y = (2.0 * v / a + p * r) * step
    up, down = (0.5 * a / step**2 / exprel(w) for w in (-y, y))
    potential = p * theory.gap_growth(kernel, s) + 0.5 * p * (p - 1.0) * variation
    down[0] = up[-1] = 0.0
    diagonal = potential - up - down
    if kernel.odd:
        down[-1] = diagonal[-1] = 0.0  # h stays at its value 1 at u = 0
    return _Generator(z, up[:-1], diagonal, down[1:])


# The stability function of Radau IIA with three stages, (1 + 2z/5 + z²/20)/(1 − 3z/5 + 3z²/20 −
# z³/60), in partial fractions: one real pole and a conjugate pair.
_NUMERATOR = np.polynomial.Polynomial([1.0, 2 / 5, 1 / 20])
_DENOMINATOR = np.polynomial.Polynomial([1.0, -3 / 5, 3 / 20, -1 / 60])
_POLES = sorted(_DENOMINATOR.roots(), key=lambda pole: abs(pole.imag))[:2]
_RESIDUES = [_NUMERATOR(pole) / _DENOMINATOR.deriv()(pole) for pole in _POLES]


def _radau_step(generator: _Generator, dt: float, g: np.ndarray) -> np.ndarray:
    real = _RESIDUES[0].real * generator.resolve(dt, _POLES[0].real, g)
    pair = _RESIDUES[1] * generator.resolve(dt, _POLES[1], g)
    return real + 2.0 * pair.real


class _Value(NamedTuple):
    """E[s_t] and −(d/dt) log E[s_t]."""

    mean: float
    rate: float


def _solve(kernel: Kernel, times: ArrayLike, u0: float, step: float) -> list[_Value]:
    times = np.asarray(times, dtype=float)
    if not (np.isfinite(times).all() and np.all(np.diff(times, prepend=0.0) >= 0.0)):
        raise ValueError("times must be finite, not negative and not decreasing")
    if not -1.0 < u0 < 1.0:
        raise ValueError(f"u0 must be between −1 and 1, got {u0}")
    if kernel.kappa1 == 0.0:  # no MLP: nothing moves
        return [_Value(1.0 - u0, 0.0)] * times.size
    _refuse_almost_odd(kernel)
    mirrored = kernel.odd and u0 < 0.0
    z0 = min(-2.0 * math.atanh(abs(u0) if mirrored else u0), _ANTIPODE)
    p, least = theory.least_moment_exponent(kernel)
    # Shifted by its rate of decay, the slow part of g hardly moves, and long steps are accurate.
    shift = 0.0 if kernel.odd else -least
    spread = math.sqrt(theory.log_variance_rate(kernel) * times.max(initial=0.0))
    generator = _generator(kernel, min(z0, 0.0) - 40.0 - 4.0 * spread, step, p)
    shifted = replace(generator, diagonal=generator.diagonal + shift)
    g = (2.0 * expit(generator.z)) ** (1.0 - p)
    first = _TIME_STEP / ((kernel.d + 2) * (kernel.kappa1 + kernel.dkappa1))
    t, values = 0.0, []
    for target in times:
        while t < target:
            dt = min(max(first, _TIME_STEP * t), target - t)
            g = _radau_step(shifted, dt, g)
            t = target if dt == target - t else t + dt
        gained = generator.apply(g)
        scaled = CubicSpline(generator.z, np.stack([g, gained], axis=1))(z0)
        factor = (2.0 * expit(z0)) ** p * math.exp(-shift * t)
        mean, slope = scaled * factor
        if mirrored:
            values.append(_Value(2.0 - mean, slope / (2.0 - mean)))
        else:
            # Not slope/mean: both may underflow.
            values.append(_Value(mean, -scaled[1] / scaled[0]))
    return values


def _mismatch(kernel: Kernel, nu: float, edge: float) -> float:
    """Return the difference at u = 0 of the Prüfer angles of both solutions of Lh = −νh.

    One solution is smooth at u = −1, the other is the decaying one at synchrony. The difference
    increases with ν, and is 0 at the lowest eigenvalue (Sturm). The angle is that of
    (g, g′), g = e^{−pz}h and p = −λ₁/(2(κ(1) + κ′(1))): at synchrony g = e^{μz}.
    """
    half_a = 0.5 * theory.log_variance_rate(kernel)
    p = -theory.lambda1(kernel) / half_a
    mu = math.sqrt((edge - nu) / half_a)

    def turn(z: float, angle: np.ndarray) -> np.ndarray:
        a, v = _coefficients(kernel, z)
        sine, cosine = np.sin(angle), np.cos(angle)
        drift, potential = a * p + v, 0.5 * a * p * p + v * p + nu
        return -(sine**2) - 2.0 / a * (drift * sine + potential * cosine) * cosine

    def angle_at_zero(z: float, slope: float) -> float:
        options = {"method": "LSODA", "rtol": 1e-9, "atol": 1e-11}
        solution = solve_ivp(turn, (z, 0.0), [math.atan(slope)], **options)
        if not solution.success:
            raise RuntimeError(f"bulk eigenvalue of {kernel}: {solution.message}")
        return float(solution.y[0, -1])

    return angle_at_zero(_ANTIPODE, -p) - angle_at_zero(_SYNCHRONY, mu)
