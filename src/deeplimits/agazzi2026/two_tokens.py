"""What the experiments on two tokens share: their models, and the extrapolation to Δt → 0."""

from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
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


def weights_at_zero(x: ArrayLike, error: ArrayLike, degree: int) -> np.ndarray:
    """Weights w such that Σ w y is the value at x = 0 of the polynomial fitted to points (x, y).

    The fit is by least squares with the given standard errors of y, of the given degree or one
    less than the number of points, where that is smaller.
    """
    x, error = np.asarray(x, dtype=float), np.asarray(error, dtype=float)
    powers = np.vander(x, min(degree, x.size - 1) + 1, increasing=True)
    return np.linalg.pinv(powers / error[:, None])[0] / error
