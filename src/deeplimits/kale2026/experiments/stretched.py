"""The law of the reconstructed schedule: −ln L → y with y + y³/6 = γ²t, whatever γ and n.

GD told the true margin, on random sets and on sets with one minority point. Law, schedule and
experiment are ours (`theory.decay`); the paper's abstract says only that the convergence is
(stretched-)exponential.
"""

import numpy as np
from pydantic import Field

from deeplimits.kale2026 import descent, records, schedules, sets, trace
from deeplimits.kale2026.problem import Problems
from deeplimits.schema import Axes, Dimension, PositiveInt, Settings

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]


class Cell(Axes):
    """The size of the data sets; all margins are run at once."""

    n: Dimension = Field(description="points of a set, at least the support points")


class Protocol(Settings):
    """Data sets and length of the runs."""

    gammas: list[sets.Margin] = Field(min_length=1, description="γ of the sets")
    replicas: PositiveInt = Field(description="random sets at each γ")
    d: Dimension = Field(description="dimension of a random set")
    support: int = Field(ge=2, description="points of a random set that lie at the margin")
    last: PositiveInt = Field(description="iterations")
    per_decade: PositiveInt = Field(description="recorded iterations a decade")


ROW_KEY = (*sets.KEY, "t")
COLUMNS = (*sets.COLUMNS, *records.COLUMNS)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run the schedule on random sets of n points and on one point against n − 1."""
    family = sets.Sets(
        gammas=settings.gammas,
        replicas=settings.replicas,
        n=cell.n,
        d=settings.d,
        support=settings.support,
        minority=[cell.n],
    )
    # The toy set has a size and a margin of its own.
    chosen = [one for one in sets.build(family, seed) if one.data != "toy"]
    problems = Problems([one.z for one in chosen])
    at = trace.checkpoints(settings.last, settings.per_decade)
    runs = descent.run(problems, schedules.get("reconstructed"), sets.margins(chosen), at)
    return {**sets.labels(chosen, at.size), **records.rows(runs)}
