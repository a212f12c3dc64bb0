"""What n tokens form from a uniform start: one cluster, two antipodal ones, or neither yet.

Noise alone (σ = 1, by the Gram chain) beside the deterministic flow (V = I at scale 1/L, by the
same layer without noise), over a range of depths: outcomes, the smaller group's share of antipodal
runs, the formations that lasted, and the histogram of all pairwise cosines. That antipodal
formations persist is in the abstract of arXiv 2601.21942; the protocol is ours.
"""

from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

from deeplimits import rng, sphere
from deeplimits.fedorov2026 import formations, gram
from deeplimits.fedorov2026.gram import GramLayer
from deeplimits.fedorov2026.layer import evolve
from deeplimits.schema import (
    Axes,
    Column,
    Dimension,
    NonNegative,
    Positive,
    PositiveInt,
    Settings,
)

MANTISSAS = np.array([5, 6, 7, 8])
"""Within a doubling of depth, records are at 5/8, 6/8, 7/8 and 8/8 of its end."""
SETTLED = 1e-10
"""A run with all 1 − ⟨x_i, x_j⟩ below this is in one cluster and not followed any further.

The layers without noise map the cone of the tokens into itself, so they can't part again; with
noise a pair does with probability (1e-9)^{(d−1)/2}, by the scale function of ρ.
"""


class Cell(Axes):
    """One system and the horizon to which it is run."""

    dynamics: Literal["noise", "flow"] = Field(description="σ = 1, a = 0, or σ = 0, a = 1")
    n: int = Field(ge=2, description="number of tokens")
    d: Dimension = Field(description="dimension")
    beta: NonNegative = Field(description="β, with QᵀK = βI")
    horizon: Positive = Field(description="T")


class Protocol(Settings):
    """Steps, records and number of the runs."""

    noise_step: Positive = Field(description="(d−1)Δt at most, for the noise")
    flow_step: Positive = Field(description="Δt at most, for the flow")
    doublings: int = Field(ge=2, description="records start at T/2^doublings, four a doubling")
    tolerance: float = Field(gt=0, lt=0.5, description="1 − |cos| allowed within a formation")
    bins: PositiveInt = Field(description="bins of the cosines' histogram over [−1, 1]")
    replicas: int = Field(ge=2, description="independent runs, while n² of them are in `pairs`")
    pairs: PositiveInt = Field(description="at larger n, n² times the number of runs")
    fewest: int = Field(ge=2, description="and so many runs at least")
    block: PositiveInt = Field(description="runs that share a random stream and go side by side")

    def runs(self, n: int) -> int:
        """Number of runs of n tokens: fewer for many, whose layers cost ∝ n² and more."""
        return max(min(self.replicas, self.pairs // n**2), self.fewest)


ROW_KEY = ("layer", "quantity", "item")
COLUMNS = (
    Column("layer", "int64", "1", "ℓ, number of layers passed"),
    Column(
        "quantity",
        "string",
        "1",
        "outcome; minority: of antipodal runs; kept: of runs antipodal at t/4; cosine: of pairs",
    ),
    Column(
        "item",
        "int64",
        "1",
        "outcome, kept: 0 undecided, 1 one cluster, 2 antipodal; minority: size; cosine: bin",
    ),
    Column("value", "float64", "1", "minority: size/n; cosine: centre of the bin; else the item"),
    Column("t", "float64", "1", "depth ℓ Δt"),
    Column("dt", "float64", "1", "Δt"),
    Column("count", "int64", "1", "runs (for cosines: pairs of all runs) that are in the item"),
    Column("squares", "int64", "1", "sum over runs of the squared count of a run"),
    Column("runs", "int64", "1", "number of runs counted over"),
    Column("per_run", "int64", "1", "what a run counts: 1, for cosines n(n − 1)/2"),
)


class Records(NamedTuple):
    """What is kept of every run at every recorded depth.

    Attributes
    ----------
    outcome, minority
        As in `formations.Formation`, (depths, runs).
    cosines
        Number of pairs in each bin, (depths, runs, bins).
    """

    outcome: np.ndarray
    minority: np.ndarray
    cosines: np.ndarray


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Run all replicas of a cell and count what they form."""
    unit, layer = _layer(cell, settings)
    depths = unit * np.concatenate(
        [MANTISSAS * 2**j for j in range(settings.doublings)], dtype=np.int64
    )
    parts = [
        _run_block(generator, cell, settings, size, layer, depths)
        for generator, size in rng.blocks(seed, settings.runs(cell.n), settings.block)
    ]
    records = Records(*(np.concatenate(part, axis=1) for part in zip(*parts, strict=True)))
    rows = [
        (int(depth), *row)
        for index, depth in enumerate(depths)
        for row in _rows(records, index, cell.n)
    ]
    names = ("layer", "quantity", "item", "value", "count", "squares", "runs", "per_run")
    columns = {
        name: np.array(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }
    return {
        **columns,
        "t": columns["layer"] * layer.dt,
        "dt": np.full(len(rows), layer.dt),
    }


def _layer(cell: Cell, settings: Protocol) -> tuple[int, GramLayer]:
    """The layer, and the layers in an eighth of the first doubling's end, a whole number."""
    noisy = cell.dynamics == "noise"
    largest = settings.noise_step / (cell.d - 1) if noisy else settings.flow_step
    units = 2 ** (settings.doublings + 2)
    unit = int(np.ceil(cell.horizon / (largest * units)))
    return unit, GramLayer(
        beta=cell.beta,
        dt=cell.horizon / (unit * units),
        d=cell.d,
        sigma=float(noisy),
        drift=float(not noisy),
    )


def _run_block(
    generator: np.random.Generator,
    cell: Cell,
    settings: Protocol,
    size: int,
    layer: GramLayer,
    depths: np.ndarray,
) -> Records:
    """Runs side by side from a uniform start, the settled ones left out of the work."""
    x = gram.uniform(generator, size, cell.n, cell.d)
    moving = np.arange(size)
    records = []
    for passed in np.diff(depths, prepend=0):
        if moving.size:
            x[moving] = evolve(generator, gram.coordinates(x[moving]), layer, int(passed))
            moving = moving[sphere.gaps(x[moving]).max(axis=(1, 2)) > SETTLED]
        cosines = sphere.gram(x)
        formation = formations.classify(cosines, settings.tolerance)
        records.append((*formation, histograms(sphere.upper(cosines), settings.bins)))
    return Records(*(np.stack(part) for part in zip(*records, strict=True)))


def histograms(cosines: np.ndarray, bins: int) -> np.ndarray:
    """Counts (R, bins) of the cosines (R, pairs) of each run in equal bins of [−1, 1]."""
    place = np.clip(np.floor((cosines + 1.0) * (bins / 2)).astype(np.int64), 0, bins - 1)
    runs = len(cosines)
    flat = place + bins * np.arange(runs)[:, None]
    return np.bincount(flat.ravel(), minlength=runs * bins).reshape(runs, bins)


def _rows(records: Records, index: int, n: int) -> list[tuple]:
    """Rows of one depth: quantity, item, value, count, squares, runs, per_run."""
    outcome, cosines = records.outcome[index], records.cosines[index]
    antipodal = outcome == formations.ANTIPODAL
    rows = _tally("outcome", outcome, range(len(formations.OUTCOMES)))
    rows += _tally("minority", records.minority[index][antipodal], range(1, n // 2 + 1), scale=n)
    quarter = index - 2 * MANTISSAS.size
    if quarter >= 0:
        formed = records.outcome[quarter] == formations.ANTIPODAL
        rows += _tally("kept", outcome[formed], range(len(formations.OUTCOMES)))
    runs, bins = cosines.shape
    counts, squares = cosines.sum(axis=0), (cosines**2).sum(axis=0)
    rows += [
        ("cosine", k, (2 * k + 1) / bins - 1, counts[k], squares[k], runs, n * (n - 1) // 2)
        for k in range(bins)
    ]
    return rows


def _tally(quantity: str, values: np.ndarray, items: range, scale: int = 1) -> list[tuple]:
    """How often each item is among the values, one value a run; no rows if there is no run."""
    if not values.size:
        return []
    counts = [np.count_nonzero(values == item) for item in items]
    return [
        (quantity, item, item / scale, count, count, values.size, 1)
        for item, count in zip(items, counts, strict=True)
    ]
