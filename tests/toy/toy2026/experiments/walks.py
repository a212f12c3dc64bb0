"""Random walks."""

import numpy as np
from pydantic import Field

from deeplimits import rng
from deeplimits.schema import Axes, Column, PositiveInt, Settings
from deeplimits.toy2026 import model


class Cell(Axes):
    """One walk."""

    kind: str = Field(description="a label")
    drift: float = Field(ge=-10, le=10, description="mean of one step")
    spread: float = Field(gt=0, le=10, description="standard deviation of one step")
    replica: int = Field(ge=0, description="index of the walk")


class Protocol(Settings):
    """What is done with a walk."""

    steps: PositiveInt = Field(description="number of steps")
    scale: float = Field(default=1.0, gt=0, description="factor of all positions")
    offset: float = Field(default=1.0, gt=0, description="added to all positions")


ROW_KEY = ("step",)
COLUMNS = (
    Column("step", "int64", "1", "index of the step"),
    Column("position", "float64", "m", "position after the step"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Simulate one walk."""
    positions = model.walk(settings.steps, cell.drift, cell.spread, rng.generator(seed))
    positions = settings.scale * positions + settings.offset
    return {"step": np.arange(settings.steps), "position": positions}
