"""Two classes of images as a separable problem: y_i x_i from pixels, with the exact margin."""

import numpy as np

from deeplimits import datasets
from deeplimits.kale2026 import data, margin
from deeplimits.kale2026.margin import Margin


def two_classes(
    images: datasets.Images, first: int, second: int, samples: int | None = None
) -> np.ndarray:
    """Return y_i x_i of two classes, pixels as a row, divided by the largest norm among them.

    Pixels that are 0 in all of these images are left out: their weights would never move.

    Parameters
    ----------
    images : Images
        Of all classes.
    first, second : int
        Classes with y = 1 and y = −1.
    samples : int, optional
        How many of both classes together to take at most, the first in the order of the data set;
        all of them by default.

    Raises
    ------
    ValueError
        If the classes are one and the same, one is absent, or `samples` is below 2.
    """
    chosen = np.flatnonzero(np.isin(images.labels, (first, second)))
    if samples is not None:
        if samples < 2:
            raise ValueError(f"samples must be at least 2, got {samples}")
        chosen = chosen[:samples]
    pixels = images.pixels[chosen].reshape(len(chosen), -1)
    return data.pair(pixels[:, pixels.any(axis=0)], images.labels[chosen], first, second)


def separable(
    name: datasets.Name, first: int, second: int, samples: int | None = None
) -> tuple[np.ndarray, Margin]:
    """Load two classes of a data set and prove their margin.

    Raises
    ------
    NotSeparableError
        If no plane through the origin separates them; it names them and carries the certificate.
    ValueError
        As for `two_classes`.
    UserError
        If the data set can't be had.
    """
    z = two_classes(datasets.load(name), first, second, samples)
    return z, margin.solve(z, f"{name}, {first} against {second}")
