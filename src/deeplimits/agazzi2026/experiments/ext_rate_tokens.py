"""Beyond the paper: distance W₂² between the laws of two independent sets of N tokens, over N.

The paper bounds E sup_t W₂² between the law of N tokens and its limit N → ∞, and tests it nowhere.
The limit is out of reach, so two populations of N tokens that share all layers are compared, for
several N. Given the layers they are independent and equal in law. Hence E W₂² between them is at
most 4 times that to the limit, and without attention, by convexity, at least once: the rates agree
(our derivation). With attention a bias that both populations have in common does not show.

A field drawn jointly at so many tokens is affordable at finite m only. L, m and the whole
experiment are ours.
"""

import numpy as np
from pydantic import Field

from deeplimits import rng, sphere
from deeplimits.agazzi2026 import activations, coupling, model
from deeplimits.agazzi2026.levels import Levels
from deeplimits.agazzi2026.levels import NoisyModel as Cell
from deeplimits.schema import Column, NonNegative, Positive, PositiveInt, Settings

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]


class Protocol(Settings):
    """Sizes of the populations and number of runs."""

    sizes: Levels = Field(description="N of the populations, two of each in every run")
    layers: PositiveInt = Field(description="L")
    horizon: Positive = Field(description="T; Δt = T/L")
    width: PositiveInt = Field(description="m")
    beta: NonNegative = Field(description="β of the attention")
    replicas: int = Field(ge=2, description="number of independent runs")
    block: PositiveInt = Field(description="runs that share a random stream and go side by side")
    stride: PositiveInt = Field(description="layers between recorded depths; divides L")


ROW_KEY = ("replica", "tokens", "layer")
COLUMNS = (
    Column("replica", "int64", "1", "index of the independent run"),
    Column("tokens", "int64", "1", "N of both populations"),
    Column("layer", "int64", "1", "ℓ, number of layers passed"),
    Column("t", "float64", "1", "depth ℓ Δt"),
    Column("layers", "int64", "1", "L"),
    Column("width", "int64", "1", "m"),
    Column("distance", "float64", "1", "W₂² between the two populations, by optimal assignment"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run two populations of every size in every replica, and record their distances."""
    parts = [
        _run_block(cell, settings, generator, size)
        for generator, size in rng.blocks(seed, settings.replicas, settings.block)
    ]
    layers = np.arange(0, settings.layers + 1, settings.stride)
    index = np.meshgrid(layers, settings.sizes, np.arange(settings.replicas), indexing="ij")
    layer, tokens, replica = (values.ravel() for values in index)
    return {
        "replica": replica,
        "tokens": tokens,
        "layer": layer,
        "t": layer * (settings.horizon / settings.layers),
        "layers": np.full(layer.size, settings.layers),
        "width": np.full(layer.size, settings.width),
        "distance": np.concatenate(parts, axis=-1).ravel(),
    }


def _run_block(
    cell: Cell, settings: Protocol, generator: np.random.Generator, size: int
) -> np.ndarray:
    """Distances in `size` runs, as (recorded depths, sizes, runs)."""
    activation = activations.get(cell.activation)
    states = coupling.populations(
        generator,
        [sphere.uniform(generator, (size, n), cell.d) for n in settings.sizes for _ in range(2)],
        model.ReducedMlp(activation, settings.width, cell.sigma_u, cell.sigma_w),
        layers=settings.layers,
        dt=settings.horizon / settings.layers,
        scale=cell.a,
        beta=settings.beta,
    )
    return np.array(
        [
            [coupling.squared_distance(x, y) for x, y in zip(state[::2], state[1::2], strict=True)]
            for layer, state in enumerate(states)
            if layer % settings.stride == 0
        ]
    )
