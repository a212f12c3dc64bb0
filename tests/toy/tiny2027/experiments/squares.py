"""Squares of random numbers."""

import numpy as np
from pydantic import Field

from deeplimits import rng
from deeplimits.schema import Axes, Column, Settings


class Cell(Axes):
    """One number."""

    size: float = Field(gt=0, description="standard deviation of the number")


class Protocol(Settings):
    """Nothing to set."""


ROW_KEY = ()
COLUMNS = (Column("square", "float64", "1", "square of the number"),)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Draw a number."""
    return {"square": (cell.size * rng.generator(seed).standard_normal(1)) ** 2}
