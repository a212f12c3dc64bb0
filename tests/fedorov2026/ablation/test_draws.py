"""What is drawn before training: patches, splits, starts and orders of batches."""

import numpy as np
import pytest

from deeplimits import datasets
from deeplimits.fedorov2026.ablation import draws

SEED = np.random.SeedSequence(5)
SHAPE = (4, 6, 16, 8, 10)


def draw(index: int, steps: int = 7) -> draws.Network:
    rest = draws.split(SEED, 100, 20).rest
    return draws.network(SEED, index, rest, shape=SHAPE, validation=15, steps=steps, batch=16)


def test_patches_are_pixels_in_their_places():
    pixels = np.arange(2 * 4 * 6, dtype=float).reshape(2, 4, 6)
    patches = draws.patches(datasets.Images(pixels, np.zeros(2)), 2, 3)
    assert patches.shape == (2, 4, 6)
    raw = patches * pixels.std() + pixels.mean()
    assert np.allclose(raw[0, 1], [3, 4, 5, 9, 10, 11])
    assert np.allclose(raw[1, 2], 24 + np.array([12, 13, 14, 18, 19, 20]))
    with pytest.raises(ValueError, match="4×6 can't be cut into 3×3"):
        draws.patches(datasets.Images(pixels, np.zeros(2)), 3, 3)


def test_images_of_a_network_are_apart():
    split, one = draws.split(SEED, 100, 20), draw(0)
    parts = (split.test, one.validation, one.train)
    assert [len(part) for part in parts] == [20, 15, 65]
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(100))
    assert set(one.order.ravel()) <= set(one.train)


def test_batches_use_the_images_up_before_they_come_again():
    order = draw(0).order
    assert order.shape == (7, 16)
    assert len(set(order[:4].ravel())) == 64
    assert not np.array_equal(order[:3], order[4:])


def test_networks_differ_and_repeat():
    one, other, again = draw(0), draw(1), draw(0)
    for x, y, z in zip(one, other, again, strict=True):
        assert not np.array_equal(x, y)
        assert np.array_equal(x, z)


def test_law_of_the_values():
    """8192 entries over four networks: variance 1 ± .0156, mean ± .011; four errors allowed.

    The planted error is a scale that is off by √d or by 4%.
    """
    values = np.concatenate([draw(index).values.ravel() for index in range(4)])
    assert abs(values.mean()) < 4 / np.sqrt(values.size)
    assert abs(values.var() - 1) < 4 * np.sqrt(2 / values.size)
