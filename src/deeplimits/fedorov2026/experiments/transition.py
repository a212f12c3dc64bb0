"""The probability of an antipodal end of two tokens, along β and ρ₀, with more runs than the map.

Outcomes are recorded at depths that double, and some models are run at several steps. The
transition is the paper's; the protocol is ours (`two_tokens`).
"""

import numpy as np
from pydantic import Field

from deeplimits.fedorov2026 import two_tokens
from deeplimits.schema import Positive


class Cell(two_tokens.Model):
    """A model, a start and a step."""

    rho0: float = Field(gt=-1, lt=1, description="ρ₀, cosine of the tokens at the start")
    epsilon: Positive = Field(description="σ²(d−1)Δt")


class Protocol(two_tokens.Runs):
    """Recorded depths, length and number of the runs."""

    doublings: int = Field(ge=0, description="how often the recorded depth doubles up to T")


ROW_KEY = ("layer",)
COLUMNS = two_tokens.COUNTS


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Count outcomes at every recorded depth."""
    rows = two_tokens.simulate(cell, [cell.rho0], cell.epsilon, settings.doublings, settings, seed)
    return {column.name: rows[column.name] for column in COLUMNS}
