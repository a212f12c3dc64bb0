"""What is drawn before training: the split of the images, starts of networks, orders of batches.

All of it depends on the seed alone, not on noise level, drift, horizon or arm, so that networks of
one number are paired over all of them. Child 0 of the seed sets the test images apart, once for
all networks; child 1 + k belongs to network k.
"""

from typing import NamedTuple

import numpy as np

from deeplimits import datasets, rng


class Split(NamedTuple):
    """Indices of images: tested once at the end, and the rest, for training and validation."""

    test: np.ndarray
    rest: np.ndarray


class Network(NamedTuple):
    """One network's draws: parameters of variance one before scaling, and its images.

    Attributes
    ----------
    embedding, position, head, values
        Standard normal: (pixels of a patch, d), (N, d), (d, classes) and (L, d, d).
    train, validation
        Indices of images.
    order
        Indices of the training images in each batch, (steps, batch).
    """

    embedding: np.ndarray
    position: np.ndarray
    head: np.ndarray
    values: np.ndarray
    train: np.ndarray
    validation: np.ndarray
    order: np.ndarray


def patches(images: datasets.Images, height: int, width: int) -> np.ndarray:
    """Standardized images cut into patches: (images, N, height·width).

    One mean and one scale for all pixels of all images; no labels enter.

    Raises
    ------
    ValueError
        if the images can't be cut so.
    """
    pixels = images.pixels
    n, rows, columns = pixels.shape
    if rows % height or columns % width:
        raise ValueError(f"images of {rows}×{columns} can't be cut into {height}×{width}")
    cut = (pixels - pixels.mean()) / pixels.std()
    cut = cut.reshape(n, rows // height, height, columns // width, width)
    return cut.swapaxes(2, 3).reshape(n, -1, height * width)


def split(seed: np.random.SeedSequence, images: int, test: int) -> Split:
    """Set `test` of the images apart."""
    order = rng.generator(_child(seed, 0)).permutation(images)
    return Split(order[:test], order[test:])


def network(
    seed: np.random.SeedSequence,
    index: int,
    rest: np.ndarray,
    *,
    shape: tuple[int, int, int, int, int],
    validation: int,
    steps: int,
    batch: int,
) -> Network:
    """Draw network `index`: `shape` is (N, pixels of a patch, d, L, classes)."""
    generator = rng.generator(_child(seed, 1 + index))
    tokens, pixels, d, layers, classes = shape
    mixed = generator.permutation(rest)
    train = mixed[validation:]
    return Network(
        embedding=generator.standard_normal((pixels, d)),
        position=generator.standard_normal((tokens, d)),
        head=generator.standard_normal((d, classes)),
        values=generator.standard_normal((layers, d, d)),
        train=train,
        validation=mixed[:validation],
        order=_batches(generator, train, steps, batch),
    )


def _batches(
    generator: np.random.Generator, train: np.ndarray, steps: int, batch: int
) -> np.ndarray:
    """Batches without replacement, in a new order each time the images are used up."""
    each = len(train) // batch
    rounds = -(-steps // each)
    orders = [generator.permutation(train)[: each * batch] for _ in range(rounds)]
    return np.concatenate(orders).reshape(-1, batch)[:steps]


def _child(seed: np.random.SeedSequence, index: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, index))
