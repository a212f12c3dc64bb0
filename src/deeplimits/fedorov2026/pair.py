"""The exact two-token chain of the model with Gaussian V, at O(1) random numbers a layer.

For two tokens softmax attention leaves the sum alone and shrinks the difference by
τ = tanh(β(1−ρ)/2). V acts on the two orthogonal vectors by independent noises, so the cosine ρ is
a Markov chain, exact in law at every Δt and d ≥ 2, whose cost does not depend on d. It is carried
as 1 − ρ and 1 + ρ, free of cancellation at both ends: log slopes can be followed down to `FLOOR`.
Our derivation, from the model of arXiv 2601.21942.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from deeplimits import attention, sphere
from deeplimits.fedorov2026 import checks
from deeplimits.fedorov2026.layer import Layer

FLOOR = 1e-300
"""A replica with 1 − ρ or 1 + ρ below this keeps its state from then on."""


class Pair(NamedTuple):
    """1 − ρ and 1 + ρ of replicas of two tokens, arrays of one shape."""

    one_minus: np.ndarray
    one_plus: np.ndarray

    @property
    def z(self) -> np.ndarray:
        """The z = artanh ρ, finite also where ρ rounds to ±1."""
        return 0.5 * (np.log(self.one_plus) - np.log(self.one_minus))


def at_cosine(rho0: ArrayLike) -> Pair:
    """Pairs with the given cosines.

    Raises
    ------
    ValueError
        If a cosine is not in (−1, 1).
    """
    checks.cosine("rho0", rho0)
    rho0 = np.asarray(rho0, dtype=np.float64)
    return Pair(1.0 - rho0, 1.0 + rho0)


def near_antipodal(one_plus: ArrayLike) -> Pair:
    """Pairs with the given 1 + ρ ∈ (0, 2)."""
    one_plus = np.asarray(one_plus, dtype=np.float64)
    return Pair(2.0 - one_plus, one_plus)


def near_consensus(one_minus: ArrayLike) -> Pair:
    """Pairs with the given 1 − ρ ∈ (0, 2)."""
    return Pair(*near_antipodal(one_minus)[::-1])


@dataclass(frozen=True, kw_only=True)
class PairLayer(Layer):
    """One layer of the chain, softmax attention.

    Attributes
    ----------
    d
        Dimension, at least 2.

    Notes
    -----
    Sum and difference before normalisation are |x₁ ± x₂| times S = (1+aΔt)e_s + h g_s and
    D = (1+aΔtτ)e_d + hτ g_d, with h = σ√Δt, e_s ⟂ e_d of unit length and g_s, g_d independent
    N(0, I_d).
    """

    d: int

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.dimension(self.d)

    def __call__(self, rng: np.random.Generator, state: Pair) -> Pair:
        """Return the pairs after the layer; those that are at the floor are drawn for, and kept."""
        tau = attention.pair_contrast(state.one_minus, self.beta)
        step, h = self.drift * self.dt, self.amplitude
        a, b, _, determinant = sphere.pair_gram(
            rng, 1.0 + step, 1.0 + step * tau, h, h * tau, self.d
        )
        a *= state.one_plus
        b *= state.one_minus
        determinant *= state.one_plus * state.one_minus
        moved = sphere.pair_cosine(a, b, determinant)
        moving = np.minimum(state.one_minus, state.one_plus) >= FLOOR
        if moving.all():
            return Pair(*moved)
        return Pair(*(np.where(moving, new, old) for new, old in zip(moved, state, strict=True)))
