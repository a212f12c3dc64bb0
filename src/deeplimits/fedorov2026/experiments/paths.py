"""Tokens on S² over depth: one run of noise alone, or of the deterministic flow.

By drawing V (σ = 1, a = 0), or with V = I at scale 1/L (σ = 0, a = 1), from the same uniform start
where `dynamics` is paired. Model and contrast are those of arXiv 2601.21942; the protocol is ours.
"""

from typing import Literal, Self

import numpy as np
from pydantic import Field, model_validator

from deeplimits import rng, sphere
from deeplimits.fedorov2026.layer import evolve
from deeplimits.fedorov2026.model import DirectLayer
from deeplimits.schema import Axes, Column, NonNegative, Positive, PositiveInt, Settings


class Cell(Axes):
    """What moves the tokens."""

    dynamics: Literal["noise", "flow"] = Field(description="σ = 1, a = 0, or σ = 0, a = 1")
    beta: NonNegative = Field(description="β, with QᵀK = βI")


class Protocol(Settings):
    """Sizes of the run, and its records."""

    tokens: int = Field(ge=2, description="n")
    layers: PositiveInt = Field(description="L")
    horizon: Positive = Field(description="T; Δt = T/L")
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
    Column("x1", "float64", "1", "first coordinate"),
    Column("x2", "float64", "1", "second coordinate"),
    Column("x3", "float64", "1", "third coordinate"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run the model once and record every token."""
    generator = rng.generator(seed)
    noisy = cell.dynamics == "noise"
    dt = settings.horizon / settings.layers
    layer = DirectLayer(beta=cell.beta, dt=dt, sigma=float(noisy), drift=float(not noisy))
    layers, tokens = [], []

    def record(index: int, x: np.ndarray) -> None:
        if index % settings.stride == 0:
            layers.append(index)
            tokens.append(x[0].copy())

    start = sphere.uniform(generator, (1, settings.tokens), 3)
    evolve(generator, start, layer, settings.layers, record)
    x = np.concatenate(tokens)
    passed = np.repeat(layers, settings.tokens)
    return {
        "layer": passed,
        "token": np.tile(np.arange(settings.tokens), len(layers)),
        "t": passed * dt,
        "x1": x[:, 0],
        "x2": x[:, 1],
        "x3": x[:, 2],
    }
