"""The Itô equations against the model they are the limit of, and against each other."""

import numpy as np
import pytest
from scipy.sparse import diags
from scipy.sparse.linalg import expm_multiply

from deeplimits import attention, sphere
from deeplimits.fedorov2026 import pair
from deeplimits.fedorov2026.layer import evolve
from deeplimits.fedorov2026.model import DirectLayer
from deeplimits.fedorov2026.pair import PairLayer
from deeplimits.fedorov2026.sde import EulerLayer, PairEulerLayer


def rng(seed):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("d", [2, 3, 50])
def test_pair_coefficients_are_those_of_the_cosine(d):
    """By Itô's formula, in ρ: drift σ²[−(d−1)sρ + c(d−2+ρ²)] + a⟨…⟩ and d⟨ρ⟩ = 2σ²(1−ρ²)(s−cρ)dt.

    s = |m_i|² and c = ⟨m₁, m₂⟩ are taken from attention itself.
    """
    beta, sigma, a = 1.6, 0.8, 0.7
    layer = PairEulerLayer(beta=beta, d=d, dt=0.1, sigma=sigma, drift=a)
    for rho in (-0.95, -0.2, 0.0, 0.6, 0.99):
        x = np.array([[1.0, 0.0], [rho, np.sqrt(1 - rho**2)]])
        m = attention.means(x, beta)
        s, c = m[0] @ m[0], m[0] @ m[1]
        flow = (m[0] - x[0] * (x[0] @ m[0])) @ x[1] + (m[1] - x[1] * (x[1] @ m[1])) @ x[0]
        drift = sigma**2 * (-(d - 1) * s * rho + c * (d - 2 + rho**2)) + a * flow
        variation = 2 * sigma**2 * (1 - rho**2) * (s - c * rho)
        b, g = layer.coefficients(np.arctanh(rho))
        slope = 1 - rho**2  # dρ/dz, and d²ρ/dz² = −2ρ(1−ρ²)
        np.testing.assert_allclose(slope * b - rho * slope * g**2, drift, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose((slope * g) ** 2, variation, rtol=1e-10)


@pytest.mark.parametrize("kind", ["softmax", "unnormalized"])
def test_token_increments_have_the_moments_of_the_equation(kind):
    """Radially −½σ²(d−1)|m|²Δt, exactly; tangentially aPmΔt, and covariance σ²Δt PPᵀ⟨m, m⟩."""
    n, d, sigma, a, dt = 3, 4, 0.7, 0.5, 0.1
    layer = EulerLayer(beta=1.2, dt=dt, sigma=sigma, drift=a, attention=kind)
    x = sphere.uniform(rng(0), (n,), d)
    m = layer.weights(x @ x.T) @ x
    draws = 100_000
    moves = layer.increment(rng(1), np.broadcast_to(x, (draws, n, d)))
    radial = np.einsum("rik,ik->ri", moves, x)
    correction = -0.5 * sigma**2 * (d - 1) * np.sum(m**2, axis=1) * dt
    np.testing.assert_allclose(radial, np.broadcast_to(correction, radial.shape), rtol=1e-10)
    P = np.eye(d) - x[:, :, None] * x[:, None]
    tangential = moves - radial[..., None] * x
    mean = a * dt * np.einsum("ikl,il->ik", P, m)
    spread = tangential - mean
    np.testing.assert_array_less(
        np.abs(spread.mean(axis=0)), 4.5 * sigma * np.sqrt(dt / draws) * np.ones((n, d))
    )
    for i, j in ((0, 0), (0, 1), (1, 2)):
        products = spread[:, i, :, None] * spread[:, j, None]
        expected = sigma**2 * dt * (P[i] @ P[j]) * (m[i] @ m[j])
        error = products.std(axis=0) / np.sqrt(draws)
        assert np.all(np.abs(products.mean(axis=0) - expected) < 4.5 * error + 1e-15)


def test_projected_steps_stay_on_the_sphere():
    x = evolve(rng(2), sphere.uniform(rng(3), (5, 4), 3), EulerLayer(beta=1.0, dt=0.1), 6)
    np.testing.assert_allclose(np.linalg.norm(x, axis=-1), 1.0, rtol=1e-15)


BETA, D, DRIFT, HORIZON, RHO0 = 1.5, 4, 0.5, 0.5, -0.3


def test_functions(rho):
    """Smooth functions of ρ, as columns."""
    return np.stack([rho, rho**2, np.exp(rho)], axis=-1)


test_functions.__test__ = False


def limit_means():
    """E f(ρ_T) of the two-token equation: ∂ₜu = b u′ + ½c² u″ backward, 4th-order differences."""
    z = np.linspace(-12, 12, 721)
    h = z[1] - z[0]
    b, c = PairEulerLayer(beta=BETA, d=D, dt=1.0, drift=DRIFT).coefficients(z)
    first = diags([1.0, -8.0, 0.0, 8.0, -1.0], [-2, -1, 0, 1, 2], shape=(z.size, z.size)) / (12 * h)
    second = diags([-1.0, 16.0, -30.0, 16.0, -1.0], [-2, -1, 0, 1, 2], shape=(z.size, z.size)) / (
        12 * h * h
    )
    inside = (np.arange(z.size) > 1) & (np.arange(z.size) < z.size - 2)  # f is constant out there
    generator = diags(inside * b) @ first + diags(0.5 * inside * c**2) @ second
    u = expm_multiply(HORIZON * generator, test_functions(np.tanh(z)))
    return np.array([np.interp(np.arctanh(RHO0), z, column) for column in u.T])


def start_vectors(replicas, d):
    x = np.zeros((replicas, 2, d))
    x[:, :, 0] = 1.0
    x[:, 1, :2] = RHO0, np.sqrt(1 - RHO0**2)
    return x


def chain(seed, replicas, setting, layers):
    state = pair.at_cosine(np.full(replicas, RHO0))
    return 1 - evolve(rng(seed), state, PairLayer(d=D, **setting), layers).one_minus


def one_dimensional(seed, replicas, setting, layers):
    z = np.full(replicas, np.arctanh(RHO0))
    return np.tanh(evolve(rng(seed), z, PairEulerLayer(d=D, **setting), layers))


def vectors(layer_type, **more):
    def simulate(seed, replicas, setting, layers):
        layer = layer_type(**setting, **more)
        x = evolve(rng(seed), start_vectors(replicas, D), layer, layers)
        return np.einsum("rk,rk->r", x[:, 0], x[:, 1])

    return simulate


ROUTES = {
    "chain": (chain, 100_000),
    "one-dimensional equation": (one_dimensional, 100_000),
    "equation on the sphere": (vectors(EulerLayer), 40_000),
    "Rademacher model": (vectors(DirectLayer, entries="rademacher"), 40_000),
}


def sampled_means(route, layers, seed, more=1, **changes):
    """E f(ρ_T) at depth L, and its standard errors; `more` times the route's replicas."""
    simulate, replicas = ROUTES[route]
    replicas *= more
    setting = {"beta": BETA, "drift": DRIFT, "dt": HORIZON / layers, **changes}
    values = test_functions(simulate(seed, replicas, setting, layers))
    return values.mean(axis=0), values.std(axis=0) / np.sqrt(replicas)


@pytest.mark.parametrize("route", ROUTES)
def test_all_routes_have_the_same_limit(route):
    """E f(ρ_T) extrapolated from L = 12, 24 is that of the equation, within 4 standard errors.

    These are below .01, a third of what a σ² 10% off does (checked).
    """
    exact = limit_means()
    (coarse, coarse_error), (fine, fine_error) = (sampled_means(route, L, L) for L in (12, 24))
    error = np.hypot(2 * fine_error, coarse_error)
    assert np.all(np.abs(2 * fine - coarse - exact) < 4 * error)
    off = sampled_means(route, 24, 1, sigma=np.sqrt(1.1))[0] - fine
    assert np.any(np.abs(off) > 4 * error)


def test_weak_error_of_the_chain_is_of_order_one():
    """Between L = 2 and 8 the error falls by 4; the order has a standard error of .05."""
    exact = limit_means()
    errors = []
    for layers in (2, 8):
        mean, noise = sampled_means("chain", layers, 100 + layers, more=5)
        errors.append((mean - exact)[0])
        assert noise[0] < 0.1 * abs(errors[-1])
    order = np.log(errors[0] / errors[1]) / np.log(4)
    assert 0.8 < order < 1.2


def test_bad_parameters_are_named():
    with pytest.raises(ValueError, match=r"^d must"):
        PairEulerLayer(beta=1.0, dt=0.1, d=1)
    with pytest.raises(ValueError, match=r"^beta must"):
        EulerLayer(beta=-1.0, dt=0.1)
    with pytest.raises(ValueError, match=r"^dt = T/L must"):
        PairEulerLayer(beta=1.0, dt=0.0, d=3)
