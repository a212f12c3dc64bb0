"""Pairs of classes: which samples, which labels, and the margins of the digits."""

import numpy as np
import pytest

from deeplimits import datasets
from deeplimits.kale2026 import images, margin

FEW = datasets.Images(
    np.arange(24.0).reshape(6, 2, 2) / 23, np.array([8, 0, 3, 8, 0, 8], dtype=np.int64)
)


def test_samples_are_the_first_of_both_classes() -> None:
    z = images.two_classes(FEW, 0, 8, samples=3)
    rows = FEW.pixels.reshape(6, 4)[[0, 1, 3]]
    expected = np.array([[-1], [1], [-1]]) * rows / np.linalg.norm(rows[2])
    assert z == pytest.approx(expected)
    assert len(images.two_classes(FEW, 0, 8)) == 5


def test_samples_are_at_most_all_and_at_least_two() -> None:
    assert np.array_equal(images.two_classes(FEW, 0, 8, 100), images.two_classes(FEW, 0, 8))
    with pytest.raises(ValueError, match="samples must be at least 2"):
        images.two_classes(FEW, 0, 8, 1)


def test_pixels_that_are_zero_in_all_chosen_images_are_left_out() -> None:
    pixels = np.array([[[0.0, 0.5, 0.0]], [[0.0, 0.0, 0.25]], [[1.0, 0.0, 0.0]]])
    few = datasets.Images(pixels, np.array([3, 5, 7]))
    assert images.two_classes(few, 3, 5) == pytest.approx(np.array([[1, 0], [0, -0.5]]))


@pytest.mark.parametrize(("second", "gamma"), [(0, 0.1161), (1, 0.0223)])
def test_digits_against_eight(second: int, gamma: float) -> None:
    # Eight against one has the least margin of all pairs. Rounded values, proved by the solver.
    z, found = images.separable("digits", 8, second)
    assert np.linalg.norm(z, axis=1).max() == pytest.approx(1)
    assert found.gamma == pytest.approx(gamma, abs=5e-5)
    assert (found.upper - found.lower) / found.upper < 1e-9


def test_inseparable_classes_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    same = datasets.Images(np.ones((4, 2, 2)), np.array([0, 8, 0, 8]))
    monkeypatch.setattr(datasets, "load", lambda name: same)
    with pytest.raises(margin.NotSeparableError, match="digits, 0 against 8") as refusal:
        images.separable("digits", 0, 8)
    assert np.sum(refusal.value.weights[[0, 2]]) == pytest.approx(0.5)
