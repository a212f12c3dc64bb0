"""The collection of data sets on which the GD experiments of the paper compare rules: ours."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from deeplimits import rng
from deeplimits.kale2026 import data
from deeplimits.schema import Column, Dimension, PositiveInt, Settings

Margin = Annotated[float, Field(gt=0, lt=1)]


class Sets(Settings):
    """Random sets at every margin, and beside them the sets on which large steps oscillate."""

    gammas: list[Margin] = Field(min_length=1, description="γ of the random and unbalanced sets")
    replicas: PositiveInt = Field(description="random sets at each γ")
    n: PositiveInt = Field(description="points of a random set")
    d: Dimension = Field(description="dimension of a random set")
    support: int = Field(ge=2, description="points of a random set that lie at the margin")
    minority: list[Dimension] = Field(description="unbalanced sets: one point in so many")


@dataclass(frozen=True)
class Labelled:
    """One set: its kind, its margin, its number among those of its kind and margin, its points."""

    data: str
    gamma: float
    replica: int
    z: np.ndarray


KEY = ("data", "gamma", "replica")
COLUMNS = (
    Column("data", "string", "1", "kind of the data set: random, unbalanced (1 in n) or toy"),
    Column("gamma", "float64", "1", "γ, its margin"),
    Column("replica", "int64", "1", "index of the random set; 0 for the others"),
)


def build(settings: Sets, seed: np.random.SeedSequence) -> list[Labelled]:
    """Return the random sets, the unbalanced ones, and the toy set."""
    shape = settings.n, settings.d
    numbered = [(gamma, k) for gamma in settings.gammas for k in range(settings.replicas)]
    streams = rng.blocks(seed, len(numbered), 1)
    random = [
        Labelled("random", gamma, k, data.synthetic(stream, *shape, gamma, settings.support))
        for (gamma, k), (stream, _) in zip(numbered, streams, strict=True)
    ]
    unbalanced = [
        Labelled(f"1 in {n}", gamma, 0, data.unbalanced(n, gamma))
        for gamma in settings.gammas
        for n in settings.minority
    ]
    return [*random, *unbalanced, Labelled("toy", float(data.TOY_GAMMA), 0, data.toy())]


def labels(sets: list[Labelled], rows: int) -> dict[str, np.ndarray]:
    """Return the columns `KEY`, each set repeated for its number of rows."""
    return {name: np.repeat([getattr(one, name) for one in sets], rows) for name in KEY}


def margins(sets: list[Labelled]) -> np.ndarray:
    """Return γ in the shape (P, 1) that the drivers take: one run on each set, told the truth."""
    return np.array([[one.gamma] for one in sets])
