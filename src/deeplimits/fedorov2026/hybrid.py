"""The hybrid model: two tokens, unnormalized attention, a deterministic part and scalar noise.

x_i ← LN(x_i + η·½Σ_j e^{β⟨x_i,x_j⟩}x_j), η = Δt + ε√Δt ξ, with ξ = ±1 drawn afresh at each layer
and shared by both tokens. In z = artanh ρ a layer is exact and free of cancellation. Only the
threshold ε² = 2e^{−β} is the paper's (arXiv 2601.21942); this model is ours.
"""

from dataclasses import dataclass

import numpy as np

from deeplimits.fedorov2026 import checks


@dataclass(frozen=True, kw_only=True)
class HybridLayer:
    """z ← z + log|1 + η(a+b)| − log|1 + η(a−b)|, a = ½e^β and b = ½e^{βρ}, for arrays of replicas.

    Attributes
    ----------
    beta
        β ≥ 0.
    epsilon
        ε ≥ 0, the scale of the noise.
    dt
        Δt = T/L > 0.

    Raises
    ------
    ValueError
        If a parameter is out of its range.
    """

    beta: float
    epsilon: float
    dt: float

    def __post_init__(self) -> None:
        checks.not_negative("beta", self.beta)
        checks.not_negative("epsilon", self.epsilon)
        checks.positive("dt = T/L", self.dt)

    def __call__(self, rng: np.random.Generator, z: np.ndarray) -> np.ndarray:
        """Return z after the layer."""
        return self.move(z, 2.0 * rng.integers(0, 2, z.shape, dtype=np.int8) - 1.0)

    def move(self, z: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """Return z after a layer with the noise ξ."""
        eta = self.dt + self.epsilon * np.sqrt(self.dt) * xi
        a, b = 0.5 * np.exp(self.beta), 0.5 * np.exp(self.beta * np.tanh(z))
        return z + np.log(np.abs(1.0 + eta * (a + b))) - np.log(np.abs(1.0 + eta * (a - b)))
