"""Iterations and work until the loss of gradient descent is at most a target, rule by rule.

The sets and rules of `gd_losses`, with the loss compared to the targets at every iteration. Work
counts gradients and the trial losses of a line search alike. The rule "reconstructed" is our
reconstruction of the paper's schedule; targets, sets and sizes are our choice.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from deeplimits.kale2026 import descent, schedules, sets
from deeplimits.kale2026.gd_runs import Cell
from deeplimits.kale2026.problem import Problems
from deeplimits.schema import Column, PositiveInt

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]


Target = Annotated[float, Field(le=-1)]  # below ln L(w_0) = ln ln 2 = −.37


class Protocol(sets.Sets):
    """Data sets, targets and length of the runs."""

    last: PositiveInt = Field(description="iterations")
    targets: list[Target] = Field(min_length=1, description="values of ln L to be reached")


ROW_KEY = (*sets.KEY, "target")
COLUMNS = (
    *sets.COLUMNS,
    Column("target", "float64", "1", "value of ln L to be reached"),
    Column("last", "int64", "1", "iterations of the run"),
    Column("iterations", "float64", "1", "first t with ln L(w_t) ≤ target", nullable=True),
    Column("work", "float64", "1", "gradients and trial losses computed by then", nullable=True),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run the rule on all sets from w₀ = 0, told their true margins; NaN where never reached."""
    chosen = sets.build(settings, seed)
    runs = descent.run(
        Problems([one.z for one in chosen]),
        schedules.get(cell.rule),
        sets.margins(chosen),
        np.array([settings.last]),
        np.array(settings.targets),
    )
    targets = np.tile(settings.targets, len(chosen))
    return {
        **sets.labels(chosen, len(settings.targets)),
        "target": targets,
        "last": np.full(targets.size, settings.last),
        "iterations": _or_nan(runs.reached),
        "work": _or_nan(runs.reached_work),
    }


def _or_nan(reached: np.ndarray) -> np.ndarray:
    return np.where(reached < 0, np.nan, reached).ravel()
