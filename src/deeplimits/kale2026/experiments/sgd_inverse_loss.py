"""Where SGD with the uncapped step 1/ℓ of the sampled loss diverges, against γ: ours throughout.

Every run is held against two predictions (`inverse_loss`): the rate r of L ≈ rt of the runaway
that the points it misclassifies in the end sustain, and the speed of −ln L where it classifies all.
"""

import numpy as np
from pydantic import Field

from deeplimits import rng
from deeplimits.kale2026 import inverse_loss, schedules, sets, sgd_sets, stochastic
from deeplimits.kale2026.problem import Problems
from deeplimits.schema import Axes, Column, PositiveInt

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]


class Cell(Axes):
    """The margin of the sets."""

    gamma: sets.Margin = Field(description="γ of all sets")


class Protocol(sgd_sets.SgdSets):
    """Data sets and length of the runs."""

    last: PositiveInt = Field(description="iterations")


ROW_KEY = ("data", "replica")
COLUMNS = (
    Column("data", "string", "1", "mirrored pair, 1 in n (one rare point) or random"),
    Column("replica", "int64", "1", "index of the run"),
    Column("t", "int64", "1", "iterations"),
    Column("log_loss", "float64", "1", "ln L(w_t), of the full loss"),
    Column("rate", "float64", "1", "r predicted from the points misclassified by w_t; 0 if none"),
    Column("speed", "float64", "1", "min_i ⟨z_i, z̄⟩, predicted −ln L/t where all goes right"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run η = 1/ℓ on all sets from w₀ = 0; one row a run."""
    generator = rng.generator(seed)
    chosen = sgd_sets.build(settings, generator, cell.gamma, toy=False)
    problems = Problems([one.z for one in chosen])
    runs = stochastic.run(
        problems,
        schedules.get("loss_normalized"),
        sets.margins(chosen),
        np.array([settings.last]),
        stochastic.uniform(generator, problems, 1),
    )
    points = [one.z for one in chosen]
    ends = [w[0, : z.shape[1]] for z, w in zip(points, runs.w, strict=True)]
    labels = sets.labels(chosen, 1)
    return {
        "data": labels["data"],
        "replica": labels["replica"],
        "t": np.full(len(chosen), settings.last),
        "log_loss": runs.series["log_loss"].ravel(),
        "rate": np.array(
            [inverse_loss.runaway_rate(z, z @ w < 0) for z, w in zip(points, ends, strict=True)]
        ),
        "speed": np.array([inverse_loss.speed(z) for z in points]),
    }
