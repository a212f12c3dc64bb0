"""The limit of infinite depth: the Itô equation on the sphere, and that of two tokens alone.

dx_i = σ P_i dB m_i + aP_i m_i dt − ½σ²(d−1)|m_i|² x_i dt, with P_i = I − x_i x_iᵀ, a d×d matrix B
of independent Brownian motions common to all tokens, and the means m_i of `layer`. The convergence
in law to a system driven by a common matrix Brownian motion is the paper's (arXiv 2601.21942), the
equation is our derivation. Euler–Maruyama converges to Itô solutions; the Stratonovich equation
has another drift, so Heun's scheme would solve another model.

Two tokens with softmax attention obey, in z = artanh ρ,
dz = [σ²((d−2)p + ρ(1−p)) + a(1−τ)]dt + σ√(2(1−p))dB, τ = tanh(β(1−ρ)/2), p = (1−τ²)/2.
Its coefficients are smooth and bounded, and z is not confined.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from deeplimits import attention, gaussian, sphere
from deeplimits.fedorov2026 import checks
from deeplimits.fedorov2026.layer import Layer, TokenLayer


class Coefficients(NamedTuple):
    """Drift and diffusion b, c of dz = b dt + c dB."""

    drift: np.ndarray
    diffusion: np.ndarray


@dataclass(frozen=True, kw_only=True)
class EulerLayer(TokenLayer):
    """An Euler–Maruyama step of the Itô equation on unit tokens (R, n, d), and projection by LN."""

    _scratch: gaussian.Scratch = field(
        default_factory=gaussian.Scratch, init=False, repr=False, compare=False
    )

    def __call__(self, rng: np.random.Generator, x: np.ndarray) -> np.ndarray:
        """Return the tokens after the step."""
        y = x + self.increment(rng, x)
        return sphere.normalize(y, out=y)

    def increment(self, rng: np.random.Generator, x: np.ndarray) -> np.ndarray:
        """Draw the increment of the step before projection."""
        means = self.weights(sphere.gram(x)) @ x
        noise = np.empty_like(means)
        gaussian.random_linear(rng, means, 0.0, noise, self._scratch)  # ΔB m_i/√Δt, one ΔB for all
        noise *= self.amplitude
        noise += self.drift * self.dt * means
        noise -= np.einsum("rik,rik->ri", x, noise)[..., None] * x
        correction = 0.5 * self.amplitude**2 * (x.shape[-1] - 1)
        noise -= correction * np.einsum("rik,rik->ri", means, means)[..., None] * x
        return noise


@dataclass(frozen=True, kw_only=True)
class PairEulerLayer(Layer):
    """An Euler–Maruyama step of the equation of z = artanh ρ, for arrays of replicas.

    Attributes
    ----------
    d
        Dimension, at least 2.
    """

    d: int

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.dimension(self.d)

    def __call__(self, rng: np.random.Generator, z: np.ndarray) -> np.ndarray:
        """Return z after the step."""
        drift, diffusion = self.coefficients(z)
        return z + drift * self.dt + diffusion * np.sqrt(self.dt) * rng.standard_normal(z.shape)

    def coefficients(self, z: np.ndarray) -> Coefficients:
        """Drift and diffusion at z."""
        tau = attention.pair_contrast(2.0 * expit(-2.0 * z), self.beta)
        p = 0.5 * (1.0 - tau * tau)
        noise = (self.d - 2) * p + np.tanh(z) * (1.0 - p)
        drift = self.sigma**2 * noise + self.drift * (1.0 - tau)
        return Coefficients(drift, self.sigma * np.sqrt(2.0 * (1.0 - p)))
