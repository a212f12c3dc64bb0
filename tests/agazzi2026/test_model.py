"""The simulators of the MLP against each other in law, and the layer against what is known of it.

Power of the comparisons in law: `law` (conftest) rejects at level 1e-3; the faults it must catch
here are 3% in the variance of the noise (3% in its standard deviation is twice as far), a wrong
width, a missing or unshared bias.
"""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from deeplimits import gaussian, sphere
from deeplimits.agazzi2026 import activations, model
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.agazzi2026.model import DirectMlp, GaussianField, ReducedMlp

DT = 0.05


def rng(seed):
    return np.random.default_rng(seed)


def separated(n, d):
    return sphere.uniform(rng(100 + n + d), (n,), d)


def merging(n, d, radius=1e-7):
    """One cluster in which cosines, and the Gram matrix, are 1 to rounding."""
    y = sphere.uniform(rng(200), (), d) + radius * rng(201).standard_normal((n, d))
    return sphere.normalize(y)


def antipodal(n, d):
    y = merging(n, d)
    y[1::2] *= -1
    return y


def two_clusters(n, d):
    """Separated clusters of radius 1e-4 each, where the factor's jitter is at its worst."""
    centres = separated(2, d)
    return sphere.normalize(centres[np.arange(n) % 2] + 1e-4 * rng(202).standard_normal((n, d)))


def increments(simulator, y, law, seed, block=8192):
    """One-layer increments LN(y + √Δt G(y)) − y of independent replicas: (draws, N, d)."""
    generator = rng(seed)
    y = np.broadcast_to(y, (block, *y.shape))
    return np.concatenate(
        [
            model.noise_step(y, DT, simulator.sample(generator, y)) - y
            for _ in range(law.DRAWS // block)
        ]
    )


def squares(increment):
    """Squares of tokens, differences and means of tokens, averaged over coordinates, by draw."""
    n = increment.shape[1]
    last = np.eye(n)[n - 1]
    first, second, third = np.eye(n)[:3]
    contrasts = np.stack(
        [first, last, first - second, first - third, np.eye(n)[n - 2] - last, np.ones(n) / n]
    )
    return np.mean((contrasts @ increment) ** 2, axis=-1)


def with_fourth_powers(second):
    """Add the statistics that see the law beyond its covariance, which does not depend on m."""
    return np.concatenate([second, second**2], axis=1)


# The reduced simulator takes the factor in the first stage where d > N, in the second in all cases.
SHAPES = {"d < N": (5, 2), "d > N": (3, 6)}
TOKENS = {"separated": separated, "merging": merging, "antipodal": antipodal, "two": two_clusters}
WIDTH = 12
ODD = ("tanh", 0.0, 0.0)
BIASED = ("relu", 0.5, 0.3)
CASES = [
    *((tokens, *ODD) for tokens in TOKENS),
    # Only an odd field keeps antipodal clusters together, and only there are they resolved.
    *((tokens, *BIASED) for tokens in TOKENS if tokens != "antipodal"),
]


@cache
def direct_squares(tokens, shape, law, activation, sigma_u, sigma_w):
    simulator = DirectMlp(activations.get(activation), WIDTH, sigma_u, sigma_w)
    return with_fourth_powers(
        squares(increments(simulator, TOKENS[tokens](*SHAPES[shape]), law, 1))
    )


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("tokens", "activation", "sigma_u", "sigma_w"), CASES)
def test_reduced_simulator_has_the_law_of_the_direct_one(
    law, tokens, shape, activation, sigma_u, sigma_w
):
    direct = direct_squares(tokens, shape, law, activation, sigma_u, sigma_w)
    simulator = ReducedMlp(activations.get(activation), WIDTH, sigma_u, sigma_w)
    reduced = squares(increments(simulator, TOKENS[tokens](*SHAPES[shape]), law, 2))
    assert not law.rejects(law.z(direct, with_fourth_powers(reduced)))
    # The same draws with 3% more variance must fail.
    assert law.rejects(law.z(direct, with_fourth_powers(1.03 * reduced)))


def test_both_stages_are_factored_in_the_comparisons(monkeypatch):
    shapes = []
    real = gaussian.feature_factor
    monkeypatch.setattr(
        gaussian, "feature_factor", lambda *args: shapes.append(args[0].shape[1:]) or real(*args)
    )
    simulator = ReducedMlp(activations.get("relu"), WIDTH, 0.5, 0.3)
    for n, d in SHAPES.values():
        simulator.sample(rng(0), separated(n, d)[None])
    assert shapes == [(5, WIDTH), (3, 6), (3, WIDTH)]


FAULTS = {
    "twice the width": ("relu", 2 * WIDTH, 0.5, 0.3),
    "no hidden bias": ("relu", WIDTH, 0.0, 0.3),
    "no output bias": ("relu", WIDTH, 0.5, 0.0),
    "another activation": ("silu", WIDTH, 0.5, 0.3),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_comparison_detects_a_wrong_mlp(law, fault, shape):
    activation, *rest = FAULTS[fault]
    simulator = ReducedMlp(activations.get(activation), *rest)
    wrong = squares(increments(simulator, separated(*SHAPES[shape]), law, 2))
    direct = direct_squares("separated", shape, law, *BIASED)
    assert law.rejects(law.z(direct, with_fourth_powers(wrong)))


def covariance_statistics(sample, kernel, y):
    """Squares of tokens and of differences of a draw of G, and their means by κ."""
    n = len(y)
    i, j = np.triu_indices(n, 1)
    token = np.mean(sample**2, axis=-1)
    difference = np.mean((sample[:, i] - sample[:, j]) ** 2, axis=-1)
    means = np.full(n, kernel.kappa1), 2 * kernel.gap(sphere.one_minus_cosine(y[i], y[j]))
    return np.concatenate([token, difference], axis=1), np.concatenate(means)


def fields(simulator, y, law, seed, block=8192):
    generator, y = rng(seed), np.broadcast_to(y, (block, *y.shape))
    return np.concatenate([simulator.sample(generator, y) for _ in range(law.DRAWS // block)])


def as_reflected(sample, y):
    """G and y with every token on the side of token 0, for an odd field."""
    sign = np.where(y @ y[0] < 0, -1.0, 1.0)[:, None]
    return sign * sample, sign * y


@pytest.mark.parametrize(("tokens", "activation", "sigma_u", "sigma_w"), CASES)
def test_field_and_reduced_mlp_have_covariance_kappa(law, tokens, activation, sigma_u, sigma_w):
    n, d = 4, 5
    y = TOKENS[tokens](n, d)
    kernel = Kernel(activation, d, sigma_u, sigma_w)
    mlp = activations.get(activation), WIDTH, sigma_u, sigma_w
    for simulator in (GaussianField(kernel), ReducedMlp(*mlp)):
        sample, points = fields(simulator, y, law, 3), y
        if kernel.odd:
            sample, points = as_reflected(sample, points)
        statistics, means = covariance_statistics(sample, kernel, points)
        assert not law.rejects(law.z_against(statistics, means))
        assert law.rejects(law.z_against(1.03 * statistics, means))


def test_output_coordinates_are_uncorrelated(law):
    """(G_k + G_l)² has mean 2κ(1) for k ≠ l; a common factor of the coordinates would raise it."""
    y = separated(2, 4)
    kernel = Kernel("silu", 4, 0.2, 0.1)
    phi = activations.get("silu")
    for simulator in (GaussianField(kernel), ReducedMlp(phi, WIDTH, 0.2, 0.1)):
        G = fields(simulator, y, law, 4)[:, 0]
        sums = np.stack([(G[:, 0] + G[:, 1]) ** 2, (G[:, 0] + G[:, 3]) ** 2], axis=1)
        assert not law.rejects(law.z_against(sums, np.full(2, 2 * kernel.kappa1)))


def test_conditional_covariance_tends_to_kappa_at_rate_one_over_m():
    y = separated(5, 4)
    kernel = Kernel("gelu", 4, 0.3, 0.0)
    K = kernel(sphere.gram(y))
    errors = []
    for m in (64, 256, 1024):
        hidden = ReducedMlp(activations.get("gelu"), m, 0.3, 0.0).hidden(
            rng(5), np.broadcast_to(y, (2000, 5, 4))
        )
        K_m = hidden @ np.swapaxes(hidden, -1, -2) / m
        np.testing.assert_allclose(  # mean within five standard errors
            K_m.mean(axis=0), K, rtol=0, atol=5 * K_m.std(axis=0).max() / np.sqrt(2000)
        )
        errors.append(m * np.mean((K_m - K) ** 2))
    np.testing.assert_allclose(errors, errors[0], rtol=0.1)


SIMULATORS = {
    "direct": lambda name, d: DirectMlp(activations.get(name), 40, 0.0, 0.0),
    "reduced": lambda name, d: ReducedMlp(activations.get(name), 40, 0.0, 0.0),
    "field": lambda name, d: GaussianField(Kernel(name, d)),
}


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_field_is_odd_for_odd_activations_without_bias(simulator):
    y = separated(3, 6)
    G = SIMULATORS[simulator]("tanh", 6).sample(rng(6), np.concatenate([y, -y])[None])[0]
    np.testing.assert_allclose(G[3:], -G[:3], atol=10 * np.sqrt(gaussian.JITTER))
    G = SIMULATORS[simulator]("relu", 6).sample(rng(6), np.concatenate([y, -y])[None])[0]
    assert np.all(np.linalg.norm(G[3:] + G[:3], axis=-1) > 1e-2)


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_merged_tokens_stay_merged(simulator):
    """The jitter moves equal tokens apart by no more than its root, and a full cluster not at all.

    A noise of variance JITTER·max K_ii on every token bounds the effect.
    """
    y = separated(2, 6)[[0, 1, 1, 0, 1]]
    G = SIMULATORS[simulator]("relu", 6).sample(rng(7), np.broadcast_to(y, (1000, 5, 6)))
    bound = 6 * np.sqrt(2 * gaussian.JITTER * Kernel("relu", 6).kappa1)
    assert np.abs(G[:, 1] - G[:, 2]).max() < 3 * bound
    assert np.abs(G[:, 0] - G[:, 3]).max() < 3 * bound
    G = SIMULATORS[simulator]("relu", 6).sample(rng(7), np.broadcast_to(y[:1], (1000, 5, 6)))
    assert np.abs(G - G[:, :1]).max() < 1e-14


def test_field_refuses_the_absent_mlp():
    with pytest.raises(ValueError, match="without MLP"):
        GaussianField(Kernel("none", 3))


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_evolution_keeps_tokens_on_the_sphere_and_reports_every_layer(simulator):
    x = sphere.uniform(rng(8), (3, 7), 5)
    before = x.copy()
    seen = []
    last = model.evolve(
        rng(9),
        x,
        layers=4,
        dt=0.1,
        noise=SIMULATORS[simulator]("relu", 5),
        scale=-1.0,
        record=lambda layer, tokens: seen.append((layer, tokens.copy())),
    )
    np.testing.assert_array_equal(x, before)
    assert [layer for layer, _ in seen] == [0, 1, 2, 3, 4]
    np.testing.assert_array_equal(seen[0][1], x)
    np.testing.assert_array_equal(seen[-1][1], last)
    for (_, earlier), (_, later) in pairwise(seen):
        np.testing.assert_allclose(np.linalg.norm(later, axis=-1), 1.0, rtol=1e-15)
        assert np.all(np.linalg.norm(later - earlier, axis=-1) > 1e-6)


def test_replicas_are_independent():
    """The same tokens in every replica of a batch get uncorrelated noise, across chunks too."""
    y = np.broadcast_to(separated(4, 3), (4000, 4, 3))
    G = ReducedMlp(activations.get("relu"), 64, 0.1, 0.1).sample(rng(10), y)
    assert model.CHUNK < 4000 * 4 * 64
    first, second = G[:-1].reshape(3999, -1), G[1:].reshape(3999, -1)
    correlation = np.mean(first * second, axis=0) / np.mean(first**2, axis=0)
    assert np.abs(correlation).max() < 4.5 / np.sqrt(3999)


def test_evolution_without_attention_or_mlp_stands_still():
    x = sphere.uniform(rng(11), (2, 4), 3)
    np.testing.assert_array_equal(model.evolve(rng(0), x, layers=3, dt=0.1, noise=None), x)


def test_a_layer_is_equivariant_under_permutations_and_rotations():
    """Rotations: exact for attention; permutations: exact for the direct simulator as well."""
    x = sphere.uniform(rng(12), (2, 6), 4)
    order = rng(13).permutation(6)
    rotation, _ = np.linalg.qr(rng(14).standard_normal((4, 4)))
    y = model.attention_step(x, 0.1, -1.0, 2.0)
    np.testing.assert_allclose(
        model.attention_step(x[:, order], 0.1, -1.0, 2.0), y[:, order], rtol=1e-12
    )
    np.testing.assert_allclose(
        model.attention_step(x @ rotation, 0.1, -1.0, 2.0), y @ rotation, atol=1e-14
    )
    simulator = SIMULATORS["direct"]("silu", 4)
    np.testing.assert_allclose(
        simulator.sample(rng(15), y[:, order]), simulator.sample(rng(15), y)[:, order], rtol=1e-11
    )


def final_cosine(layers, scale, beta, u0, horizon=1.0):
    x = np.array([[[1.0, 0.0, 0.0], [u0, np.sqrt(1 - u0**2), 0.0]]])
    x = model.evolve(
        rng(0), x, layers=layers, dt=horizon / layers, noise=None, scale=scale, beta=beta
    )
    return x[0, 0] @ x[0, 1]


@pytest.mark.parametrize("scale", [1.0, -1.0])
@pytest.mark.parametrize("beta", [0.0, 2.0])
def test_attention_alone_converges_to_the_two_token_flow_at_order_one(scale, beta):
    """du/dt = 2aα(1 − u²), α = 1/(1 + e^{β(1−u)}); at β = 0, u = tanh(at + artanh u₀)."""
    u0 = 0.2
    flow = solve_ivp(
        lambda t, u: 2 * scale * (1 - u**2) / (1 + np.exp(beta * (1 - u))),
        (0.0, 1.0),
        [u0],
        rtol=1e-12,
        atol=1e-12,
    ).y[0, -1]
    if beta == 0:
        np.testing.assert_allclose(flow, np.tanh(scale + np.arctanh(u0)), rtol=1e-10)
    errors = np.array([abs(final_cosine(layers, scale, beta, u0) - flow) for layers in (50, 800)])
    order = np.log(errors[0] / errors[1]) / np.log(16)
    assert errors[1] < 1e-3
    assert 0.95 < order < 1.05
