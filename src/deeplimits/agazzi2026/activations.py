"""The activations φ of the MLP, one entry each: name, φ, φ′ and what the theory needs of them.

`get` finds an activation by its name. All are fixed functions except swish(b), a family: its
parameter stands in the name, as in "swish(4)" or "swish(4.5)".
"""

import difflib
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated

import numpy as np
from pydantic import AfterValidator
from scipy.special import erf, expit, ndtr

Elementwise = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Activation:
    """An activation function; two of the same name are equal.

    Attributes
    ----------
    name : str
        Canonical name, as `get` takes it.
    phi, derivative : callable
        φ and φ′, elementwise on arrays; no overflow for |z| ≤ 1e150.
    odd : bool
        Whether φ(−z) = −φ(z).
    strip : float
        Half-width of a strip |Im z| < strip on which φ′ is analytic and of moderate size; 0 if it
        has a kink. A pole may sit on the edge; for an entire φ it is where |φ′| reaches about 10.
        It sets the step of the quadrature.
    """

    name: str
    phi: Elementwise = field(compare=False, repr=False)
    derivative: Elementwise = field(compare=False, repr=False)
    odd: bool = field(compare=False)
    strip: float = field(compare=False)

    @property
    def absent(self) -> bool:
        """Whether the model has no MLP at all: then κ ≡ 0, and the biases are gone too."""
        return self.name == "none"


def _relu(z: np.ndarray) -> np.ndarray:
    return np.maximum(z, 0.0)


def _relu_derivative(z: np.ndarray) -> np.ndarray:
    # ½ at the kink, the mean of both sides.
    return np.heaviside(z, 0.5)


def _sigmoid_derivative(z: np.ndarray) -> np.ndarray:
    return expit(z) * expit(-z)


def _tanh(z: np.ndarray) -> np.ndarray:
    # Within 1 ulp of numpy's tanh and about three times as fast; at 2z = 50 it is 1 to rounding.
    growth = np.expm1(np.minimum(2.0 * z, 50.0))
    return growth / (growth + 2.0)


def _tanh_derivative(z: np.ndarray) -> np.ndarray:
    # 4σ(2z)σ(−2z) keeps the relative accuracy that 1 − tanh² z loses where tanh² z → 1.
    return 4.0 * _sigmoid_derivative(2.0 * z)


def _normal_density(z: np.ndarray) -> np.ndarray:
    return np.exp(-0.5 * np.square(z)) / math.sqrt(2.0 * math.pi)


def _gelu(z: np.ndarray) -> np.ndarray:
    return z * ndtr(z)


def _gelu_derivative(z: np.ndarray) -> np.ndarray:
    return ndtr(z) + z * _normal_density(z)


def _erf_derivative(z: np.ndarray) -> np.ndarray:
    return 2.0 / math.sqrt(math.pi) * np.exp(-np.square(z))


def _silu(z: np.ndarray) -> np.ndarray:
    return z * expit(z)


def _silu_derivative(z: np.ndarray) -> np.ndarray:
    return expit(z) * (1.0 + z * expit(-z))


def _swish(z: np.ndarray, b: float) -> np.ndarray:
    return z * expit(b * z)


def _swish_derivative(z: np.ndarray, b: float) -> np.ndarray:
    return _silu_derivative(b * z)


_FIXED = {
    entry.name: entry
    for entry in (
        Activation("relu", _relu, _relu_derivative, odd=False, strip=0.0),
        Activation("silu", _silu, _silu_derivative, odd=False, strip=math.pi),
        Activation("sigmoid", expit, _sigmoid_derivative, odd=False, strip=math.pi),
        Activation("tanh", _tanh, _tanh_derivative, odd=True, strip=math.pi / 2),
        Activation("gelu", _gelu, _gelu_derivative, odd=False, strip=2.0),
        Activation("erf", erf, _erf_derivative, odd=True, strip=1.5),
        Activation("none", np.zeros_like, np.zeros_like, odd=True, strip=math.inf),
    )
}

NAMES = (*_FIXED, "swish(b)")


def swish(b: float) -> Activation:
    """Return φ(z) = z/(1 + e^{−bz}): SiLU at b = 1, ReLU as b → ∞.

    Raises
    ------
    ValueError
        Unless 0 < b < ∞.
    """
    if not 0.0 < b < math.inf:
        raise ValueError(f"swish(b) needs a finite b > 0, got b = {b!r}")
    parameter = repr(float(b)).removesuffix(".0")
    phi, derivative = partial(_swish, b=b), partial(_swish_derivative, b=b)
    return Activation(f"swish({parameter})", phi, derivative, odd=False, strip=math.pi / b)


def get(name: str) -> Activation:
    """Return the activation called `name`: one of `NAMES`, with a number for the b of swish(b).

    Raises
    ------
    ValueError
        If there is none of that name; the message lists the names and suggests the nearest.
    """
    if name in _FIXED:
        return _FIXED[name]
    if name.startswith("swish(") and name.endswith(")"):
        try:
            b = float(name[len("swish(") : -1])
        except ValueError:
            raise ValueError(f"{name!r}: the b of swish(b) must be a number") from None
        return swish(b)
    nearest = difflib.get_close_matches(name, NAMES, n=1)
    hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
    raise ValueError(f"unknown activation {name!r}; known are {', '.join(NAMES)}{hint}")


def _canonical(name: str) -> str:
    return get(name).name


ActivationName = Annotated[str, AfterValidator(_canonical)]
"""A validated name in canonical form ("swish(4.0)" becomes "swish(4)"), for typed settings."""
