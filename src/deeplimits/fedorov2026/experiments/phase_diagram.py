"""Two tokens end antipodal or in consensus: a map over dimension d and β, from several starts.

The transition at d − 2 = cosh 2β is the paper's; the protocol is ours (`two_tokens`).
"""

import numpy as np
from pydantic import Field

from deeplimits.fedorov2026 import two_tokens
from deeplimits.fedorov2026.two_tokens import Cosine
from deeplimits.fedorov2026.two_tokens import Model as Cell
from deeplimits.schema import Column, Positive

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]


class Protocol(two_tokens.Runs):
    """Starts, step, length and number of the runs."""

    starts: list[Cosine] = Field(min_length=1, description="ρ₀, cosines of the tokens at the start")
    epsilon: Positive = Field(description="σ²(d−1)Δt")


ROW_KEY = ("rho0", "layer")
COLUMNS = (Column("rho0", "float64", "1", "ρ₀"), *two_tokens.COUNTS)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Count outcomes at the last depth, from every start."""
    return two_tokens.simulate(cell, settings.starts, settings.epsilon, 0, settings, seed)
