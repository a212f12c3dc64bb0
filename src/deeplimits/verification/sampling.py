"""Which cells are recomputed: a random sample that a seed decides, dear cells less often.

Every experiment is represented: its cells stand in random order, one of cost c before one of cost
c′ with the odds c′ : c (Efraimidis and Spirakis 2006), and the first of each are taken.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from deeplimits import grid, rng

Name = tuple[str, ...]


class Priced(NamedTuple):
    """A cell and the seconds that it takes."""

    cell: grid.Point
    seconds: float


def within(
    experiments: Mapping[Name, Sequence[Priced]], seed: int, budget: float
) -> dict[Name, list[Priced]]:
    """Cells that take about `budget` seconds: an equal share an experiment, but one cell at least.

    What an experiment leaves of its share is not given to others, so that adding an experiment
    moves the sample of another by the share alone.
    """
    share = budget / max(len(experiments), 1)
    return {
        name: _first(_shuffled(name, cells, seed), share) for name, cells in experiments.items()
    }


def of_number(
    experiments: Mapping[Name, Sequence[Priced]], seed: int, number: int
) -> dict[Name, list[Priced]]:
    """`number` cells, in turn from each experiment."""
    lines = {name: _shuffled(name, cells, seed) for name, cells in experiments.items()}
    turns = sorted(
        (place, order, name)
        for order, (name, cells) in enumerate(lines.items())
        for place in range(len(cells))
    )
    taken = [name for _, _, name in turns[:number]]
    return {name: lines[name][: taken.count(name)] for name in lines}


def _shuffled(name: Name, cells: Sequence[Priced], seed: int) -> list[Priced]:
    """Cells in an order that their own values decide, not their place in the grid."""

    def lot(priced: Priced) -> float:
        draws = rng.generator(np.random.SeedSequence(rng.derive(seed, "/".join(name), priced.cell)))
        return draws.standard_exponential() * priced.seconds

    return sorted(cells, key=lot)


def _first(cells: Sequence[Priced], share: float) -> list[Priced]:
    """The first cells of a line whose costs fit into the share; the first of all in any case."""
    taken: list[Priced] = []
    left = share
    for priced in cells:
        if not taken or priced.seconds <= left:
            taken.append(priced)
            left -= priced.seconds
        if left <= 0:
            break
    return taken
