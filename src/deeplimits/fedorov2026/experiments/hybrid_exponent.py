"""The slopes of log(1 ± ρ) of the hybrid model at its two ends, below and above the threshold.

Both exponents, 2e^{−β} − ε² at ρ = −1 and e^{2β}(ε² − 2e^{−β}) at ρ = 1, change sign at the paper's
threshold ε² = 2e^{−β} (arXiv 2601.21942); they, and this experiment, are ours. Runs start so far
out in z = artanh ρ that they feel nothing of the middle: log(1 ± ρ) = ±2z up to a constant is a
random walk. The step is set by e^βΔt; several show the trend.
"""

import numpy as np
from pydantic import Field

from deeplimits import rng
from deeplimits.fedorov2026.experiments import hybrid
from deeplimits.fedorov2026.hybrid import HybridLayer
from deeplimits.fedorov2026.layer import evolve
from deeplimits.schema import Column, Positive, PositiveInt, Settings

SATURATED = 20.0
"""|z| from which on tanh z = ±1 to rounding."""


class Cell(hybrid.Cell):
    """One model and step."""

    step: Positive = Field(description="e^βΔt at most")


class Protocol(Settings):
    """Start, length and number of the runs."""

    reach: float = Field(gt=SATURATED, description="|z| at depth 0")
    clock: Positive = Field(description="e^βT")
    replicas: int = Field(ge=2, description="number of independent pairs at each end")
    block: PositiveInt = Field(description="pairs that share a random stream and go side by side")


ROW_KEY = ("end",)
COLUMNS = (
    Column("end", "string", "1", "antipodal, ρ = −1, or consensus, ρ = 1"),
    Column("dt", "float64", "1", "Δt"),
    Column("t", "float64", "1", "depth T"),
    Column("replicas", "int64", "1", "number of pairs"),
    Column("mean", "float64", "1", "mean of log(1 ± ρ_T) − log(1 ± ρ_0), the sign that of the end"),
    Column("variance", "float64", "1", "its variance over pairs"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run all pairs at both ends.

    Raises
    ------
    ValueError
        If a pair comes back to where ρ differs from ±1: the settings ask for too long a run.
    """
    horizon = settings.clock * np.exp(-cell.beta)
    layers = int(np.ceil(settings.clock / cell.step))
    layer = HybridLayer(beta=cell.beta, epsilon=cell.epsilon, dt=horizon / layers)
    starts = settings.reach * np.array([[-1.0], [1.0]])
    moved = np.concatenate(
        [
            evolve(generator, np.broadcast_to(starts, (2, size)), layer, layers) - starts
            for generator, size in rng.blocks(seed, settings.replicas, settings.block)
        ],
        axis=1,
    )
    outward = moved * np.sign(starts)
    if outward.min() < SATURATED - settings.reach:
        raise ValueError(f"|z| fell below {SATURATED}: ask for a larger reach or a shorter clock")
    # log(1 + ρ) = 2z + const. at the antipodal end, log(1 − ρ) = −2z + const. at the other.
    shift = -2.0 * outward
    return {
        "end": np.array(["antipodal", "consensus"]),
        "dt": np.full(2, layer.dt),
        "t": np.full(2, horizon),
        "replicas": np.full(2, settings.replicas),
        "mean": shift.mean(axis=1),
        "variance": shift.var(axis=1, ddof=1),
    }
