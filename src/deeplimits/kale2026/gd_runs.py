"""GD under a rule on the data sets of `sets`, recorded: for experiments that follow the loss."""

import numpy as np
from pydantic import Field

from deeplimits.kale2026 import descent, schedules, sets, trace
from deeplimits.kale2026.problem import Problems
from deeplimits.kale2026.schedules import RuleName
from deeplimits.schema import Axes, Column, PositiveInt


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
    Column("log_step", "float64", "1", "ln η_t"),
    Column("least_margin", "float64", "1", "min_i ⟨z_i, w_t⟩"),
    Column("norm", "float64", "1", "|w_t|"),
    Column("increases", "int64", "1", "steps up to t that raised the loss"),
)
SERIES = ("log_loss", "log_step", "least_margin", "norm", "increases")


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run the rule on all sets from w₀ = 0, told their true margins."""
    chosen = sets.build(settings, seed)
    problems = Problems([one.z for one in chosen])
    records = trace.checkpoints(settings.last, settings.per_decade)
    runs = descent.run(problems, schedules.get(cell.rule), sets.margins(chosen), records)
    return {
        **sets.labels(chosen, records.size),
        "t": np.tile(records, len(chosen)),
        **{name: runs.series[name].ravel() for name in SERIES},
    }
