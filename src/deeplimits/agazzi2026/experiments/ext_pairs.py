"""Beyond the paper: whether two tokens meet, from a start at right angles.

Two tokens at m = ∞ without attention, by the exact chain of their cosine u, recorded at a geometric
sequence of depths. Where λ₁ < 0 and the field G is not odd they should meet in the end, u → 1 in
probability; where it is odd, |u| → 1; where λ₁ > 0, neither. Depths are given by their clock
τ = (κ(1) + κ′(1))t, in which log(1 − u) has variance 4τ near synchrony, steps by
ε = κ(1)(d−1)Δt. The whole experiment is ours.
"""

import numpy as np
from pydantic import Field

from deeplimits import rng
from deeplimits.agazzi2026 import pair
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.agazzi2026.two_tokens import Model as Cell
from deeplimits.schema import Column, Positive, PositiveInt, Settings

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]


class Protocol(Settings):
    """Length, step and number of the runs."""

    clock: Positive = Field(description="τ at the first recorded depth")
    doublings: PositiveInt = Field(description="how often the recorded depth doubles after that")
    epsilon: Positive = Field(description="κ(1)(d−1)Δt at most")
    replicas: int = Field(ge=2, description="number of independent pairs")
    block: PositiveInt = Field(description="pairs that share a random stream and go side by side")


ROW_KEY = ("replica", "layer")
COLUMNS = (
    Column("replica", "int64", "1", "index of the independent pair"),
    Column("layer", "int64", "1", "ℓ, number of layers passed"),
    Column("t", "float64", "1", "depth ℓ Δt"),
    Column("clock", "float64", "1", "τ = (κ(1) + κ′(1))t"),
    Column("gap", "float64", "1", "1 − u, u the cosine of the two tokens"),
    Column("axial_gap", "float64", "1", "1 − |u|"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run all pairs and record them at every doubling."""
    kernel = Kernel(cell.activation, cell.d, cell.sigma_u, cell.sigma_w)
    rate = kernel.kappa1 + kernel.dkappa1
    first = settings.clock / rate
    per_first = int(np.ceil(first * kernel.kappa1 * (cell.d - 1) / settings.epsilon))
    layers = per_first * 2 ** np.arange(settings.doublings + 1)
    dt = first / per_first
    parts = [
        _run_block(generator, kernel, size, layers, dt)
        for generator, size in rng.blocks(seed, settings.replicas, settings.block)
    ]
    gap, axial_gap = np.concatenate(parts, axis=1)
    layer = np.tile(layers, settings.replicas)
    return {
        "replica": np.repeat(np.arange(settings.replicas), layers.size),
        "layer": layer,
        "t": layer * dt,
        "clock": layer * dt * rate,
        "gap": gap.ravel(),
        "axial_gap": axial_gap.ravel(),
    }


def _run_block(
    generator: np.random.Generator, kernel: Kernel, size: int, layers: np.ndarray, dt: float
) -> np.ndarray:
    """1 − u and 1 − |u| at the given layers, from u = 0: shape (2, size, layers)."""
    state = pair.near_synchrony(np.ones(size))
    gaps = []
    for passed in np.diff(layers, prepend=0):
        state = pair.evolve(generator, kernel, state, layers=int(passed), dt=dt)
        gaps.append((state.one_minus, np.minimum(state.one_minus, state.one_plus)))
    return np.stack(gaps, axis=-1)
