"""SGD under every step-size rule, on the same balanced and unbalanced sets and the same samples.

The rules "reconstructed…" are our reconstruction from the paper's abstract: the plain schedule,
the one capped by the sampled loss, and the one that takes a running mean of sampled losses in
place of γ and t. Sets, sizes and length are our choice.
"""

import numpy as np
from pydantic import Field

from deeplimits import rng
from deeplimits.kale2026 import schedules, sets, sgd_sets, stochastic, trace
from deeplimits.kale2026.problem import Problems
from deeplimits.kale2026.schedules import SgdRuleName
from deeplimits.schema import Axes, Column, PositiveInt

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]


class Cell(Axes):
    """The step-size rule; all sets and runs go at once."""

    rule: SgdRuleName = Field(description="step-size rule, e.g. reconstructed_averaged")


class Protocol(sgd_sets.SgdSets):
    """Data sets and length of the runs."""

    gamma: sets.Margin = Field(description="γ of all sets but the toy set, whose is .0995")
    last: PositiveInt = Field(description="iterations")
    per_decade: PositiveInt = Field(description="recorded iterations a decade")


ROW_KEY = (*sets.KEY, "t")
COLUMNS = (
    Column("data", "string", "1", "mirrored pair, 1 in n (one rare point), random or toy"),
    Column("gamma", "float64", "1", "γ, the margin of the set"),
    Column("replica", "int64", "1", "index of the run"),
    Column("t", "int64", "1", "iteration"),
    Column("log_loss", "float64", "1", "ln L(w_t), of the full loss"),
    Column("log_step", "float64", "1", "ln η of the step to w_t"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run the rule on all sets from w₀ = 0, told their true margins."""
    generator = rng.generator(seed)
    chosen = sgd_sets.build(settings, generator, settings.gamma, toy=True)
    problems = Problems([one.z for one in chosen])
    records = trace.checkpoints(settings.last, settings.per_decade)
    sampler = stochastic.uniform(generator, problems, 1)
    rule = schedules.get(cell.rule)
    runs = stochastic.run(problems, rule, sets.margins(chosen), records, sampler)
    return {
        **sets.labels(chosen, records.size),
        "t": np.tile(records, len(chosen)),
        "log_loss": runs.series["log_loss"].ravel(),
        "log_step": runs.series["log_step"].ravel(),
    }
