"""What all forms of the value-noise model share: parameters, attention, the loop over layers.

A layer is x_i ← LN(x_i + aΔt m_i + σ√Δt V m_i), m_i = Σ_j A_ij x_j, with V drawn afresh at each
layer, of iid centred entries of unit variance, and shared by the tokens. Value noise, the
attention-only residual branch at scale 1/√L and LN onto the unit sphere are the paper's (arXiv
2601.21942); this working form, with its scales σ and a, is ours.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np

from deeplimits import attention
from deeplimits.fedorov2026 import checks

State = TypeVar("State")


@dataclass(frozen=True, kw_only=True)
class Layer:
    """Parameters of a layer; its subclasses are called as layer(rng, state) → next state.

    Attributes
    ----------
    beta
        β ≥ 0, with QᵀK = βI.
    dt
        Δt = T/L > 0.
    sigma
        σ ≥ 0, the scale of the noise.
    drift
        a, the scale of the deterministic part V = I.

    Raises
    ------
    ValueError
        If a parameter is out of its range.
    """

    beta: float
    dt: float
    sigma: float = 1.0
    drift: float = 0.0

    def __post_init__(self) -> None:
        checks.not_negative("beta", self.beta)
        checks.positive("dt = T/L", self.dt)
        checks.not_negative("sigma", self.sigma)
        if not np.isfinite(self.drift):
            raise ValueError(f"drift must be finite, got {self.drift}")

    @property
    def amplitude(self) -> float:
        """σ√Δt."""
        return self.sigma * np.sqrt(self.dt)


@dataclass(frozen=True, kw_only=True)
class TokenLayer(Layer):
    """A layer that acts on unit tokens, as rows of arrays (replicas, n, coordinates).

    Attributes
    ----------
    attention
        "softmax": A_ij = e^{β⟨x_i,x_j⟩}/Σ_k e^{β⟨x_i,x_k⟩}; "unnormalized": A_ij =
        e^{β⟨x_i,x_j⟩}/n.
    """

    attention: Literal["softmax", "unnormalized"] = "softmax"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.attention not in ("softmax", "unnormalized"):
            raise ValueError(f'attention must be "softmax" or "unnormalized", got {self.attention}')

    def weights(self, gram: np.ndarray) -> np.ndarray:
        """A from the Gram matrix of the tokens, (..., n, n)."""
        if self.attention == "softmax":
            return attention.weights(gram, self.beta)
        return np.exp(self.beta * gram) / gram.shape[-1]


def evolve(
    rng: np.random.Generator,
    state: State,
    layer: Callable[[np.random.Generator, State], State],
    layers: int,
    record: Callable[[int, State], None] | None = None,
) -> State:
    """Run a state through `layers` layers and return the last one.

    Parameters
    ----------
    rng
        Source of all draws.
    state
        State before layer 0; not changed.
    layer
        One layer of any form of the model.
    layers
        L.
    record
        Called as record(ℓ, state) before each layer ℓ = 0, …, L − 1 and as ℓ = L after the last.
        It must copy what it wants to keep.
    """
    for index in range(layers):
        if record is not None:
            record(index, state)
        state = layer(rng, state)
    if record is not None:
        record(layers, state)
    return state
