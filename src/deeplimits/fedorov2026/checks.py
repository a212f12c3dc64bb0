"""Ranges of the arguments that theory and simulators share; each message names its argument."""

import math

import numpy as np
from numpy.typing import ArrayLike


def dimension(d: float) -> None:
    """Refuse d < 2, where the sphere S^{d−1} is two points."""
    if not 2 <= d < math.inf:
        raise ValueError(f"d must be finite and at least 2, got {d}")


def not_negative(name: str, value: float) -> None:
    """Refuse a negative or non-finite value."""
    if not 0 <= value < math.inf:
        raise ValueError(f"{name} must be finite and not negative, got {value}")


def positive(name: str, value: float) -> None:
    """Refuse a value that is zero, negative or not finite."""
    if not 0 < value < math.inf:
        raise ValueError(f"{name} must be finite and positive, got {value}")


def cosine(name: str, value: ArrayLike) -> None:
    """Refuse cosines outside (−1, 1): at ±1 two tokens stay for ever."""
    if not np.all(np.abs(value) < 1):
        raise ValueError(f"{name} must lie strictly between -1 and 1, got {value}")
