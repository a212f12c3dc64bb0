"""The slope of log(1 + ρ) of two almost antipodal tokens, on both sides of the threshold.

Antipodal tokens attract iff d − 2 < cosh 2β (arXiv 2601.21942), which is where the exponent
(d−1)sech²β − 2 at ρ = −1 is negative; the exponent and this experiment are ours. The exact chain of
ρ starts so close to −1 that the noise acts linearly for the whole run: log(1 + ρ) is then a random
walk, recorded at a fixed depth, half of it and the whole. A start at 1 + ρ = 1e-8 would need runs
to be stopped where they come near the middle, and those are the ones that moved most: their mean
slope would be biased. The step is set by ε = (d−1)Δt, the mean squared tangential noise of a layer
at σ = 1; several ε show the trend.
"""

from typing import Self

import numpy as np
from pydantic import Field, model_validator

from deeplimits import rng
from deeplimits.fedorov2026 import pair, theory
from deeplimits.fedorov2026.layer import evolve
from deeplimits.schema import Axes, Column, Dimension, Positive, PositiveInt, Settings


class Cell(Axes):
    """One model and step."""

    d: Dimension = Field(description="dimension of the tokens")
    offset: float = Field(description="β − β*(d), β* = ½ arcosh(d−2)")
    epsilon: Positive = Field(description="ε = (d−1)Δt, mean squared tangential noise of a layer")

    @model_validator(mode="after")
    def _beta_is_not_negative(self) -> Self:
        if self.beta < 0:
            raise ValueError(f"beta = β*({self.d}) + offset = {self.beta:.3g} must not be negative")
        return self

    @property
    def beta(self) -> float:
        """β."""
        return theory.critical_beta(self.d) + self.offset

    @property
    def dt(self) -> float:
        """Δt."""
        return self.epsilon / (self.d - 1)


class Protocol(Settings):
    """Start, length and number of the runs."""

    start: float = Field(gt=0, lt=1, description="1 + ρ at depth 0")
    leave: float = Field(gt=0, lt=1, description="1 + ρ that no run may exceed")
    horizon: Positive = Field(description="depth T at least")
    replicas: int = Field(ge=2, description="number of independent pairs")
    block: PositiveInt = Field(description="pairs that share a random stream and go side by side")


ROW_KEY = ("replica", "layer")
COLUMNS = (
    Column("replica", "int64", "1", "index of the independent pair"),
    Column("layer", "int64", "1", "ℓ, number of layers passed"),
    Column("t", "float64", "1", "depth ℓ Δt"),
    Column("log_ratio", "float64", "1", "log[(1+ρ_t)/(1+ρ_0)], ρ the cosine of the two tokens"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run all pairs and record them at half depth and at the end.

    Raises
    ------
    ValueError
        If a pair leaves the neighbourhood of −1, or comes so close to it that its chain is frozen:
        the settings ask for too long a run.
    """
    layer = pair.PairLayer(beta=cell.beta, d=cell.d, dt=cell.dt)
    half = int(np.ceil(0.5 * settings.horizon / cell.dt))
    one_plus = np.concatenate(
        [
            _run_block(generator, layer, pair.near_antipodal(np.full(size, settings.start)), half)
            for generator, size in rng.blocks(seed, settings.replicas, settings.block)
        ]
    )
    if not pair.FLOOR <= one_plus.min() <= one_plus.max() <= settings.leave:
        raise ValueError(f"1 + ρ left [{pair.FLOOR}, {settings.leave}]: ask for a shorter horizon")
    layers = np.array([half, 2 * half])
    return {
        "replica": np.repeat(np.arange(settings.replicas), layers.size),
        "layer": np.tile(layers, settings.replicas),
        "t": np.tile(layers * cell.dt, settings.replicas),
        "log_ratio": np.log(one_plus / settings.start).ravel(),
    }


def _run_block(
    generator: np.random.Generator, layer: pair.PairLayer, start: pair.Pair, half: int
) -> np.ndarray:
    """1 + ρ after `half` and 2·`half` layers: shape (replicas, 2)."""
    middle = evolve(generator, start, layer, half)
    end = evolve(generator, middle, layer, half)
    return np.stack([middle.one_plus, end.one_plus], axis=1)
