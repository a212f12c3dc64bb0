"""Figs. 2–6: pairwise cosines and energy over depth, for every activation, d, bias and attention.

The paper's setting: N = 64, L = 150, T = 5, β = 1, tokens independent and uniform. The width m, the
number of runs and which statistics of the pairs are kept are our choice. With activation "none"
there is no MLP (Fig. 6).
"""

import numpy as np
from pydantic import Field

from deeplimits.agazzi2026 import runs, summaries
from deeplimits.agazzi2026.axes import MlpWithAttention as Cell
from deeplimits.schema import NonNegative, Positive, PositiveInt, Settings

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]


class Protocol(Settings):
    """Sizes of the runs."""

    tokens: int = Field(ge=2, description="N")
    layers: PositiveInt = Field(description="L")
    horizon: Positive = Field(description="T; Δt = T/L")
    width: PositiveInt = Field(description="m")
    beta: NonNegative = Field(description="β of attention and energy")
    replicas: int = Field(ge=2, description="number of independent runs")
    block: PositiveInt = Field(description="runs that share a random stream and go side by side")


ROW_KEY = runs.ROW_KEY
COLUMNS = (*runs.DEPTH_COLUMNS, *summaries.COLUMNS)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run all replicas and record the statistics of their pairs at every depth."""
    schedule = runs.Schedule(
        tokens=settings.tokens,
        layers=settings.layers,
        dt=settings.horizon / settings.layers,
        beta=settings.beta,
        width=settings.width,
        replicas=settings.replicas,
        block=settings.block,
        stride=1,
    )
    return runs.simulate(cell, schedule, seed)
