"""Ranges of the arguments that theory, data and rules share; each message names its argument."""

import math

import numpy as np
from numpy.typing import ArrayLike


def positive(name: str, value: ArrayLike) -> None:
    """Refuse values that are zero, negative or not finite."""
    if not np.all((np.asarray(value) > 0) & (np.asarray(value) < math.inf)):
        raise ValueError(f"{name} must be finite and positive, got {value}")


def not_negative(name: str, value: ArrayLike) -> None:
    """Refuse values that are negative or not finite."""
    if not np.all((np.asarray(value) >= 0) & (np.asarray(value) < math.inf)):
        raise ValueError(f"{name} must be finite and not negative, got {value}")


def margin(name: str, value: ArrayLike) -> None:
    """Refuse margins outside (0, 1]: points of norm at most 1 have none above 1."""
    if not np.all((np.asarray(value) > 0) & (np.asarray(value) <= 1)):
        raise ValueError(f"{name} must lie in (0, 1], got {value}")
