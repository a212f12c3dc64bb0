"""What the experiments on two tokens share: their models."""

from typing import Annotated

from pydantic import AfterValidator, Field

from deeplimits.agazzi2026.activations import ActivationName
from deeplimits.agazzi2026.axes import Mlp
from deeplimits.schema import Column


def _present(activation: str) -> str:
    if activation == "none":
        raise ValueError("without an MLP two tokens feel no noise; name an activation")
    return activation


class Model(Mlp):
    """A model with MLP; there is no attention."""

    activation: Annotated[ActivationName, AfterValidator(_present)] = Field(description="φ")


AXES = ["activation", "d", "sigma_u", "sigma_w"]
COLUMNS = (
    Column("activation", "string", "1", "φ"),
    Column("d", "int64", "1", "dimension of the tokens"),
    Column("sigma_u", "float64", "1", "σ_U, standard deviation of the bias b_U"),
    Column("sigma_w", "float64", "1", "σ_W, standard deviation of the bias b_W"),
)
"""The axes of `Model` in tables of estimates."""
