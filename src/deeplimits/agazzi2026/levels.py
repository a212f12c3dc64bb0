"""What the experiments on convergence rates share: their models, and levels as a setting."""

from itertools import pairwise
from typing import Annotated

from pydantic import AfterValidator, Field

from deeplimits.agazzi2026.activations import ActivationName
from deeplimits.agazzi2026.axes import MlpWithAttention
from deeplimits.schema import PositiveInt


def _present(activation: str) -> str:
    if activation == "none":
        raise ValueError("a model without MLP has no noise; name an activation")
    return activation


def _increasing(levels: list[int]) -> list[int]:
    if any(later <= earlier for earlier, later in pairwise(levels)):
        raise ValueError("levels must increase")
    return levels


class NoisyModel(MlpWithAttention):
    """A model with MLP and attention."""

    activation: Annotated[ActivationName, AfterValidator(_present)] = Field(description="φ")


Levels = Annotated[list[PositiveInt], Field(min_length=3), AfterValidator(_increasing)]
"""Sizes along which a rate is measured: at least three, so that a trend of the slope shows."""
