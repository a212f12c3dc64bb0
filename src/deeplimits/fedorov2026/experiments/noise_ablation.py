"""Noise ablation: whether an attention network on real images needs the noise of its values.

The abstract states that suppressing the intrinsic noise degrades accuracy; its experiment is not
known, and all of this protocol is ours. Layers start at V_ℓ = a(T/L) I + λ√(T/L) G_ℓ/√d with G_ℓ
standard Gaussian. Arm A trains all but the values, which stay frozen; arm B trains all; arm C takes
B's networks and shrinks the differences between layers, V_ℓ ← V̄ + μ(V_ℓ − V̄), without training.
The peak rate of each cell is chosen by validation accuracy on networks of its own ("tuning"), which
are not tested; the networks tested see the test images once.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from pydantic import Field

from deeplimits import datasets
from deeplimits.schema import (
    Axes,
    Column,
    Dimension,
    NonNegative,
    Positive,
    PositiveInt,
    Settings,
)

if TYPE_CHECKING:
    from deeplimits.fedorov2026.ablation.draws import Network
    from deeplimits.fedorov2026.ablation.training import Data, Networks, Recipe

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]

CLASSES = 10
Share = Annotated[float, Field(gt=0, lt=0.5)]
Suppression = Annotated[float, Field(ge=0, lt=1)]


class Cell(Axes):
    """An arm, the drift and the horizon of the layers, and the level of their noise."""

    values: Literal["frozen", "trained"] = Field(
        description="whether the values V stay as drawn (arm A) or are trained (arms B and C)"
    )
    a: NonNegative = Field(description="a, scale of the deterministic part of V at the start")
    horizon: Positive = Field(description="T, with step T/L a layer")
    noise: NonNegative = Field(description="λ, scale of the noise of V at the start")


class Protocol(Settings):
    """Data, network, recipe and numbers of networks, the same for all cells."""

    dataset: datasets.Name = Field(
        description='"digits" (scikit-learn), or "mnist": downloads it from OpenML'
    )
    patch_height: PositiveInt = Field(description="rows of pixels of a patch")
    patch_width: PositiveInt = Field(description="columns of pixels of a patch")
    d: Dimension = Field(description="dimension of the tokens")
    layers: PositiveInt = Field(description="L")
    beta: NonNegative = Field(description="β of the attention")
    contrast: Positive = Field(
        description="norm of an embedded patch at the start, that of its position being one"
    )
    test: Share = Field(description="share of the images for the test, the same for all networks")
    validation: Share = Field(description="share of the images for validation, drawn by network")
    steps: int = Field(ge=2, description="number of batches of a training")
    batch: PositiveInt = Field(description="images in a batch")
    warmup: Share = Field(description="share of the steps over which the rate rises")
    weight_decay: NonNegative = Field(description="of embedding and head")
    clip: Positive = Field(description="largest norm of a gradient")
    rates: list[Positive] = Field(
        min_length=1, max_length=4, description="peak learning rates to choose from"
    )
    tuning_seeds: PositiveInt = Field(description="networks that choose the rate, not tested")
    seeds: int = Field(ge=2, description="networks tested")
    suppression: list[Suppression] = Field(description="μ of arm C, below 1")


ROW_KEY = ("role", "seed", "rate", "mu", "measure", "layer")
COLUMNS = (
    Column("role", "string", "1", "tuning: only to choose the rate; test: trained at that rate"),
    Column("seed", "int64", "1", "index of the network's draws: paired over all cells"),
    Column("rate", "float64", "1", "peak learning rate"),
    Column("mu", "float64", "1", "μ by which V_ℓ − V̄ was multiplied after training"),
    Column(
        "measure",
        "string",
        "1",
        "train, validation, test: accuracy; cosine: mean over pairs of tokens and validation "
        "images; start_cosine: the same before training",
    ),
    Column("layer", "int64", "1", "number of layers passed; L for accuracies"),
    Column("value", "float64", "1", "what was measured"),
)
Row = tuple[str, int, float, float, str, int, float]
Start = Callable[[Sequence["Network"]], "Networks"]


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Choose the rate, train and test the networks of one cell."""
    # Here, not above: starting the chain imports this module, but must not wait for JAX.
    from deeplimits.fedorov2026.ablation import draws, training

    images = datasets.load(settings.dataset)
    patches = draws.patches(images, settings.patch_height, settings.patch_width)
    count, tokens, pixels = patches.shape
    split = draws.split(seed, count, round(settings.test * count))
    draw = partial(
        draws.network,
        seed,
        rest=split.rest,
        shape=(tokens, pixels, settings.d, settings.layers, CLASSES),
        validation=round(settings.validation * count),
        steps=settings.steps,
        batch=settings.batch,
    )
    tuning = [draw(index) for index in range(settings.tuning_seeds)]
    tested = [draw(settings.tuning_seeds + index) for index in range(settings.seeds)]
    recipe = training.Recipe(
        beta=settings.beta,
        steps=settings.steps,
        warmup=max(1, round(settings.warmup * settings.steps)),
        weight_decay=settings.weight_decay,
        clip=settings.clip,
        train_values=cell.values == "trained",
    )
    data = training.data(patches, images.labels)
    start = partial(
        training.start,
        a=cell.a,
        noise=cell.noise,
        horizon=cell.horizon,
        contrast=settings.contrast,
    )
    rate, rows = _tune(start, tuning, settings.rates, data, recipe)
    rows += _test(start, tested, rate, split.test, settings.suppression, data, recipe)
    columns = zip(*rows, strict=True)
    return {column.name: np.array(part) for column, part in zip(COLUMNS, columns, strict=True)}


def _tune(
    start: Start, draws: list["Network"], rates: list[float], data: "Data", recipe: "Recipe"
) -> tuple[float, list[Row]]:
    """The rate of the best mean validation accuracy (of equals the smallest), and the rows."""
    from deeplimits.fedorov2026.ablation import training

    rates = sorted(rates)
    repeated = [draw for draw in draws for _ in rates]
    orders = [draw.order for draw in repeated]
    networks = training.train(start(repeated), rates * len(draws), orders, data, recipe)
    held_out = [draw.validation for draw in repeated]
    accuracy = training.accuracies(networks, held_out, data, recipe.beta)
    accuracy = accuracy.reshape(len(draws), len(rates))
    layers = networks.V.shape[1]
    rows = [
        ("tuning", seed, rate, 1.0, "validation", layers, accuracy[seed, place])
        for seed in range(len(draws))
        for place, rate in enumerate(rates)
    ]
    return rates[int(accuracy.mean(axis=0).argmax())], rows


def _test(
    start: Start,
    draws: list["Network"],
    rate: float,
    test: np.ndarray,
    suppression: Sequence[float],
    data: "Data",
    recipe: "Recipe",
) -> list[Row]:
    """Rows of the networks that are tested, as trained and, in arm C, with noise suppressed."""
    from deeplimits.fedorov2026.ablation import training

    networks = start(draws)
    held_out = [draw.validation for draw in draws]
    cosines = training.cosines(networks, held_out, data, recipe.beta)
    rows = list(_rows(rate, 1.0, "start_cosine", cosines))
    layers = networks.V.shape[1]
    orders = [draw.order for draw in draws]
    networks = training.train(networks, [rate] * len(draws), orders, data, recipe)
    images = {
        "train": [draw.train for draw in draws],
        "validation": held_out,
        "test": [test] * len(draws),
    }
    for mu in (1.0, *(suppression if recipe.train_values else ())):
        changed = networks if mu == 1.0 else training.suppress(networks, mu)
        for measure, chosen in images.items():
            accuracy = training.accuracies(changed, chosen, data, recipe.beta)
            rows += _rows(rate, mu, measure, accuracy[:, None], last=layers)
        cosines = training.cosines(changed, held_out, data, recipe.beta)
        rows += _rows(rate, mu, "cosine", cosines)
    return rows


def _rows(
    rate: float, mu: float, measure: str, values: np.ndarray, last: int | None = None
) -> Iterable[Row]:
    """Rows of values (networks, layers); a single layer is number `last`."""
    for seed, of_network in enumerate(values):
        for layer, value in enumerate(of_network, start=last or 0):
            yield ("test", seed, rate, mu, measure, layer, float(value))
