"""Beyond the paper: what becomes of the tokens at long times, for several steps and sizes.

The paper's figures end at T = 5, where several of its remarks about the long run can't be decided.
Here the limit m = ∞ runs to a longer horizon, at several Δt and N, and is recorded at whole
depths. The whole experiment is ours.
"""

import numpy as np
from pydantic import Field

from deeplimits.agazzi2026 import runs, summaries
from deeplimits.agazzi2026.axes import MlpWithAttention
from deeplimits.schema import NonNegative, PositiveInt, Settings


class Cell(MlpWithAttention):
    """One model, size and step."""

    tokens: int = Field(ge=2, description="N")
    layers_per_unit: PositiveInt = Field(description="layers per unit of depth, 1/Δt")


class Protocol(Settings):
    """Length and number of the runs."""

    horizon: PositiveInt = Field(description="T, a whole number of units of depth")
    beta: NonNegative = Field(description="β of attention and energy")
    replicas: int = Field(ge=2, description="number of independent runs")
    block: PositiveInt = Field(description="runs that share a random stream and go side by side")


ROW_KEY = runs.ROW_KEY
COLUMNS = (*runs.DEPTH_COLUMNS, *summaries.COLUMNS)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run all replicas and record the statistics of their pairs at whole depths."""
    schedule = runs.Schedule(
        tokens=cell.tokens,
        layers=settings.horizon * cell.layers_per_unit,
        dt=1.0 / cell.layers_per_unit,
        beta=settings.beta,
        width=None,
        replicas=settings.replicas,
        block=settings.block,
        stride=cell.layers_per_unit,
    )
    return runs.simulate(cell, schedule, seed)
