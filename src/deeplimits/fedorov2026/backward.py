"""E f(ρ_T) of two tokens in the limit of infinite depth, by the backward equation in z = artanh ρ.

u(t, z) = E f(ρ_t) from ρ₀ = tanh z solves ∂ₜu = b u′ + ½c² u″ with the coefficients of
`sde.PairEulerLayer`, u(0, z) = f(tanh z). They are smooth and bounded, so that differences of
fourth order on a uniform grid suffice, and the exponential of their matrix has no error in time.
Beyond |z| = `REACH`, where 1 − |ρ| < 1e-8, u hardly depends on z, and the grid ends with values
that stay. Our method, for the equation that is our derivation from arXiv 2601.21942.
"""

from collections.abc import Callable

import numpy as np
from scipy import sparse
from scipy.interpolate import CubicSpline
from scipy.linalg import expm

from deeplimits.fedorov2026 import checks
from deeplimits.fedorov2026.sde import PairEulerLayer

REACH = 10.0
"""|z| where the grid ends."""
STEP = 0.08
"""Default grid step in z: errors are then below 1e-5 for d ≤ 8 and smooth f of the size of 1."""


def mean_at(
    f: Callable[[np.ndarray], np.ndarray],
    *,
    beta: float,
    d: int,
    horizon: float,
    rho0: float,
    step: float = STEP,
) -> np.ndarray:
    """Return E f(ρ_T), T = `horizon`, of the limit equation with σ = 1 and no deterministic part.

    Parameters
    ----------
    f : callable
        Maps cosines (k,) to values (k, …): all functions are carried at once.
    beta, d, horizon, rho0
        β ≥ 0, d ≥ 2, T > 0 and ρ₀ ∈ (−1, 1), |artanh ρ₀| well inside `REACH`.
    step : float
        Grid step; the error is O(step⁴).

    Returns
    -------
    ndarray
        In the shape of a value of f.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    checks.positive("horizon", horizon)
    checks.cosine("rho0", rho0)
    z = np.linspace(-REACH, REACH, 2 * round(REACH / step) + 1)
    layer = PairEulerLayer(beta=beta, d=d, dt=horizon)
    generator = _generator(z, *layer.coefficients(z))
    u = np.tensordot(expm(horizon * generator), f(np.tanh(z)), axes=1)
    return CubicSpline(z, u)(np.arctanh(rho0))


def _generator(z: np.ndarray, drift: np.ndarray, diffusion: np.ndarray) -> np.ndarray:
    """The matrix of b ∂ + ½c² ∂², of fourth order; zero in two rows at both ends."""
    h = z[1] - z[0]
    places = (-2, -1, 0, 1, 2)
    shape = (z.size, z.size)
    first = sparse.diags(np.array([1, -8, 0, 8, -1]) / (12 * h), places, shape=shape)
    second = sparse.diags(np.array([-1, 16, -30, 16, -1]) / (12 * h * h), places, shape=shape)
    inside = np.zeros(z.size)
    inside[2:-2] = 1.0
    drift, variance = (inside * v for v in (drift, diffusion**2))
    return (sparse.diags(drift) @ first + sparse.diags(0.5 * variance) @ second).toarray()
