"""A table without randomness, whose module reads a data file."""

from importlib import resources

import numpy as np
from pydantic import Field

from deeplimits.schema import Axes, Column, Settings

DATA = ("constants.txt",)


class Cell(Axes):
    """One multiple."""

    factor: int = Field(ge=1, description="factor of the constant")


class Protocol(Settings):
    """Nothing to set."""


ROW_KEY = ()
COLUMNS = (Column("value", "float64", "1", "factor times the constant"),)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Multiply the constant of the data file."""
    text = resources.files("deeplimits.toy2026.experiments").joinpath(DATA[0]).read_text()
    return {"value": np.array([cell.factor * float(text)])}
