"""Powers of a constant, without randomness; the module reads a data file."""

from importlib import resources

import numpy as np
from pydantic import Field, model_validator

from deeplimits.schema import Axes, Column, Settings

DATA = ("constant.txt",)


class Cell(Axes):
    """One power."""

    factor: int = Field(ge=1, description="factor of the constant")
    exponent: int = Field(ge=0, description="power that is taken")

    @model_validator(mode="after")
    def _small(self) -> "Cell":
        if self.factor * self.exponent > 50:
            raise ValueError("factor times exponent must be at most 50")
        return self


class Protocol(Settings):
    """Nothing to set."""


ROW_KEY = ()
COLUMNS = (Column("value", "float64", "1", "power of factor times the constant"),)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Take the power of a multiple of the constant in the data file."""
    text = resources.files("deeplimits.toy2026.experiments").joinpath(DATA[0]).read_text()
    return {"value": np.array([(cell.factor * float(text)) ** cell.exponent])}
