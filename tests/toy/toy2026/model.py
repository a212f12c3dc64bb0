"""A random walk."""

import numpy as np


def walk(steps: int, drift: float, spread: float, generator: np.random.Generator) -> np.ndarray:
    """Positions after each of `steps` steps of mean `drift` and standard deviation `spread`."""
    # the sum of all steps so far
    return np.cumsum(drift + spread * generator.standard_normal(steps))
