"""Beyond the paper: strong error of the discrete model in its width m, at a fixed number of layers.

The paper's theorem adds to its bound of E sup_t (1/N) Σ_i |X^i_{L,m} − X^i|² a term 1/m that does
not grow with L, and tests it nowhere. Here chains of several m run on the same output normals as
the chain of m = ∞ (`coupling.width_chains`), for several L. The whole experiment is ours.
"""

import numpy as np
from pydantic import Field

from deeplimits import rng, sphere
from deeplimits.agazzi2026 import coupling
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.agazzi2026.levels import Levels, NoisyModel
from deeplimits.schema import Column, NonNegative, Positive, PositiveInt, Settings


class Cell(NoisyModel):
    """One model and number of layers."""

    layers: PositiveInt = Field(description="L of all chains")


class Protocol(Settings):
    """Sizes of the chains and number of runs."""

    tokens: PositiveInt = Field(description="N")
    widths: Levels = Field(description="m of the chains")
    horizon: Positive = Field(description="T; Δt = T/L")
    beta: NonNegative = Field(description="β of the attention")
    replicas: int = Field(ge=2, description="number of independent runs")
    block: PositiveInt = Field(description="runs that share a random stream and go side by side")


ROW_KEY = ("replica", "width")
COLUMNS = (
    Column("replica", "int64", "1", "index of the independent run"),
    Column("width", "int64", "1", "m of the chain"),
    Column("tokens", "int64", "1", "N"),
    Column("horizon", "float64", "1", "T"),
    Column("error", "float64", "1", "largest (1/N) Σ_i |X_m^i − X_∞^i|² over all depths"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run all chains in every replica, and keep the largest distance of each to m = ∞."""
    parts = [
        _run_block(cell, settings, generator, size)
        for generator, size in rng.blocks(seed, settings.replicas, settings.block)
    ]
    error = np.concatenate(parts, axis=-1)
    return {
        "replica": np.tile(np.arange(settings.replicas), len(settings.widths)),
        "width": np.repeat(settings.widths, settings.replicas),
        "tokens": np.full(error.size, settings.tokens),
        "horizon": np.full(error.size, settings.horizon),
        "error": error.ravel(),
    }


def _run_block(
    cell: Cell, settings: Protocol, generator: np.random.Generator, size: int
) -> np.ndarray:
    """Largest errors of `size` runs, as (chains, runs)."""
    largest = np.zeros((len(settings.widths), size))
    meetings = coupling.width_chains(
        generator,
        sphere.uniform(generator, (size, settings.tokens), cell.d),
        Kernel(cell.activation, cell.d, cell.sigma_u, cell.sigma_w),
        widths=settings.widths,
        layers=cell.layers,
        horizon=settings.horizon,
        scale=cell.a,
        beta=settings.beta,
    )
    for chain, _, x, reference in meetings:
        largest[chain] = np.maximum(largest[chain], coupling.mean_square(x, reference))
    return largest
