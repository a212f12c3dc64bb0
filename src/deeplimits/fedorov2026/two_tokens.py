"""What the experiments on the fate of two tokens share: models, protocol and runs.

Runs follow the exact chain of the cosine ρ (`pair`) at σ = 1: the probability of an outcome does
not depend on σ, which only scales depth. Outcomes follow `outcomes`. A run is left out from then on
once it is settled, by the same rule with a smaller doubt. All of this is our protocol.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from deeplimits import rng
from deeplimits.fedorov2026 import outcomes, pair, theory
from deeplimits.fedorov2026.layer import evolve
from deeplimits.fedorov2026.outcomes import Outcomes
from deeplimits.fedorov2026.pair import Pair, PairLayer
from deeplimits.schema import Axes, Column, Dimension, NonNegative, Positive, PositiveInt, Settings

STRIDE = 16
"""Layers between two looks at which runs are settled."""

Cosine = Annotated[float, Field(gt=-1, lt=1)]


class Model(Axes):
    """A model."""

    d: Dimension = Field(description="dimension of the tokens")
    beta: NonNegative = Field(description="β, QᵀK = βI")


class Runs(Settings):
    """Length and number of the runs."""

    clock: Positive = Field(
        description="σ²(d−1)T and σ²T|(d−1)sech²β−2| at least, if `longest` allows"
    )
    longest: Positive = Field(description="σ²(d−1)T at most")
    doubt: float = Field(gt=0, le=outcomes.DOUBT, description="doubt below which a run is settled")
    gap: float = Field(gt=0, le=outcomes.GAP, description="largest 1−ρ of a run settled near 1")
    replicas: PositiveInt = Field(description="number of independent runs from each start")
    block: PositiveInt = Field(description="runs that share a random stream and go side by side")


COUNTS = (
    Column("layer", "int64", "1", "ℓ, number of layers passed"),
    Column("t", "float64", "1", "depth ℓ Δt, at σ = 1"),
    Column("replicas", "int64", "1", "number of runs"),
    Column("antipodal", "int64", "1", "runs with p(ρ) ≥ .99"),
    Column("consensus", "int64", "1", "runs with p(ρ) ≤ .01 and 1 − ρ ≤ 1e-3"),
    Column("undecided", "int64", "1", "other runs"),
    Column("opposite", "int64", "1", "runs with 1 + ρ ≤ 1e-3, whatever their outcome"),
    Column("between", "int64", "1", "runs with 1 − ρ and 1 + ρ above 1e-3"),
)
"""Columns of a table of outcomes; one row a start and recorded depth."""


def simulate(
    model: Model,
    starts: Sequence[float],
    epsilon: float,
    doublings: int,
    settings: Runs,
    seed: np.random.SeedSequence,
) -> dict[str, np.ndarray]:
    """Run pairs from every start and count their outcomes at every recorded depth.

    Parameters
    ----------
    model
        Its d and β.
    starts
        Cosines ρ₀; their runs go side by side, independent of each other.
    epsilon
        σ²(d−1)Δt.
    doublings
        How often the recorded depth doubles up to T.
    settings
        Length and number of the runs.
    seed
        Source of all draws.

    Returns
    -------
    dict of ndarray
        "rho0" and `COUNTS`; the depths of the first start come first.
    """
    layers = horizons(model, epsilon, doublings, settings)
    layer = PairLayer(beta=model.beta, d=model.d, dt=epsilon / (model.d - 1))
    bounds = (
        outcomes.rule(model.beta, model.d),
        outcomes.rule(model.beta, model.d, settings.doubt, settings.gap),
    )
    counts = sum(
        count(generator, layer, starts, size, layers, *bounds)
        for generator, size in rng.blocks(seed, settings.replicas, settings.block)
    )
    antipodal, consensus, opposite, between = counts.reshape(4, -1)
    return {
        "rho0": np.repeat(starts, layers.size),
        "layer": np.tile(layers, len(starts)),
        "t": np.tile(layers * layer.dt, len(starts)),
        "replicas": np.full(antipodal.size, settings.replicas),
        "antipodal": antipodal,
        "consensus": consensus,
        "undecided": settings.replicas - antipodal - consensus,
        "opposite": opposite,
        "between": between,
    }


def horizons(model: Model, epsilon: float, doublings: int, settings: Runs) -> np.ndarray:
    """Numbers of layers at which runs are recorded, the last one that of T.

    T is the depth at which both clocks have reached `clock`, or `longest` if that comes first.
    """
    fast = model.d - 1
    slow = min(fast, abs(theory.exponent_antipodal(model.beta, model.d)))
    # Multiplied out, since the slow clock stands still at the transition.
    affordable = settings.clock * fast <= settings.longest * slow
    length = settings.clock * fast / slow if affordable else settings.longest
    first = int(np.ceil(length / epsilon / 2**doublings))
    return first * 2 ** np.arange(doublings + 1)


def count(
    generator: np.random.Generator,
    layer: PairLayer,
    starts: Sequence[float],
    size: int,
    layers: np.ndarray,
    rule: Outcomes,
    settled: Outcomes,
) -> np.ndarray:
    """Count runs by their outcome and place after `layers` layers.

    Runs found settled are left out, and counted at all later depths as what they then were.

    Parameters
    ----------
    generator
        Source of all draws.
    layer
        One layer.
    starts
        Cosines ρ₀.
    size
        Runs from each of them.
    layers
        Increasing numbers of layers.
    rule, settled
        Bounds of the outcomes, and the stricter ones of settled runs.

    Returns
    -------
    ndarray
        int64, shape (4, starts, layers): antipodal, consensus, opposite, between (see `COUNTS`).
    """

    def by_start(chosen: np.ndarray) -> np.ndarray:
        return np.bincount(start[chosen], minlength=len(starts))

    start = np.repeat(np.arange(len(starts)), size)
    state = pair.at_cosine(np.asarray(starts)[start])
    counts = np.zeros((4, len(starts), len(layers)), dtype=np.int64)
    gone, passed = np.zeros((2, len(starts)), dtype=np.int64), 0
    for place, horizon in enumerate(layers):
        while passed < horizon and start.size:
            stride = min(STRIDE, horizon - passed)
            state = evolve(generator, state, layer, stride)
            passed += stride
            ended = settled.of(state)
            gone += [by_start(end) for end in ended]
            going = ~(ended[0] | ended[1])
            start, state = start[going], Pair(state.one_minus[going], state.one_plus[going])
        counts[:2, :, place] = gone + [by_start(end) for end in rule.of(state)]
        counts[2, :, place] = gone[0] + by_start(state.one_plus <= outcomes.GAP)
        counts[3, :, place] = by_start(np.minimum(*state) > outcomes.GAP)
        passed = horizon
    return counts
