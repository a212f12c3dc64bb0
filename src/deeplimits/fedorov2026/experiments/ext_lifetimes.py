"""Beyond the paper: how long antipodal clusters of k and n − k tokens last.

The abstract says that antipodal formations persist. Runs start there, slightly perturbed, and go
on until they have settled in another formation: one cluster, or another division of the tokens.
Such a run is not followed further. Everyone else is looked at in equal steps of depth. By our
derivation (docs/fedorov2026.md) only k = n/2 stays, where d − 2 < cosh 2β, and the others last a
time of order e^{2β}, in which the horizon is given. The whole experiment is ours.
"""

from typing import Self

import numpy as np
from pydantic import Field, model_validator

from deeplimits import rng, sphere
from deeplimits.fedorov2026 import formations, gram
from deeplimits.fedorov2026.layer import evolve
from deeplimits.schema import Axes, Column, Dimension, NonNegative, Positive, PositiveInt, Settings

__all__ = ["COLUMNS", "ROW_KEY", "SETTLED", "Cell", "Protocol", "simulate"]

SETTLED = 1e-3
"""1 − |cos| of all pairs at which a run has settled in a formation."""


class Cell(Axes):
    """One formation in one model, σ = 1."""

    n: int = Field(ge=2, description="number of tokens")
    k: PositiveInt = Field(description="tokens in the smaller cluster at the start, at most n/2")
    beta: NonNegative = Field(description="β")
    d: Dimension = Field(description="dimension of the tokens")
    dt: Positive = Field(description="Δt")
    horizon: Positive = Field(description="T/e^{2β}")

    @model_validator(mode="after")
    def _smaller(self) -> Self:
        if 2 * self.k > self.n:
            raise ValueError(f"k = {self.k} is not the smaller part of n = {self.n} tokens")
        return self


class Protocol(Settings):
    """Start, looks and number of the runs."""

    perturbation: float = Field(
        gt=0,
        le=0.01,
        description="standard deviation of the Gaussian noise that moves each coordinate of a "
        "token off its pole at the start",
    )
    looks: int = Field(ge=4, multiple_of=4, description="depths at which runs are looked at")
    replicas: int = Field(ge=2, description="number of independent runs")
    block: PositiveInt = Field(description="runs that share a random stream and go side by side")


ROW_KEY = ("look",)
COLUMNS = (
    Column("look", "int64", "1", "index of the look; 0 is the start"),
    Column("t", "float64", "1", "depth"),
    Column("replicas", "int64", "1", "number of runs"),
    Column("running", "int64", "1", "runs that have not settled in another formation by now"),
    Column("intact", "int64", "1", "of these, antipodal with k against n − k tokens, |cos| ≥ .9"),
    Column("merged", "int64", "1", "runs that have settled in one cluster"),
    Column("divided", "int64", "1", "runs that have settled in another antipodal formation"),
    Column("antipodal", "int64", "1", "runs in any antipodal formation, |cos| ≥ .9, or `divided`"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run all replicas and count them at every look."""
    horizon = cell.horizon * np.exp(2 * cell.beta)
    per_look = int(np.ceil(horizon / (settings.looks * cell.dt)))
    layer = gram.GramLayer(beta=cell.beta, dt=cell.dt, d=cell.d)
    counts = np.zeros((settings.looks + 1, 5), dtype=np.int64)
    for generator, size in rng.blocks(seed, settings.replicas, settings.block):
        start = _perturbed(generator, size, cell, settings.perturbation)
        counts += _run_block(generator, layer, start, cell.k, per_look, settings.looks)
    look = np.arange(settings.looks + 1)
    return {
        "look": look,
        "t": look * per_look * cell.dt,
        "replicas": np.full(look.size, settings.replicas),
        **dict(zip(("running", "intact", "merged", "divided", "antipodal"), counts.T, strict=True)),
    }


def _perturbed(
    generator: np.random.Generator, size: int, cell: Cell, perturbation: float
) -> np.ndarray:
    """Coordinates of k tokens near a pole and n − k near the opposite one."""
    x = perturbation * generator.standard_normal((size, cell.n, cell.d))
    x[:, : cell.k, 0] += 1.0
    x[:, cell.k :, 0] -= 1.0
    return gram.coordinates(sphere.normalize(x))


def _run_block(
    generator: np.random.Generator,
    layer: gram.GramLayer,
    x: np.ndarray,
    k: int,
    per_look: int,
    looks: int,
) -> np.ndarray:
    """Counts at every look: running, intact, merged, divided and antipodal."""
    counts = np.zeros((looks + 1, 5), dtype=np.int64)
    merged = divided = 0
    for look in range(looks + 1):
        if look and len(x):
            x = evolve(generator, x, layer, per_look)
        products = sphere.gram(x)
        settled = formations.classify(products, SETTLED)
        met = settled.outcome == formations.ONE_CLUSTER
        other = (settled.outcome == formations.ANTIPODAL) & (settled.minority != k)
        merged += np.count_nonzero(met)
        divided += np.count_nonzero(other)
        going = ~(met | other)
        now = formations.classify(products)
        antipodal = going & (now.outcome == formations.ANTIPODAL)
        counts[look] = (
            np.count_nonzero(going),
            np.count_nonzero(antipodal & (now.minority == k)),
            merged,
            divided,
            np.count_nonzero(antipodal) + divided,
        )
        if not going.all():
            x = _select(x, going)
    return counts


def _select(x: np.ndarray, going: np.ndarray) -> np.ndarray:
    """The replicas that go on, as neighbours in memory where they were."""
    return np.moveaxis(np.compress(going, np.moveaxis(x, 0, -1), axis=-1), -1, 0)
