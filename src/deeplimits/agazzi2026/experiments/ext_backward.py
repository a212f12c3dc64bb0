"""Beyond the paper: E[1 − u_t] of two tokens over long times, from the backward equation.

Two tokens at m = ∞ and Δt → 0 without attention start at right angles, u = 0. Nothing is random
here: the mean and its local rate of decay −(d/dt) log E[1 − u_t] come from the one-dimensional
backward equation of their cosine, at depths far beyond what a simulation resolves. The whole
experiment is ours.
"""

import numpy as np
from pydantic import Field

from deeplimits.agazzi2026 import backward
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.agazzi2026.two_tokens import Model as Cell
from deeplimits.schema import Column, Positive, PositiveInt, Settings

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]


class Protocol(Settings):
    """The depths: halved again and again from the last one, T."""

    clock: Positive = Field(description="(κ(1)+κ′(1))T at most")
    folds: Positive = Field(description="e-folds by which E[1 − u_T] has decayed, at most")
    halvings: int = Field(ge=2, description="how often T is halved")
    per_halving: PositiveInt = Field(description="depths from one half to the next")


ROW_KEY = ("t",)
COLUMNS = (
    Column("t", "float64", "1", "depth"),
    Column("gap", "float64", "1", "E[1 − u_t]"),
    Column("rate", "float64", "1", "−(d/dt) log E[1 − u_t]"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Solve the backward equation at all depths."""
    kernel = Kernel(cell.activation, cell.d, cell.sigma_u, cell.sigma_w)
    horizon = settings.clock / (kernel.kappa1 + kernel.dkappa1)
    decay = backward.decay_rate(kernel)
    if decay > 0:  # where the mean decays fast it becomes too small to be resolved
        horizon = min(horizon, settings.folds / decay)
    count = settings.halvings * settings.per_halving
    t = horizon * 2.0 ** (np.arange(-count, 1) / settings.per_halving)
    return {
        "t": t,
        "gap": backward.mean_gap(kernel, t, u0=0.0),
        "rate": backward.local_rate(kernel, t, u0=0.0),
    }
