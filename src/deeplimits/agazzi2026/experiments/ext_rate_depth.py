"""Beyond the paper: strong error of the discrete model in its number of layers L, at m = ∞.

The paper's theorem bounds E sup_t (1/N) Σ_i |X_L^i − X^i|² by a constant times 1/L at the depths
ℓT/L, and tests it nowhere. Here chains of several L run on the same Gaussian field as a reference
of many layers, which stands in for X (`coupling.depth_chains`). The whole experiment is ours.
"""

import math
from typing import Self

import numpy as np
from pydantic import Field, model_validator

from deeplimits import rng, sphere
from deeplimits.agazzi2026 import coupling
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.agazzi2026.levels import Levels
from deeplimits.agazzi2026.levels import NoisyModel as Cell
from deeplimits.schema import Column, NonNegative, Positive, PositiveInt, Settings

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]


class Protocol(Settings):
    """Sizes of the chains and number of runs."""

    tokens: PositiveInt = Field(description="N")
    depths: Levels = Field(description="L of the chains, each at most a sixteenth of the reference")
    reference: PositiveInt = Field(description="L of the reference, a multiple of all `depths`")
    horizon: Positive = Field(description="T; a chain has Δt = T/L")
    beta: NonNegative = Field(description="β of the attention")
    replicas: int = Field(ge=2, description="number of independent runs")
    block: PositiveInt = Field(description="runs that share a random stream and go side by side")

    @model_validator(mode="after")
    def _refine(self) -> Self:
        for depth in self.depths:
            if self.reference % depth or self.reference < 16 * depth:
                raise ValueError(
                    f"reference {self.reference} must be a multiple of the depth {depth}, and at "
                    "least 16 times as large"
                )
        return self


ROW_KEY = ("replica", "layers")
COLUMNS = (
    Column("replica", "int64", "1", "index of the independent run"),
    Column("layers", "int64", "1", "L of the chain"),
    Column("reference", "int64", "1", "L of the reference"),
    Column("tokens", "int64", "1", "N"),
    Column("horizon", "float64", "1", "T"),
    Column(
        "error_own",
        "float64",
        "1",
        "largest (1/N) Σ_i |X_L^i − X_ref^i|² over all depths ℓT/L of the chain",
    ),
    Column(
        "error_common",
        "float64",
        "1",
        "the same over those depths that all chains of the run have",
    ),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run all chains in every replica, and keep the largest distance of each to the reference."""
    parts = [
        _run_block(cell, settings, generator, size)
        for generator, size in rng.blocks(seed, settings.replicas, settings.block)
    ]
    own, common = np.concatenate(parts, axis=-1)
    return {
        "replica": np.tile(np.arange(settings.replicas), len(settings.depths)),
        "layers": np.repeat(settings.depths, settings.replicas),
        "reference": np.full(own.size, settings.reference),
        "tokens": np.full(own.size, settings.tokens),
        "horizon": np.full(own.size, settings.horizon),
        "error_own": own.ravel(),
        "error_common": common.ravel(),
    }


def _run_block(
    cell: Cell, settings: Protocol, generator: np.random.Generator, size: int
) -> np.ndarray:
    """Largest errors at a chain's own and at the common depths, as (2, chains, runs)."""
    largest = np.zeros((2, len(settings.depths), size))
    meetings = coupling.depth_chains(
        generator,
        sphere.uniform(generator, (size, settings.tokens), cell.d),
        Kernel(cell.activation, cell.d, cell.sigma_u, cell.sigma_w),
        depths=settings.depths,
        reference=settings.reference,
        horizon=settings.horizon,
        scale=cell.a,
        beta=settings.beta,
    )
    common = math.lcm(*(settings.reference // depth for depth in settings.depths))
    for chain, layer, x, reference in meetings:
        kinds = slice(None) if layer % common == 0 else slice(1)
        error = coupling.mean_square(x, reference)
        largest[kinds, chain] = np.maximum(largest[kinds, chain], error)
    return largest
