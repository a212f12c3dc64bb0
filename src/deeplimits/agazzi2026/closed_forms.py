"""The kernel κ of ReLU, erf and GELU in closed form, rearranged so that nothing cancels as s → 0.

Every class takes (d, q) and gives, without σ_W², the `Form` of κ: E[φ(√q Z)²], κ′ and the ratio
(κ(1) − κ(1 − s))/s. Throughout c = q − δ with δ = s/d. The closed forms themselves are known; the
rearrangements are our derivation.
"""

import math
from typing import Protocol

import numpy as np


class Form(Protocol):
    """A way to compute κ − σ_W² as a function of s = 1 − u ∈ [0, 2].

    Attributes
    ----------
    power : float
        E[φ(√q Z)²] = κ(1) − σ_W².
    """

    power: float

    def slope(self, s: np.ndarray) -> np.ndarray:
        """Return κ′(1 − s)."""
        ...

    def ratio(self, s: np.ndarray) -> np.ndarray:
        """Return (κ(1) − κ(1 − s))/s, which is κ′(1) at s = 0."""
        ...


def half_angle(s: np.ndarray, d: int, q: float) -> np.ndarray:
    """Return ϑ = ½ arccos ρ ∈ [0, π/2], ρ = c/q the correlation of V₁ and V₂ at u = 1 − s.

    Computed as arcsin √(s/(2dq)), from 1 − ρ = s/(dq): accurate relatively as s → 0.
    """
    return np.arcsin(np.sqrt(np.minimum(s / (2.0 * d * q), 1.0)))


class Absent:
    """κ of the model without an MLP: zero."""

    power = 0.0

    def __init__(self, d: int, q: float):
        pass

    def slope(self, s: np.ndarray) -> np.ndarray:
        """Return zeros."""
        return np.zeros_like(s, dtype=float)

    ratio = slope


class Relu:
    """κ of ReLU: (q/2π)[sin θ + (π − θ) cos θ], cos θ = ρ, and κ′ = (π − θ)/(2πd)."""

    def __init__(self, d: int, q: float):
        self._d, self._q = d, q
        self.power = 0.5 * q

    def slope(self, s: np.ndarray) -> np.ndarray:
        """Return κ′(1 − s), which has an infinite slope at s = 0 (the kink)."""
        return (0.5 - half_angle(s, self._d, self._q) / np.pi) / self._d

    def ratio(self, s: np.ndarray) -> np.ndarray:
        """Return κ′(1 − s) + w(θ)/(2πd), w = (θ − sin θ)/(1 − cos θ)."""
        half = half_angle(s, self._d, self._q)
        return self.slope(s) + _kink_term(half) / (2.0 * np.pi * self._d)


def _kink_term(half: np.ndarray) -> np.ndarray:
    """Return w = (θ − sin θ)/(1 − cos θ) = (x − sin x cos x)/sin² x at x = θ/2."""
    # Below x = 0.1 the numerator cancels, and the series errs by less than 1e-15.
    x = np.maximum(half, 0.1)
    sine = np.sin(x)
    direct = (x - sine * np.cos(x)) / (sine * sine)
    series = half * np.polyval(_KINK_SERIES, half * half)
    return np.where(half < 0.1, series, direct)


_KINK_SERIES = (4 / 18711, 8 / 4725, 4 / 315, 4 / 45, 2 / 3)


class Erf:
    """κ of erf: (2/π) arcsin(2c/(1 + 2q))."""

    def __init__(self, d: int, q: float):
        self._d, self._q = d, q
        self.power = 2.0 / math.pi * math.asin(2.0 * q / (1.0 + 2.0 * q))

    def _root(self, s: np.ndarray) -> np.ndarray:
        """Return √((1 + 2q)² − 4c²)."""
        return np.sqrt((1.0 + 2.0 * s / self._d) * (1.0 + 4.0 * self._q - 2.0 * s / self._d))

    def slope(self, s: np.ndarray) -> np.ndarray:
        """Return κ′ = (4/π)/(d√((1 + 2q)² − 4c²))."""
        return 4.0 / (np.pi * self._d * self._root(s))

    def ratio(self, s: np.ndarray) -> np.ndarray:
        """Return (4/(πs)) arctan x, x = 2δ/(√(1 + 4q) + √((1 + 2q)² − 4c²)).

        It is arcsin y₁ − arcsin y = 2 arctan[(y₁ − y)/(√(1 − y₁²) + √(1 − y²))].
        """
        scale = 2.0 / (math.sqrt(1.0 + 4.0 * self._q) + self._root(s)) / self._d
        return 4.0 / np.pi * scale * _arctan_ratio(scale * s)


class Gelu:
    """κ of GELU, zΦ(z): c[¼ + arcsin(c/P)/(2π)] + M/(2π√B).

    Here P = 1 + q, B = P² − c² and M = q² + c²(1 − q)/P; B₁ = 1 + 2q is B at c = q.
    """

    def __init__(self, d: int, q: float):
        self._d, self._q = d, q
        p = 1.0 + q
        arcsine = math.asin(q / p)
        self.power = q / 4 + (q * arcsine + 2.0 * q * q / (p * math.sqrt(1.0 + 2.0 * q))) / math.tau

    def _terms(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return c, √B and M."""
        delta = s / self._d
        c = self._q - delta
        root = np.sqrt((1.0 + delta) * (1.0 + 2.0 * self._q - delta))
        m = self._q**2 + c * c * (1.0 - self._q) / (1.0 + self._q)
        return c, root, m

    def slope(self, s: np.ndarray) -> np.ndarray:
        """Return κ′ = (1/d){¼ + [arcsin(c/P) + (c/√B)(3 − 4q/P + M/B)]/(2π)}."""
        c, root, m = self._terms(s)
        p = 1.0 + self._q
        bracket = np.arcsin(c / p) + c / root * (3.0 - 4.0 * self._q / p + m / (root * root))
        return (0.25 + bracket / (2.0 * np.pi)) / self._d

    def ratio(self, s: np.ndarray) -> np.ndarray:
        """Return the ratio from the differences of both terms of κ, δ divided out of each."""
        c, root, m = self._terms(s)
        p, root1 = 1.0 + self._q, math.sqrt(1.0 + 2.0 * self._q)
        roots = root1 + root
        # q arcsin(q/P) − c arcsin(c/P), over δ; the difference of arcsines as for erf.
        x = s / self._d / roots
        first = math.asin(self._q / p) + 2.0 * c / roots * _arctan_ratio(x)
        # M₁/√B₁ − M/√B, over δ, from M₁ − M = δ(q + c)(1 − q)/P and B − B₁ = δ(q + c).
        second = (self._q + c) / root1 * ((1.0 - self._q) / p + m / (root * roots))
        return (0.25 + (first + second) / (2.0 * np.pi)) / self._d


def _arctan_ratio(x: np.ndarray) -> np.ndarray:
    """Return arctan(x)/x for x ≥ 0, its limit 1 at x = 0."""
    # Below the smallest normal number the ratio is 1, and a division by zero is avoided.
    x = np.maximum(x, np.finfo(float).tiny)
    return np.arctan(x) / x


FORMS = {"none": Absent, "relu": Relu, "erf": Erf, "gelu": Gelu}
