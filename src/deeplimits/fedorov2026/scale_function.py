"""The scale function of the two-token diffusion, by quadrature in z = artanh ρ.

In z the scale density is s(z) = sech z · exp(−(d−2)K(z)), K′(z) = sech(β(1 − tanh z)). All of it is
analytic in the strip |Im z| < π/4 whatever β, and log s is concave and beyond |z| = 20 linear to
rounding. So Gauss's rule on fixed panels, with the two exponential tails in closed form, is exact
to rounding: also close to the transition, where the slope δ = 1 − (d−2)sech 2β of the left tail
tends to 0 and nearly all the mass lies out there. Our derivation and method.
"""

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import ArrayLike

from deeplimits.fedorov2026 import checks

REACH = 20.0
"""|z| from which on tanh z = ±1 to rounding, and log s is linear."""

_WIDTH = 0.25  # of a panel; twice as wide ones lose digits from d = 10⁴ on
_NODES, _WEIGHTS = legendre.leggauss(16)


def _integration_matrix() -> np.ndarray:
    """Entry (i, j): ∫ from −1 to node j of the polynomial that is 1 at node i, 0 at the others."""
    series = np.linalg.inv(legendre.legvander(_NODES, _NODES.size - 1))
    return legendre.legval(_NODES, legendre.legint(series, lbnd=-1))


_TO_NODES = _integration_matrix()


def sech(y: ArrayLike) -> np.ndarray:
    """1/cosh y, without overflow."""
    e = np.exp(-np.abs(y))
    return 2 * e / (1 + e * e)


class ScaleFunction:
    """Integrals of the scale density s of z = artanh ρ, for given β and d.

    Attributes
    ----------
    beta, d
        β ≥ 0 and the dimension, at least 2.
    left_slope : float
        δ = 1 − (d−2)sech 2β, the slope of log s at −∞: −1 attracts iff it is positive.

    Raises
    ------
    ValueError
        For d < 2 or β negative or not finite.
    """

    def __init__(self, beta: float, d: int):
        checks.dimension(d)
        checks.not_negative("beta", beta)
        self.beta, self.d = beta, d
        # 1 − sech 2β − (d−3)sech 2β: for d = 3 nothing cancels as β → 0.
        gap = np.expm1(-2 * beta) ** 2 / (1 + np.exp(-4 * beta))
        self.left_slope = float(gap - (d - 3) * sech(2 * beta))

    def upper_share(self, z: ArrayLike) -> np.ndarray:
        """∫_z^∞ s / ∫_{−∞}^∞ s: the probability to reach −∞ from z; 0 where −1 repels.

        Parameters
        ----------
        z : array_like
            Real numbers, ±∞ included.

        Returns
        -------
        ndarray
            In the shape of `z`; absolute error below 1e-14 up to d = 10⁴, 1e-10 up to 10⁶.

        Raises
        ------
        ValueError
            If a z is NaN.
        """
        z = np.asarray(z, dtype=np.float64)
        if np.isnan(z).any():
            raise ValueError("z must not be NaN")
        if self.left_slope <= 0:
            return np.zeros(z.shape)[()]
        inside, place = np.unique(np.clip(z, -REACH, REACH), return_inverse=True)
        edges = np.union1d(np.linspace(-REACH, REACH, round(2 * REACH / _WIDTH) + 1), inside)
        log_s, panels = self._integrate(edges)
        ends = np.exp(log_s[[0, -1]])
        left, right = ends[0] / self.left_slope, ends[1] / (self.d - 1)
        above = right + np.append(np.cumsum(panels[::-1])[::-1], 0.0)
        upper = above[np.searchsorted(edges, inside)][place].reshape(z.shape)
        # Beyond REACH the tails decay on.
        upper = np.where(z > REACH, right * np.exp(-(self.d - 1) * np.maximum(z - REACH, 0)), upper)
        beyond = -np.expm1(self.left_slope * np.minimum(z + REACH, 0))
        return (upper + left * beyond) / (above[0] + left)

    def _slope(self, z: np.ndarray) -> np.ndarray:
        """K′(z) = sech(β(1 − tanh z))."""
        return sech(2 * self.beta / (1 + np.exp(2 * z)))

    def _integrate(self, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return log s at the edges, 0 at its maximum there, and the integrals over the panels."""
        half = 0.5 * np.diff(edges)[:, None]
        nodes = edges[:-1, None] + half * (1 + _NODES)
        slope = half * self._slope(nodes)
        # K is taken to be 0 at the left end: it is small, and its error too, where s is not.
        K = np.append(0.0, np.cumsum(slope @ _WEIGHTS))
        log_s = self._log(edges, K)
        top = log_s.max()
        inner = self._log(nodes, K[:-1, None] + slope @ _TO_NODES)
        return log_s - top, half[:, 0] * (np.exp(inner - top) @ _WEIGHTS)

    def _log(self, z: np.ndarray, K: np.ndarray) -> np.ndarray:
        """Return log s up to a constant."""
        return -(self.d - 2) * K - np.logaddexp(z, -z)
