"""Beyond the paper: the decay of 1 − u of two close tokens, for the exponent λ₁.

Two tokens at m = ∞ without attention, by the exact chain of their cosine u. They start so close
that the noise acts linearly for the whole run, so log(1 − u) is a random walk with slope 2λ₁ in
the limit Δt → 0. The step is set by ε = κ(1)(d−1)Δt, the mean squared tangential noise of a layer,
so that all models are equally far from their limit; several ε show the trend. A run is recorded at
half of its depth and at its end. The whole experiment is ours.
"""

import numpy as np
from pydantic import Field

from deeplimits import rng
from deeplimits.agazzi2026 import pair, theory, two_tokens
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.schema import Column, Positive, PositiveInt, Settings


class Cell(two_tokens.Model):
    """One model and step."""

    epsilon: Positive = Field(description="ε = κ(1)(d−1)Δt, mean squared tangential noise a layer")


class Protocol(Settings):
    """Start, length and number of the runs."""

    start_gap: float = Field(gt=0, lt=1, description="1 − u at depth 0")
    shift: Positive = Field(description="|2λ₁|T at most: how far the mean of log(1−u) moves")
    variance: Positive = Field(description="4(κ(1)+κ′(1))T at most: variance of log(1−u) at T")
    replicas: int = Field(ge=2, description="number of independent pairs")
    block: PositiveInt = Field(description="pairs that share a random stream and go side by side")


ROW_KEY = ("replica", "layer")
COLUMNS = (
    Column("replica", "int64", "1", "index of the independent pair"),
    Column("layer", "int64", "1", "ℓ, number of layers passed"),
    Column("t", "float64", "1", "depth ℓ Δt"),
    Column("log_ratio", "float64", "1", "log[(1−u_t)/(1−u_0)], u the cosine of the two tokens"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run all pairs and record them at half depth and at the end.

    Raises
    ------
    ValueError
        If a pair comes so close that its chain is frozen: the settings ask for too long a run.
    """
    kernel = Kernel(cell.activation, cell.d, cell.sigma_u, cell.sigma_w)
    dt = cell.epsilon / (kernel.kappa1 * (cell.d - 1))
    half = int(np.ceil(0.5 * _horizon(kernel, settings) / dt))
    log_ratio = np.concatenate(
        [
            _run_block(generator, kernel, np.full(size, settings.start_gap), half, dt)
            for generator, size in rng.blocks(seed, settings.replicas, settings.block)
        ]
    )
    layers = np.array([half, 2 * half])
    return {
        "replica": np.repeat(np.arange(settings.replicas), layers.size),
        "layer": np.tile(layers, settings.replicas),
        "t": np.tile(layers * dt, settings.replicas),
        "log_ratio": log_ratio.ravel(),
    }


def _horizon(kernel: Kernel, settings: Protocol) -> float:
    """T, after which log(1 − u) has moved by `shift` in the mean or has the given variance."""
    moved = abs(2.0 * theory.lambda1(kernel)) / settings.shift
    spread = theory.log_variance_rate(kernel) / settings.variance
    return 1.0 / max(moved, spread)


def _run_block(
    generator: np.random.Generator, kernel: Kernel, start: np.ndarray, half: int, dt: float
) -> np.ndarray:
    """log[(1−u_t)/(1−u_0)] after `half` and 2·`half` layers: shape (replicas, 2)."""
    middle = pair.evolve(generator, kernel, pair.near_synchrony(start), layers=half, dt=dt)
    end = pair.evolve(generator, kernel, middle, layers=half, dt=dt)
    if end.one_minus.min() < pair.FLOOR:
        raise ValueError(f"1 − u fell below {pair.FLOOR}: ask for less shift or variance")
    return np.log(np.stack([middle.one_minus, end.one_minus], axis=1) / start[:, None])
