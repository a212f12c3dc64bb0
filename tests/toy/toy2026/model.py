"""A random walk."""

import numpy as np


def walk(steps: int, drift: float, generator: np.random.Generator) -> np.ndarray:
    """Positions after each of `steps` steps of mean `drift` and unit variance."""
    return np.cumsum(drift + generator.standard_normal(steps))
