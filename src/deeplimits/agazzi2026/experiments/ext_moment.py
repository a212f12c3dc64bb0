"""Beyond the paper: E[1 − u_t] of two tokens by simulation, for as long as replicas resolve it.

Two tokens at m = ∞ without attention start at right angles, u = 0, and follow the exact chain of
their cosine. Near synchrony the mean of (1 − u)² outgrows the squared mean of 1 − u like
e^{4(κ(1)+κ′(1))t}, so that R replicas act as R e^{−4(κ(1)+κ′(1))t} ones; the last depth is where
that falls to a given number. Refined steps allow the limit Δt → 0 to be extrapolated. The whole
experiment is ours.
"""

from typing import Self

import numpy as np
from pydantic import Field, model_validator

from deeplimits import rng
from deeplimits.agazzi2026 import pair, theory, two_tokens
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.schema import Column, Positive, PositiveInt, Settings


class Cell(two_tokens.Model):
    """One model and step."""

    refinement: PositiveInt = Field(description="layers for each layer of the largest step")


class Protocol(Settings):
    """Sizes of the runs."""

    epsilon: Positive = Field(description="κ(1)(d−1)Δt at most, at refinement 1")
    depths: PositiveInt = Field(description="number of recorded depths, evenly spaced")
    effective: PositiveInt = Field(description="R e^{−4(κ(1)+κ′(1))T}, which sets the last depth T")
    replicas: PositiveInt = Field(description="R, number of independent pairs")
    block: int = Field(ge=2, description="pairs that share a random stream and go side by side")

    @model_validator(mode="after")
    def _has_depth(self) -> Self:
        if self.effective >= self.replicas:
            raise ValueError(f"effective {self.effective} must be below replicas {self.replicas}")
        return self


ROW_KEY = ("block", "layer")
COLUMNS = (
    Column("block", "int64", "1", "index of the block of pairs"),
    Column("layer", "int64", "1", "ℓ, number of layers passed"),
    Column("t", "float64", "1", "depth ℓ Δt"),
    Column("pairs", "int64", "1", "number of pairs in the block"),
    Column("gap", "float64", "1", "mean over the block of 1 − u, u the cosine of the two tokens"),
    Column("square", "float64", "1", "mean over the block of (1 − u)²"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run all pairs, block by block, and keep the first two moments at every recorded depth."""
    kernel = Kernel(cell.activation, cell.d, cell.sigma_u, cell.sigma_w)
    horizon = np.log(settings.replicas / settings.effective) / theory.log_variance_rate(kernel)
    apart = horizon / settings.depths
    coarse = np.ceil(apart * kernel.kappa1 * (cell.d - 1) / settings.epsilon)
    stride = int(coarse) * cell.refinement
    dt = apart / stride
    layers = stride * np.arange(1, settings.depths + 1)
    sizes, moments = [], []
    for generator, size in rng.blocks(seed, settings.replicas, settings.block):
        sizes.append(size)
        moments.append(_run_block(generator, kernel, size, settings.depths, stride, dt))
    gap, square = np.concatenate(moments, axis=1)
    return {
        "block": np.repeat(np.arange(len(sizes)), settings.depths),
        "layer": np.tile(layers, len(sizes)),
        "t": np.tile(layers * dt, len(sizes)),
        "pairs": np.repeat(sizes, settings.depths),
        "gap": gap,
        "square": square,
    }


def _run_block(
    generator: np.random.Generator, kernel: Kernel, size: int, depths: int, stride: int, dt: float
) -> np.ndarray:
    """Means of 1 − u and (1 − u)² after every `stride` layers: shape (2, depths)."""
    state = pair.near_synchrony(np.ones(size))
    moments = []
    for _ in range(depths):
        state = pair.evolve(generator, kernel, state, layers=stride, dt=dt)
        moments.append((state.one_minus.mean(), np.square(state.one_minus).mean()))
    return np.transpose(moments)
