"""Distance in law between the discrete two-token chain at depth L and its limit L → ∞.

Convergence in distribution to a system driven by a common matrix Brownian motion is the paper's
(arXiv 2601.21942); that it shows in the weak error of smooth functions of ρ = ⟨x₁, x₂⟩ at depth T,
its rate 1/L and this experiment are ours. The entries of V are Gaussian, by the exact chain of ρ,
or Rademacher, the paper's case of bounded entries, by drawing V; then the tokens start in a random
direction, for ρ alone is no Markov chain. The number of runs grows with L, as the error falls.
"""

from typing import Literal

import numpy as np
from pydantic import Field

from deeplimits import rng, sphere
from deeplimits.fedorov2026 import pair
from deeplimits.fedorov2026.layer import evolve
from deeplimits.fedorov2026.model import DirectLayer
from deeplimits.schema import Axes, Column, Dimension, NonNegative, Positive, PositiveInt, Settings

FUNCTIONS = {
    "square": np.square,
    "exponential": np.exp,
    "cosine": lambda rho: np.cos(np.pi * rho),
}
"""The smooth functions f of ρ, by name: ρ², e^ρ and cos πρ."""


class Cell(Axes):
    """One model, start and depth."""

    entries: Literal["gaussian", "rademacher"] = Field(description="law of the entries of V")
    d: Dimension = Field(description="dimension of the tokens")
    beta: NonNegative = Field(description="β")
    rho0: float = Field(gt=-1, lt=1, description="ρ₀, the cosine of the two tokens at depth 0")
    horizon: Positive = Field(description="T")
    layers: PositiveInt = Field(description="L")


class Protocol(Settings):
    """Number of the runs."""

    gaussian: PositiveInt = Field(description="runs a layer: L times as many runs, Gaussian V")
    rademacher: PositiveInt = Field(description="the same for Rademacher V")
    block: PositiveInt = Field(description="runs that share a random stream and go side by side")


ROW_KEY = ("function",)
COLUMNS = (
    Column("function", "string", "1", "f: square ρ², exponential e^ρ, cosine cos πρ"),
    Column("replicas", "int64", "1", "number of runs"),
    Column("mean", "float64", "1", "mean of f(ρ_T)"),
    Column("variance", "float64", "1", "variance of f(ρ_T)"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run all pairs and summarise every function of their last cosines."""
    run = {"gaussian": _chain, "rademacher": _vectors}[cell.entries]
    replicas = getattr(settings, cell.entries) * cell.layers
    rho = np.concatenate(
        [
            run(generator, cell, size)
            for generator, size in rng.blocks(seed, replicas, settings.block)
        ]
    )
    values = [f(rho) for f in FUNCTIONS.values()]
    return {
        "function": np.array(list(FUNCTIONS)),
        "replicas": np.full(len(FUNCTIONS), replicas),
        "mean": np.array([value.mean() for value in values]),
        "variance": np.array([value.var(ddof=1) for value in values]),
    }


def _chain(generator: np.random.Generator, cell: Cell, size: int) -> np.ndarray:
    """Cosines ρ_T with Gaussian V."""
    layer = pair.PairLayer(beta=cell.beta, d=cell.d, dt=cell.horizon / cell.layers)
    start = pair.at_cosine(np.full(size, cell.rho0))
    return 1.0 - evolve(generator, start, layer, cell.layers).one_minus


def _vectors(generator: np.random.Generator, cell: Cell, size: int) -> np.ndarray:
    """Cosines ρ_T with Rademacher V, from a pair in a uniformly random position."""
    layer = DirectLayer(beta=cell.beta, dt=cell.horizon / cell.layers, entries="rademacher")
    x = sphere.uniform(generator, (size, 2), cell.d)
    first, second = x[:, 0], x[:, 1]
    second -= np.einsum("rk,rk->r", first, second)[:, None] * first
    second[...] = cell.rho0 * first + np.sqrt(1.0 - cell.rho0**2) * sphere.normalize(second)
    x = evolve(generator, x, layer, cell.layers)
    return np.einsum("rk,rk->r", x[:, 0], x[:, 1])
