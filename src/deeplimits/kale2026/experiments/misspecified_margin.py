"""What breaks where the reconstructed schedule is told a wrong margin, and from when.

GD on the same data sets, told γ̂ in place of their margin γ. Told too little, steps are small and
stable; told too much, η_t L exceeds the limit of guaranteed descent for a while. Schedule and
experiment are ours; the paper's abstract says only that there is a margin condition.
"""

import numpy as np
from pydantic import Field

from deeplimits.kale2026 import checks, descent, records, schedules, sets, trace
from deeplimits.kale2026.gd_runs import Protocol
from deeplimits.kale2026.problem import Problems
from deeplimits.schema import Axes, Positive

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]


class Cell(Axes):
    """The factor by which the margin is wrong; all data sets are run at once."""

    factor: Positive = Field(description="γ̂/γ, the margin told over the true one")


ROW_KEY = (*sets.KEY, "t")
COLUMNS = (*sets.COLUMNS, *records.COLUMNS)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run the schedule on all sets from w₀ = 0, told `factor` times their margins."""
    chosen = sets.build(settings, seed)
    told = cell.factor * sets.margins(chosen)
    checks.margin(f"factor {cell.factor:g}: the margin told", told)
    problems = Problems([one.z for one in chosen])
    at = trace.checkpoints(settings.last, settings.per_decade)
    runs = descent.run(problems, schedules.get("reconstructed"), told, at)
    return {**sets.labels(chosen, at.size), **records.rows(runs)}
