"""Figs. 2–6: pairwise cosines and energy over depth, for every activation, d, bias and attention.

The paper's setting: N = 64, L = 150, T = 5, β = 1, tokens independent and uniform. The width m, the
number of runs and which statistics of the pairs are kept are our choice. With activation "none"
there is no MLP (Fig. 6).
"""

import numpy as np
from pydantic import Field

from deeplimits import rng, sphere
from deeplimits.agazzi2026 import activations, model, summaries
from deeplimits.agazzi2026.axes import MlpWithAttention as Cell
from deeplimits.schema import Column, NonNegative, Positive, PositiveInt, Settings

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]


class Protocol(Settings):
    """Sizes of the runs."""

    tokens: int = Field(ge=2, description="N")
    layers: PositiveInt = Field(description="L")
    horizon: Positive = Field(description="T; Δt = T/L")
    width: PositiveInt = Field(description="m")
    beta: NonNegative = Field(description="β of attention and energy")
    replicas: PositiveInt = Field(description="number of independent runs")
    block: PositiveInt = Field(description="runs that share a random stream and go side by side")
    stride: PositiveInt = Field(description="layers between recorded depths; divides L")


ROW_KEY = ("replica", "layer")
COLUMNS = (
    Column("replica", "int64", "1", "index of the independent run"),
    Column("layer", "int64", "1", "ℓ, number of layers passed"),
    Column("t", "float64", "1", "depth ℓ Δt"),
    Column("gap", "float64", "1", "mean of 1 − ⟨x_i, x_j⟩ over the pairs i < j"),
    Column("energy", "float64", "1", "E_β of the tokens' empirical measure"),
    *(
        Column(summaries.quantile_name(level), "float64", "1", f"{level:.0%} quantile of cosines")
        for level in summaries.LEVELS
    ),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run all replicas, block by block, and record the statistics of their pairs."""
    parts = [
        _run_block(cell, settings, generator, size)
        for generator, size in rng.blocks(seed, settings.replicas, settings.block)
    ]
    rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    layers = np.arange(0, settings.layers + 1, settings.stride)
    return {
        "replica": np.repeat(np.arange(settings.replicas), len(layers)),
        "layer": np.tile(layers, settings.replicas),
        "t": np.tile(layers * (settings.horizon / settings.layers), settings.replicas),
        **rows,
    }


def _run_block(
    cell: Cell, settings: Protocol, generator: np.random.Generator, size: int
) -> dict[str, np.ndarray]:
    """Statistics of `size` runs, flattened with the run as the slow index."""
    activation = activations.get(cell.activation)
    noise = None
    if not activation.absent:
        noise = model.ReducedMlp(activation, settings.width, cell.sigma_u, cell.sigma_w)
    records: list[dict[str, np.ndarray]] = []

    def record(layer: int, x: np.ndarray) -> None:
        if layer % settings.stride == 0:
            records.append(summaries.summarize(x, settings.beta))

    model.evolve(
        generator,
        sphere.uniform(generator, (size, settings.tokens), cell.d),
        layers=settings.layers,
        dt=settings.horizon / settings.layers,
        noise=noise,
        scale=cell.a,
        beta=settings.beta,
        record=record,
    )
    return {
        name: np.stack([record[name] for record in records], axis=1).ravel() for name in records[0]
    }
