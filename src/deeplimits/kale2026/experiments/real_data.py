"""GD and SGD on two classes of images, under the reconstructed rules and baselines.

Digits come with scikit-learn. MNIST is downloaded where a cell of the grid asks for it, and only
there. The paper names synthetic data and MNIST; pairs of classes, rules and lengths are ours.
"""

from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from deeplimits import datasets, rng
from deeplimits.kale2026 import descent, images, schedules, step_rules, stochastic, trace
from deeplimits.kale2026.problem import Problems
from deeplimits.kale2026.schedules import RuleName
from deeplimits.kale2026.trace import Trace
from deeplimits.schema import Axes, Column, PositiveInt, Settings

Digit = Annotated[int, Field(ge=0, le=9)]


class Cell(Axes):
    """Two classes of a data set, an algorithm with its rule, and the length of its runs."""

    dataset: datasets.Name = Field(
        description='"digits" (scikit-learn), or "mnist": downloads it from OpenML'
    )
    positive: Digit = Field(description="class with y = 1")
    negative: Digit = Field(description="class with y = −1")
    algorithm: Literal["gd", "sgd"] = Field(description="full gradients, or one sample a step")
    rule: RuleName = Field(description="step-size rule, e.g. reconstructed")
    last: PositiveInt = Field(description="iterations")

    @model_validator(mode="after")
    def _offers_what_the_rule_needs(self) -> Self:
        if self.algorithm == "sgd":
            step_rules.get_without_search(self.rule)
        return self


class Protocol(Settings):
    """How many images and runs."""

    samples: int = Field(
        ge=2, description="images of both classes at most, the first in the order of the data set"
    )
    replicas: int = Field(ge=2, description="runs of SGD; GD is the same every time and runs once")
    per_decade: PositiveInt = Field(description="recorded iterations a decade")


ROW_KEY = ("replica", "t")
COLUMNS = (
    Column("replica", "int64", "1", "index of the run"),
    Column("t", "int64", "1", "iteration"),
    Column("n", "int64", "1", "number of images"),
    Column("d", "int64", "1", "number of pixels that are not 0 in all of them"),
    Column("gamma", "float64", "1", "γ, the margin, exact"),
    Column("log_loss", "float64", "1", "ln L(w_t), of the full loss"),
    Column("normalized_margin", "float64", "1", "min_i ⟨z_i, w_t⟩/(γ|w_t|), at most 1"),
    Column(
        "increases",
        "int64",
        "1",
        "how often the loss rose up to t: at any step of GD, from record to record of SGD",
    ),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Load the pair, prove its margin and run the rule from w₀ = 0, told that margin."""
    z, proved = images.separable(cell.dataset, cell.positive, cell.negative, settings.samples)
    gamma = proved.gamma
    records = trace.checkpoints(cell.last, settings.per_decade)
    runs = _run(cell, z, gamma, records, settings.replicas, rng.generator(seed))
    series = {name: values[0] for name, values in runs.series.items()}
    count = series["log_loss"].size
    return {
        "replica": np.repeat(np.arange(len(series["log_loss"])), records.size),
        "t": np.tile(records, len(series["log_loss"])),
        "n": np.full(count, z.shape[0]),
        "d": np.full(count, z.shape[1]),
        "gamma": np.full(count, gamma),
        "log_loss": series["log_loss"].ravel(),
        "normalized_margin": (series["least_margin"] / (gamma * series["norm"])).ravel(),
        "increases": series["increases"].ravel(),
    }


def _run(
    cell: Cell,
    z: np.ndarray,
    gamma: float,
    records: np.ndarray,
    replicas: int,
    generator: np.random.Generator,
) -> Trace:
    problems, rule = Problems([z]), schedules.get(cell.rule)
    if cell.algorithm == "gd":
        return descent.run(problems, rule, np.array([[gamma]]), records)
    sampler = stochastic.uniform(generator, problems, replicas)
    return stochastic.run(problems, rule, np.full((1, replicas), gamma), records, sampler)
