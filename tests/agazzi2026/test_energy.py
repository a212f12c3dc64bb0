import numpy as np
import pytest

from deeplimits import sphere
from deeplimits.agazzi2026 import energy


@pytest.mark.parametrize("beta", [0.5, 1.0, 4.0])
def test_energy_follows_the_definition(beta):
    x = sphere.uniform(np.random.default_rng(0), (3, 7), 4)
    expected = 0.5 * np.mean(np.exp(beta) - np.exp(beta * sphere.gram(x)), axis=(-2, -1))
    actual = energy.energy(sphere.upper(sphere.gaps(x)), 7, beta)
    np.testing.assert_allclose(actual, expected, rtol=1e-12)


def test_energy_keeps_its_relative_precision_near_synchrony():
    pair_gaps = 1e-200 * np.array([[1.0, 2.0, 3.0]])
    np.testing.assert_allclose(energy.energy(pair_gaps, 3, 2.0), 2 * np.exp(2.0) * 6e-200 / 9)
    assert energy.energy(np.zeros((1, 3)), 3, 2.0) == 0


@pytest.mark.parametrize("size", [1, 2, 10, 2016])
def test_quantiles_are_those_of_numpy(size):
    values = np.random.default_rng(1).standard_normal((4, size))
    levels = (0.0, 0.05, 0.5, 0.95, 1.0)
    expected = np.moveaxis(np.quantile(values, levels, axis=-1), 0, -1)
    np.testing.assert_allclose(energy.quantiles(values, levels), expected, rtol=1e-13)
