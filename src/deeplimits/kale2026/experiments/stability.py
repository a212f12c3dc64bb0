"""Are the steps stable? GD under our schedule, and under rules at the edge of stability.

Descent is guaranteed as long as η_t L(w_t) < 2 (`theory.DESCENT_LIMIT`), and the classical limit is
η_t λ_max = 2. Increases of the loss and η_t L are followed at every iteration, λ_max at the
recorded ones. The schedule "reconstructed" is our reconstruction of the paper's, of which only the
abstract is known; the whole experiment is ours.
"""

import numpy as np

from deeplimits.kale2026 import descent, records, schedules, sets, trace
from deeplimits.kale2026.gd_runs import Cell, Protocol
from deeplimits.kale2026.problem import Problems

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]

ROW_KEY = (*sets.KEY, "t")
COLUMNS = (*sets.COLUMNS, *records.COLUMNS)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run the rule on all sets from w₀ = 0, told their true margins."""
    chosen = sets.build(settings, seed)
    problems = Problems([one.z for one in chosen])
    at = trace.checkpoints(settings.last, settings.per_decade)
    runs = descent.run(problems, schedules.get(cell.rule), sets.margins(chosen), at)
    return {**sets.labels(chosen, at.size), **records.rows(runs)}
