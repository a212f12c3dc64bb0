"""Axes that the experiments of the paper share."""

from pydantic import Field

from deeplimits.agazzi2026.activations import ActivationName
from deeplimits.schema import Axes, Dimension, NonNegative


class Mlp(Axes):
    """The MLP: its activation, the dimension it works in, and its two bias deviations."""

    activation: ActivationName = Field(description="φ; none: no MLP")
    d: Dimension = Field(description="dimension of the tokens")
    sigma_u: NonNegative = Field(description="σ_U, standard deviation of the bias b_U")
    sigma_w: NonNegative = Field(description="σ_W, standard deviation of the bias b_W")


class MlpWithAttention(Mlp):
    """The MLP and the scale of the attention."""

    a: float = Field(description="attention scale (1 attractive, 0 none, −1 repulsive)")
