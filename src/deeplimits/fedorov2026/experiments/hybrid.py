"""Where two tokens of the hybrid model end, below and above the noise threshold.

Consensus for ε² < 2e^{−β}, antipodal for ε² > 2e^{−β} is the paper's (arXiv 2601.21942); our form
of the model is in `hybrid`, and this experiment is ours. Tokens start at right angles, and every
doubling of the depth is recorded: near the threshold they take long to decide. The clock of the
slow end, −1, is e^{−β}t, and the step is set by e^βΔt, the largest deterministic move of a layer.
"""

import numpy as np
from pydantic import Field

from deeplimits import rng
from deeplimits.fedorov2026 import theory
from deeplimits.fedorov2026.hybrid import HybridLayer
from deeplimits.fedorov2026.layer import evolve
from deeplimits.schema import Axes, Column, NonNegative, Positive, PositiveInt, Settings


class Cell(Axes):
    """One model."""

    beta: NonNegative = Field(description="β")
    ratio: NonNegative = Field(description="ε²/(2e^{−β}), 1 at the threshold")

    @property
    def epsilon(self) -> float:
        """ε."""
        return float(np.sqrt(self.ratio * theory.hybrid_threshold(self.beta)))


class Protocol(Settings):
    """Length, step and number of the runs."""

    clock: Positive = Field(description="e^{−β}t at the first recorded depth")
    doublings: int = Field(ge=2, description="how often the recorded depth doubles after that")
    step: Positive = Field(description="e^βΔt at most")
    near: float = Field(gt=0, lt=1, description="1 ∓ ρ below which tokens count as at ±1")
    replicas: int = Field(ge=2, description="number of independent pairs")
    block: PositiveInt = Field(description="pairs that share a random stream and go side by side")


ROW_KEY = ("layer",)
COLUMNS = (
    Column("layer", "int64", "1", "ℓ, number of layers passed"),
    Column("t", "float64", "1", "depth ℓ Δt"),
    Column("clock", "float64", "1", "e^{−β}t"),
    Column("near", "float64", "1", "1 ∓ ρ below which tokens count as at ±1"),
    Column("replicas", "int64", "1", "number of pairs"),
    Column("antipodal", "int64", "1", "number of pairs near ρ = −1"),
    Column("consensus", "int64", "1", "number of pairs near ρ = 1"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run all pairs and count outcomes at every doubling."""
    first = settings.clock * np.exp(cell.beta)
    per_first = int(np.ceil(first * np.exp(cell.beta) / settings.step))
    layers = per_first * 2 ** np.arange(settings.doublings + 1)
    dt = first / per_first
    layer = HybridLayer(beta=cell.beta, epsilon=cell.epsilon, dt=dt)
    counts = sum(
        _run_block(generator, layer, size, layers, settings.near)
        for generator, size in rng.blocks(seed, settings.replicas, settings.block)
    )
    return {
        "layer": layers,
        "t": layers * dt,
        "clock": layers * dt * np.exp(-cell.beta),
        "near": np.full(layers.size, settings.near),
        "replicas": np.full(layers.size, settings.replicas),
        "antipodal": counts[:, 0],
        "consensus": counts[:, 1],
    }


def _run_block(
    generator: np.random.Generator, layer: HybridLayer, size: int, layers: np.ndarray, near: float
) -> np.ndarray:
    """Numbers of pairs near −1 and near 1 at the given layers, from ρ = 0: shape (layers, 2)."""
    z = np.zeros(size)
    # 1 + ρ = 2/(1 + e^{−2z}) < near.
    bound = 0.5 * np.log((2.0 - near) / near)
    counts = []
    for passed in np.diff(layers, prepend=0):
        z = evolve(generator, z, layer, int(passed))
        counts.append((np.count_nonzero(z < -bound), np.count_nonzero(z > bound)))
    return np.array(counts)
