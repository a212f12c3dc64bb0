"""Fig. 1: components of the tokens of one run over depth, without attention.

The paper's setting: N = 64, d = 4, L = 2000, T = 20, m = 2048, σ_U = σ_W = 0, one run a panel.
Uniform starts and the seed are our choice; the activations share start and seed where `paired`.
"""

from typing import Self

import numpy as np
from pydantic import Field, model_validator

from deeplimits import rng, sphere
from deeplimits.agazzi2026 import activations, model
from deeplimits.agazzi2026.axes import Mlp as Cell
from deeplimits.schema import Column, Positive, PositiveInt, Settings

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]


class Protocol(Settings):
    """Sizes of the run."""

    tokens: int = Field(ge=2, description="N")
    layers: PositiveInt = Field(description="L")
    horizon: Positive = Field(description="T; Δt = T/L")
    width: PositiveInt = Field(description="m")
    stride: PositiveInt = Field(description="layers between recorded depths; divides `layers`")

    @model_validator(mode="after")
    def _records_the_end(self) -> Self:
        if self.layers % self.stride:
            raise ValueError(f"stride {self.stride} does not divide layers {self.layers}")
        return self


ROW_KEY = ("layer", "token")
COLUMNS = (
    Column("layer", "int64", "1", "ℓ, number of layers passed"),
    Column("token", "int64", "1", "index of the token"),
    Column("t", "float64", "1", "depth ℓ Δt"),
    Column("x1", "float64", "1", "first component"),
    Column("x2", "float64", "1", "second component"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run the model once and record two components of every token."""
    generator = rng.generator(seed)
    dt = settings.horizon / settings.layers
    layers, components = [], []

    def record(layer: int, x: np.ndarray) -> None:
        if layer % settings.stride == 0:
            layers.append(layer)
            components.append(x[0, :, :2].copy())

    model.evolve(
        generator,
        sphere.uniform(generator, (1, settings.tokens), cell.d),
        layers=settings.layers,
        dt=dt,
        noise=model.ReducedMlp(
            activations.get(cell.activation), settings.width, cell.sigma_u, cell.sigma_w
        ),
        record=record,
    )
    x = np.concatenate(components)
    layer = np.repeat(layers, settings.tokens)
    return {
        "layer": layer,
        "token": np.tile(np.arange(settings.tokens), len(layers)),
        "t": layer * dt,
        "x1": x[:, 0],
        "x2": x[:, 1],
    }
