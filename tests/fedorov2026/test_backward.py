"""E f(ρ_T) of the limit against what is known exactly."""

import numpy as np
import pytest

from deeplimits import attention
from deeplimits.fedorov2026 import backward, theory

MODELS = [(3.0, 5, 1.0, -0.5), (2.0, 8, 0.5, 0.0)]
"""β, d, T and ρ₀ of the experiment on the limit."""


def functions(rho):
    return np.stack([rho**2, np.exp(rho), np.cos(np.pi * rho)], axis=-1)


def mean_at(f, beta, d, horizon, rho0, **more):
    return backward.mean_at(f, beta=beta, d=d, horizon=horizon, rho0=rho0, **more)


@pytest.mark.parametrize("model", MODELS)
def test_grid_error_is_far_below_the_errors_it_is_a_reference_for(model):
    """Those are .005 and more, with standard errors of 3e-4; the difference is 16/15 of it."""
    fine = mean_at(functions, *model, step=backward.STEP / 2)
    np.testing.assert_allclose(mean_at(functions, *model), fine, rtol=0, atol=1e-5)


@pytest.mark.parametrize("model", MODELS)
def test_probability_of_antipodes_is_a_martingale(model):
    """Exact for every T: fixes the ratio of drift to diffusion, and the ends of the grid."""
    beta, d, _, rho0 = model
    exact = theory.antipodal_probability(beta, d, rho0)
    found = mean_at(lambda rho: theory.antipodal_probability(beta, d, rho), *model)
    assert found == pytest.approx(exact, abs=1e-5)
    assert exact > 0.05


@pytest.mark.parametrize("model", MODELS)
def test_short_times_have_the_drift_of_the_cosine(model):
    """E ρ_t − ρ₀ = [−(d−1)sρ + c(d−2+ρ²)]t + O(t²): fixes the clock; s, c from attention."""
    beta, d, _, rho0 = model
    x = np.array([[1.0, 0.0], [rho0, np.sqrt(1 - rho0**2)]])
    m = attention.means(x, beta)
    drift = -(d - 1) * (m[0] @ m[0]) * rho0 + (m[0] @ m[1]) * (d - 2 + rho0**2)
    t = 1e-4
    assert (mean_at(lambda rho: rho, beta, d, t, rho0) - rho0) / t == pytest.approx(drift, abs=0.02)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"d": 1}, "d"),
        ({"beta": -1.0}, "beta"),
        ({"horizon": 0.0}, "horizon"),
        ({"rho0": 1.0}, "rho0"),
    ],
)
def test_bad_parameters_are_named(change, name):
    model = {"beta": 1.0, "d": 3, "horizon": 1.0, "rho0": 0.0, **change}
    with pytest.raises(ValueError, match=rf"^{name} must"):
        backward.mean_at(lambda rho: rho, **model)
