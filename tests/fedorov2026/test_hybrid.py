"""The hybrid chain against vectors, its exponents and its outcomes."""

import numpy as np
import pytest

from deeplimits.fedorov2026 import theory
from deeplimits.fedorov2026.hybrid import HybridLayer
from deeplimits.fedorov2026.layer import evolve
from deeplimits.fedorov2026.model import DirectLayer


def rng(seed):
    return np.random.default_rng(seed)


def test_step_is_that_of_the_tokens():
    """Also where η is so large that tokens change sides."""
    for beta, epsilon, dt in ((1.0, 0.6, 0.01), (2.0, 1.5, 0.5)):
        layer = HybridLayer(beta=beta, epsilon=epsilon, dt=dt)
        for rho in (-0.99, -0.3, 0.0, 0.8):
            x = np.array([[1.0, 0.0], [rho, np.sqrt(1 - rho**2)]])
            for xi in (-1.0, 1.0):
                eta = dt + epsilon * np.sqrt(dt) * xi
                y = x + eta * 0.5 * np.exp(beta * x @ x.T) @ x
                y /= np.linalg.norm(y, axis=1, keepdims=True)
                z = layer.move(np.array([np.arctanh(rho)]), np.array([xi]))
                np.testing.assert_allclose(np.tanh(z), y[0] @ y[1], atol=1e-13)


def test_without_noise_it_is_the_model_with_unnormalized_attention():
    x = np.array([[[1.0, 0.0], [-0.4, np.sqrt(1 - 0.16)]]])
    layer = DirectLayer(beta=1.3, dt=0.1, sigma=0.0, drift=1.0, attention="unnormalized")
    y = evolve(rng(0), x, layer, 4)[0]
    z = evolve(rng(0), np.arctanh([-0.4]), HybridLayer(beta=1.3, epsilon=0.0, dt=0.1), 4)
    np.testing.assert_allclose(np.tanh(z), y[0] @ y[1], rtol=1e-12)


@pytest.mark.parametrize("ratio", [0.5, 0.95, 1.05, 2.0])
@pytest.mark.parametrize("beta", [0.0, 1.0, 3.0])
def test_mean_moves_far_out_are_the_exponents(beta, ratio):
    """log(1 ± ρ) = ±2z + const; the mean over ξ = ±1 is exact, and extrapolated to Δt → 0."""
    epsilon = np.sqrt(ratio * theory.hybrid_threshold(beta))
    z = np.array([-40.0, 40.0])
    slopes = []
    for dt in (2e-6, 1e-6):
        layer = HybridLayer(beta=beta, epsilon=epsilon, dt=dt)
        mean = 0.5 * (layer.move(z, np.ones(2)) + layer.move(z, -np.ones(2))) - z
        slopes.append(2 * mean / dt)
    antipodal, consensus = (2 * slopes[1] - slopes[0]) * [1, -1]
    expected = [
        theory.hybrid_exponent_antipodal(beta, epsilon),
        theory.hybrid_exponent_consensus(beta, epsilon),
    ]
    np.testing.assert_allclose([antipodal, consensus], expected, atol=1e-5 * np.exp(2 * beta))


@pytest.mark.parametrize(
    ("ratio", "antipodal"), [(0.5, 0.0), (0.8, 0.05), (1.25, 0.99), (2.0, 1.0)]
)
def test_outcomes_on_both_sides_of_the_threshold(ratio, antipodal):
    """β = 1 from ρ₀ = 0 to T = 60: the share with 1 + ρ < .1 and, on its side, with 1 − ρ < .1.

    Within 4 standard errors and a rounding of .01; some runs are undecided near the threshold.
    """
    epsilon = np.sqrt(ratio * theory.hybrid_threshold(1.0))
    layer = HybridLayer(beta=1.0, epsilon=epsilon, dt=0.01)
    z = evolve(rng(1), np.zeros(1000), layer, 6000)
    share = np.mean(1 + np.tanh(z) < 0.1)
    assert abs(share - antipodal) < 4 * np.sqrt(antipodal * (1 - antipodal) / 1000) + 0.01
    consensus = np.mean(1 - np.tanh(z) < 0.1)
    assert consensus > 0.7 if ratio < 1 else consensus < 0.01


def test_noise_is_a_fair_sign_for_each_replica_and_layer():
    layer = HybridLayer(beta=0.0, epsilon=1.0, dt=0.01)
    moves = layer(rng(2), np.zeros(4000)) - 0.0
    up, down = layer.move(np.zeros(1), np.ones(1)), layer.move(np.zeros(1), -np.ones(1))
    assert set(moves) == {*up, *down}
    assert abs(np.mean(moves == up) - 0.5) < 4 * 0.5 / np.sqrt(4000)


@pytest.mark.parametrize(
    ("change", "name"),
    [({"beta": -1.0}, "beta"), ({"epsilon": np.nan}, "epsilon"), ({"dt": 0.0}, "dt = T/L")],
)
def test_bad_parameters_are_named(change, name):
    with pytest.raises(ValueError, match=rf"^{name} must"):
        HybridLayer(**{"beta": 1.0, "epsilon": 0.5, "dt": 0.1, **change})
