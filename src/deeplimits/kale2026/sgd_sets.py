"""The data sets on which SGD is tried: balanced ones, and ones with a rare point. Ours."""

import numpy as np
from pydantic import Field

from deeplimits.kale2026 import data
from deeplimits.kale2026.sets import Labelled
from deeplimits.schema import Dimension, PositiveInt, Settings

PAIR = "mirrored pair"
RARE = "1 in "


class SgdSets(Settings):
    """Which sets, and how many independent runs on each."""

    replicas: int = Field(
        ge=2, description="runs on each set, each with its own samples and its own random points"
    )
    minority: list[Dimension] = Field(
        min_length=1, description="sets of n points with one on the other side, for each n"
    )
    sizes: list[PositiveInt] = Field(min_length=1, description="n of the random sets")
    d: Dimension = Field(description="dimension of the random sets")
    support: int = Field(ge=2, description="points of a random set that lie at the margin")


def build(
    settings: SgdSets, generator: np.random.Generator, gamma: float, *, toy: bool
) -> list[Labelled]:
    """Return every set once for each run: mirrored pair, rare points, random and, if asked, toy."""
    chosen = []
    for k in range(settings.replicas):
        chosen.append(Labelled(PAIR, gamma, k, data.unbalanced(2, gamma)))
        for n in settings.minority:
            chosen.append(Labelled(f"{RARE}{n}", gamma, k, data.unbalanced(n, gamma)))
        for n in settings.sizes:
            z = data.synthetic(generator, n, settings.d, gamma, settings.support)
            chosen.append(Labelled(f"random, n = {n}", gamma, k, z))
        if toy:
            chosen.append(Labelled("toy", float(data.TOY_GAMMA), k, data.toy()))
    return chosen


def one_in(name: str) -> int:
    """Return n where the set of that name is one rare point in n, 0 where it is balanced."""
    return int(name.removeprefix(RARE)) if name.startswith(RARE) else 0
