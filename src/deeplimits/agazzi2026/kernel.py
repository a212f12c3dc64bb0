"""The covariance kernel κ of the MLP field: Cov(G(x), G(y)) = κ(⟨x, y⟩)·I_d, at every width.

κ(u) = E[φ(V₁)φ(V₂)] + σ_W² for centred Gaussian V₁, V₂ of variance q = 1/d + σ_U² and covariance
c = u/d + σ_U² = ρq. Near synchrony the theory lives on the gap s = 1 − u, so everything here is a
function of s that keeps its relative accuracy as s → 0.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from deeplimits.agazzi2026 import activations
from deeplimits.agazzi2026.closed_forms import FORMS, Form
from deeplimits.agazzi2026.quadrature import InterpolatedKernel


@dataclass(frozen=True)
class Kernel:
    """κ for an activation, dimension and bias deviations; κ ≡ 0 for the activation "none".

    Parameters
    ----------
    activation : str
        Name, as `activations.get` takes it.
    d : int
        Dimension of the tokens, at least 2.
    sigma_u, sigma_w : float
        Standard deviations of the biases b_U (per hidden unit) and b_W (per output).

    Raises
    ------
    ValueError
        For an unknown activation, d < 2, a negative or non-finite deviation, or a swish(b) so sharp
        that its quadrature would need too many nodes.

    Notes
    -----
    Closed forms for ReLU, erf and GELU, quadrature to about 1e-12 relative for the others
    (`quadrature`). Methods take arrays of any shape.
    """

    activation: str
    d: int
    sigma_u: float = 0.0
    sigma_w: float = 0.0

    def __post_init__(self):
        activations.get(self.activation)
        if self.d < 2:
            raise ValueError(f"d must be at least 2, got {self.d}")
        for name in ("sigma_u", "sigma_w"):
            value = getattr(self, name)
            if not 0.0 <= value < math.inf:
                raise ValueError(f"{name} must be finite and not negative, got {value}")

    @property
    def q(self) -> float:
        """The variance 1/d + σ_U² of a hidden unit before φ."""
        return 1.0 / self.d + self.sigma_u**2

    @property
    def odd(self) -> bool:
        """Whether the field is odd, G(−x) = −G(x): then κ is odd and −x is as attracting as x."""
        return activations.get(self.activation).odd and self.sigma_u == self.sigma_w == 0.0

    @cached_property
    def kappa1(self) -> float:
        """κ(1) = E[φ(√q Z)²] + σ_W²."""
        if activations.get(self.activation).absent:
            return 0.0
        return self._form.power + self.sigma_w**2

    @cached_property
    def dkappa1(self) -> float:
        """κ′(1) = E[φ′(√q Z)²]/d."""
        return float(self.derivative(1.0))

    def __call__(self, u: ArrayLike) -> np.ndarray:
        """Return κ(u), u ∈ [−1, 1]; where u is near 1, `gap` tells more of it."""
        return self.kappa1 - self.gap(1.0 - np.asarray(u))

    def derivative(self, u: ArrayLike) -> np.ndarray:
        """Return κ′(u), u ∈ [−1, 1]."""
        return self._form.slope(1.0 - np.asarray(u))

    def gap(self, s: ArrayLike) -> np.ndarray:
        """Return κ(1) − κ(1 − s), s ∈ [0, 2], with full relative accuracy down to s = 1e-300."""
        return s * self.gap_ratio(s)

    def gap_ratio(self, s: ArrayLike) -> np.ndarray:
        """Return (κ(1) − κ(1 − s))/s, s ∈ [0, 2]; its value at s = 0 is κ′(1)."""
        return self._form.ratio(np.asarray(s))

    @cached_property
    def _form(self) -> Form:
        activation = activations.get(self.activation)
        closed_form = FORMS.get(activation.name)
        if closed_form is not None:
            return closed_form(self.d, self.q)
        return InterpolatedKernel(activation, self.d, self.q)
