"""Exponents at a finite step against the chains themselves."""

import numpy as np
import pytest

from deeplimits.fedorov2026 import discrete, pair, theory
from deeplimits.fedorov2026.hybrid import HybridLayer


@pytest.mark.parametrize(
    ("beta", "d", "dt", "sigma"),
    [(0.9, 5, 0.1, 1.0), (2.0, 16, 0.02, 1.2), (0.5, 2, 0.3, 1.0), (0.0, 4, 0.2, 0.8)],
)
def test_antipodal_exponent_is_the_mean_of_one_layer(beta, d, dt, sigma):
    """2·10⁵ layers of the exact chain, 4 standard errors: level 6e-5 a case.

    Planted: the limit Δt → 0 is off by 7 standard errors or more in every case.
    """
    layer = pair.PairLayer(beta=beta, d=d, dt=dt, sigma=sigma)
    state = layer(np.random.default_rng(20260129), pair.near_antipodal(np.full(200_000, 1e-100)))
    moves = np.log(state.one_plus / 1e-100) / dt
    error = moves.std() / np.sqrt(moves.size)
    exact = discrete.exponent_antipodal(beta, d, dt, sigma)
    assert abs(moves.mean() - exact) < 4 * error
    assert abs(theory.exponent_antipodal(beta, d, sigma) - exact) > 7 * error


@pytest.mark.parametrize("d", [2, 5, 64])
@pytest.mark.parametrize("beta", [0.3, 2.0])
def test_antipodal_exponent_to_first_order(beta, d):
    tau, dt, sigma = np.tanh(beta), 1e-4 / d, 1.3
    first = (d * d - 4 * d + 1) * tau**4 + 2 * (d - 3) * tau**2 - (d - 3) * (d - 5)
    limit = theory.exponent_antipodal(beta, d, sigma)
    bias = discrete.exponent_antipodal(beta, d, dt, sigma) - limit
    assert bias / dt == pytest.approx(0.5 * sigma**4 * first, rel=5e-3)


@pytest.mark.parametrize(("beta", "epsilon", "dt"), [(1.0, 0.6, 0.01), (2.0, 1.5, 0.3)])
def test_hybrid_exponents_are_the_mean_of_both_signs(beta, epsilon, dt):
    layer = HybridLayer(beta=beta, epsilon=epsilon, dt=dt)
    z = np.array([-40.0, 40.0])
    mean = 0.5 * (layer.move(z, np.ones(2)) + layer.move(z, -np.ones(2))) - z
    exact = discrete.hybrid_exponents(beta, epsilon, dt)
    np.testing.assert_allclose(exact, 2 * mean / dt * [1, -1], rtol=1e-10)


def test_hybrid_exponents_tend_to_the_limit():
    exact = discrete.hybrid_exponents(1.0, 0.9, 1e-7)
    assert exact.antipodal == pytest.approx(theory.hybrid_exponent_antipodal(1.0, 0.9), abs=1e-5)
    assert exact.consensus == pytest.approx(theory.hybrid_exponent_consensus(1.0, 0.9), abs=1e-4)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: discrete.exponent_antipodal(1.0, 1, 0.1), "d"),
        (lambda: discrete.exponent_antipodal(-1.0, 3, 0.1), "beta"),
        (lambda: discrete.exponent_antipodal(1.0, 3, 0.0), "dt = T/L"),
        (lambda: discrete.exponent_antipodal(1.0, 3, 0.1, -1.0), "sigma"),
        (lambda: discrete.hybrid_exponents(np.nan, 0.1, 0.1), "beta"),
        (lambda: discrete.hybrid_exponents(1.0, -0.1, 0.1), "epsilon"),
        (lambda: discrete.hybrid_exponents(1.0, 0.1, -0.1), "dt = T/L"),
    ],
)
def test_bad_parameters_are_named(call, name):
    with pytest.raises(ValueError, match=rf"^{name} must"):
        call()
