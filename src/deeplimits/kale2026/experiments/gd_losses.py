"""Gradient descent under every step-size rule, on the same data sets.

Random sets of a given margin, and beside them the unbalanced and the toy set, on which large steps
oscillate first. The rule "reconstructed" is our reconstruction of the paper's schedule, of which
only the abstract is known; sets, sizes and horizon are our choice.
"""

import numpy as np
from pydantic import Field

from deeplimits.kale2026 import descent, schedules, sets, trace
from deeplimits.kale2026.problem import Problems
from deeplimits.kale2026.schedules import RuleName
from deeplimits.schema import Axes, Column, PositiveInt

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]


class Cell(Axes):
    """The step-size rule; all data sets are run at once."""

    rule: RuleName = Field(description="step-size rule, e.g. reconstructed or constant(1)")


class Protocol(sets.Sets):
    """Data sets and length of the runs."""

    last: PositiveInt = Field(description="iterations")
    per_decade: PositiveInt = Field(description="recorded iterations a decade")


ROW_KEY = (*sets.KEY, "t")
COLUMNS = (
    *sets.COLUMNS,
    Column("t", "int64", "1", "iteration"),
    Column("log_loss", "float64", "1", "ln L(w_t)"),
    Column("log_loss_average", "float64", "1", "ln L of the mean of w_1, …, w_t"),
    Column("log_step", "float64", "1", "ln η_t"),
    Column("least_margin", "float64", "1", "min_i ⟨z_i, w_t⟩"),
    Column("norm", "float64", "1", "|w_t|"),
    Column("increases", "int64", "1", "steps up to t that raised the loss"),
    Column("largest_increase", "float64", "1", "largest rise of ln L in one of them, else 0"),
    Column("log_step_loss", "float64", "1", "largest ln(η_s L(w_s)), s ≤ t"),
    Column("work", "int64", "1", "gradients and trial losses computed to reach w_t"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run the rule on all sets from w₀ = 0, told their true margins."""
    chosen = sets.build(settings, seed)
    problems = Problems([one.z for one in chosen])
    records = trace.checkpoints(settings.last, settings.per_decade)
    runs = descent.run(problems, schedules.get(cell.rule), sets.margins(chosen), records)
    series = [column.name for column in COLUMNS if column.name in runs.series]
    return {
        **sets.labels(chosen, records.size),
        "t": np.tile(records, len(chosen)),
        **{name: runs.series[name].ravel() for name in series},
    }
