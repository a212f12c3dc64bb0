"""Many independent runs of the model from uniform tokens, and what is kept of their depths."""

from dataclasses import dataclass

import numpy as np

from deeplimits import rng, sphere
from deeplimits.agazzi2026 import activations, model, summaries
from deeplimits.agazzi2026.axes import MlpWithAttention
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.schema import Column

ROW_KEY = ("replica", "layer")
DEPTH_COLUMNS = (
    Column("replica", "int64", "1", "index of the independent run"),
    Column("layer", "int64", "1", "ℓ, number of layers passed"),
    Column("t", "float64", "1", "depth ℓ Δt"),
    Column("beta", "float64", "1", "β of attention and energy"),
)


@dataclass(frozen=True)
class Schedule:
    """How the runs of one cell are made.

    Attributes
    ----------
    tokens, layers, dt, beta
        N, L, Δt and β.
    width
        m; None for the Gaussian field of m = ∞.
    replicas, block
        Number of runs, and how many share a random stream and go side by side.
    stride
        Layers between recorded depths.
    """

    tokens: int
    layers: int
    dt: float
    beta: float
    width: int | None
    replicas: int
    block: int
    stride: int


def simulate(
    cell: MlpWithAttention, schedule: Schedule, seed: np.random.SeedSequence
) -> dict[str, np.ndarray]:
    """Run all replicas and keep `summaries.summarize` of their tokens: one row a run and depth."""
    parts = [
        _run_block(cell, schedule, generator, size)
        for generator, size in rng.blocks(seed, schedule.replicas, schedule.block)
    ]
    layers = np.arange(0, schedule.layers + 1, schedule.stride)
    return {
        "replica": np.repeat(np.arange(schedule.replicas), len(layers)),
        "layer": np.tile(layers, schedule.replicas),
        "t": np.tile(layers * schedule.dt, schedule.replicas),
        "beta": np.full(schedule.replicas * len(layers), schedule.beta),
        **{name: np.concatenate([part[name] for part in parts]) for name in parts[0]},
    }


def _run_block(
    cell: MlpWithAttention, schedule: Schedule, generator: np.random.Generator, size: int
) -> dict[str, np.ndarray]:
    """Statistics of `size` runs, flattened with the run as the slow index."""
    records: list[dict[str, np.ndarray]] = []

    def record(layer: int, x: np.ndarray) -> None:
        if layer % schedule.stride == 0:
            records.append(summaries.summarize(x, schedule.beta))

    model.evolve(
        generator,
        sphere.uniform(generator, (size, schedule.tokens), cell.d),
        layers=schedule.layers,
        dt=schedule.dt,
        noise=_noise(cell, schedule.width),
        scale=cell.a,
        beta=schedule.beta,
        record=record,
    )
    return {
        name: np.stack([record[name] for record in records], axis=1).ravel() for name in records[0]
    }


def _noise(cell: MlpWithAttention, width: int | None) -> model.Noise | None:
    activation = activations.get(cell.activation)
    if activation.absent:
        return None
    if width is None:
        return model.GaussianField(Kernel(cell.activation, cell.d, cell.sigma_u, cell.sigma_w))
    return model.ReducedMlp(activation, width, cell.sigma_u, cell.sigma_w)
