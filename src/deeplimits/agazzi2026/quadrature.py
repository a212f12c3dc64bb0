"""The kernel κ of an activation without closed form, from Gaussian means of φ² and φ′φ′.

φ is analytic in a strip around the real axis, so the trapezoidal rule converges geometrically: its
error for E[f(scale·Z)], f analytic for |Im z| < strip, is of the order of exp(a²/2 − 2πa/h) for
every a ≤ strip/scale, where h is the step in Z. The gap κ(1) − κ(u) is taken as an integral of κ′,
never as a difference, so it keeps its relative accuracy as u → 1.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.polynomial import chebyshev, legendre
from scipy.fft import dct

from deeplimits.agazzi2026.activations import Activation
from deeplimits.agazzi2026.closed_forms import half_angle

# e^{−40} = 4e-18 leaves room for the factor in front, which reaches 1e4 where the poles of both
# φ′ meet. Only swish(b) at large b√q makes the rules large.
_EXPONENT = 40.0
_REACH = math.sqrt(2.0 * _EXPONENT)
_RESOLVED = 1e-13
_MAX_NODES = 2**12
_MAX_DEGREE = 2**10


class InterpolatedKernel:
    """κ − σ_W² of an activation analytic in a strip, computed once and interpolated.

    V₁ and V₂ are A ± B with independent A ~ N(0, q cos² ϑ) and B ~ N(0, q sin² ϑ), where ϑ is the
    half angle, so that κ′ = E[φ′(A+B)φ′(A−B)]/d. It is interpolated in ϑ, in which ReLU's κ′ is
    linear and that of a sharp swish(b) still smooth.

    Parameters
    ----------
    activation : Activation
    d : int
    q : float
        Variance of V₁ and V₂, at least 1/d.

    Attributes
    ----------
    power : float
        E[φ(√q Z)²] = κ(1) − σ_W².

    Raises
    ------
    ValueError
        If φ has a kink or is too sharp for the variance q: the rule would need too many nodes.
    """

    def __init__(self, activation: Activation, d: int, q: float):
        if activation.strip == 0.0:
            raise ValueError(f"{activation.name} is not analytic: its κ needs a closed form")
        self._d, self._q = d, q
        self._widest = half_angle(2.0, d, q)
        z, weights = _half_normal_rule(math.sqrt(q), activation.strip)
        self.power = float(weights @ (activation.phi(z) ** 2 + activation.phi(-z) ** 2))

        def slope(fraction: float) -> float:
            return _mean_slope_product(activation, q, fraction * self._widest) / d

        self._slope = _interpolate(slope)
        self._ratio = _mean_over_gap(self._slope, self._widest)

    def slope(self, s: np.ndarray) -> np.ndarray:
        """Return κ′(1 − s)."""
        return self._evaluate(self._slope, s)

    def ratio(self, s: np.ndarray) -> np.ndarray:
        """Return (κ(1) − κ(1 − s))/s, which tends to κ′(1) as s → 0."""
        return self._evaluate(self._ratio, s)

    def _evaluate(self, series: np.ndarray, s: np.ndarray) -> np.ndarray:
        fraction = half_angle(s, self._d, self._q) / self._widest
        return chebyshev.chebval(2.0 * fraction - 1.0, series)


def _half_normal_rule(scale: float, strip: float) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes z > 0 and weights w with E[f(scale·Z)] ≈ Σ w (f(z) + f(−z))."""
    # The best a ≤ strip/scale; past √80 the Gaussian limits the step, not the poles.
    a = _REACH if strip >= _REACH * scale else strip / scale
    h = 2.0 * math.pi * a / (_EXPONENT + 0.5 * a * a)
    nodes = math.ceil(_REACH / h)
    if nodes > _MAX_NODES:
        raise ValueError(
            f"φ varies too sharply: over a width of {strip:.3g}, for inputs of deviation "
            f"{scale:.3g}, the quadrature of κ would need {nodes} > {_MAX_NODES} nodes"
        )
    z = h * (np.arange(nodes) + 0.5)
    return scale * z, h / math.sqrt(2.0 * math.pi) * np.exp(-0.5 * z * z)


def _mean_slope_product(activation: Activation, q: float, angle: float) -> float:
    """Return E[φ′(V₁)φ′(V₂)] for V₁ and V₂ of variance q at the half angle `angle`."""
    a, a_weights = _half_normal_rule(math.sqrt(q) * math.cos(angle), activation.strip)
    b, b_weights = _half_normal_rule(math.sqrt(q) * math.sin(angle), activation.strip)
    plus, minus = np.add.outer(a, b), np.subtract.outer(a, b)
    slope = activation.derivative
    products = slope(plus) * slope(minus) + slope(-plus) * slope(-minus)
    # Twice, for b < 0: the integrand is even in b.
    return float(2.0 * (a_weights @ products @ b_weights))


def _extrema(degree: int) -> np.ndarray:
    """Return the extrema of the Chebyshev polynomial on [0, 1], from 1 down to 0."""
    # cos² keeps full relative accuracy near 0, which ½(1 + cos) does not.
    return np.cos(0.5 * np.pi * np.arange(degree + 1) / degree) ** 2


def _coefficients(values: np.ndarray) -> np.ndarray:
    """Return the Chebyshev series through values at `_extrema`."""
    coefficients = dct(values, type=1) / (values.size - 1)
    coefficients[[0, -1]] *= 0.5
    return coefficients


def _resolved(coefficients: np.ndarray) -> np.ndarray:
    """Return the coefficients without their negligible tail."""
    size = np.abs(coefficients)
    return coefficients[: np.flatnonzero(size > _RESOLVED * size.max())[-1] + 1]


def _interpolate(function: Callable[[float], float]) -> np.ndarray:
    """Return the Chebyshev series of `function` on [0, 1], its negligible tail cut off."""
    degree = 8
    values = np.array([function(x) for x in _extrema(degree)])
    while degree < _MAX_DEGREE:
        degree *= 2
        # Every other point is an old one.
        refined = np.empty(degree + 1)
        refined[::2] = values
        refined[1::2] = [function(x) for x in _extrema(degree)[1::2]]
        values = refined
        series = _resolved(_coefficients(values))
        if series.size <= 0.75 * degree:
            return series
    raise ValueError(f"κ′ is not resolved by a Chebyshev series of degree {_MAX_DEGREE}")


def _mean_over_gap(series: np.ndarray, widest: float) -> np.ndarray:
    """Return the series of (1/s)∫₀^s κ′ from that of κ′; both in ϑ/`widest`.

    With s ∝ sin² ϑ it is ∫₀¹ κ′(ϑv) ϑ sin(2ϑv)/sin² ϑ dv: a mean with a positive weight.
    """
    degree = series.size + 16  # the weight adds a few terms, as few as the sine's own series has
    v, weights = legendre.leggauss(degree)
    v = 0.5 * (v + 1.0)
    fraction = _extrema(degree)
    values = chebyshev.chebval(2.0 * np.outer(fraction, v) - 1.0, series)
    angle = widest * fraction[:, None]
    # np.sinc(x) is sin(πx)/(πx); 2v is the limit ϑ → 0.
    density = 2.0 * v * np.sinc(2.0 * angle * v / np.pi) / np.sinc(angle / np.pi) ** 2
    return _resolved(_coefficients(np.sum(values * density * (0.5 * weights), axis=1)))
