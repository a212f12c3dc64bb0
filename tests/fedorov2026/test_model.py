"""The simulators on vectors: the layer as written, its noise in law, the flow without noise.

`law` (conftest) rejects at level 1e-3 a variance of the noise that is 3% off.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from deeplimits import gaussian, sphere
from deeplimits.fedorov2026 import theory
from deeplimits.fedorov2026.layer import evolve
from deeplimits.fedorov2026.model import DirectLayer, ReducedLayer


def rng(seed):
    return np.random.default_rng(seed)


def separated(n, d):
    return sphere.uniform(rng(100 + n + d), (n,), d)


def merging(n, d):
    return sphere.normalize(separated(1, d) + 1e-7 * rng(201).standard_normal((n, d)))


def antipodal(n, d):
    x = merging(n, d)
    x[1::2] *= -1
    return x


TOKENS = {"separated": separated, "merging": merging, "antipodal": antipodal}


def attention_means(x, beta, kind):
    """m_i, one sum at a time."""
    means = np.zeros_like(x)
    for i, own in enumerate(x):
        weights = np.array([np.exp(beta * own @ other) for other in x])
        weights /= weights.sum() if kind == "softmax" else len(x)
        means[i] = sum(w * other for w, other in zip(weights, x, strict=True))
    return means


@pytest.mark.parametrize("kind", ["softmax", "unnormalized"])
def test_layer_is_the_one_of_the_docstring(kind):
    x, V = separated(4, 3), rng(1).standard_normal((3, 3))

    class Known(DirectLayer):
        def _draw(self, rng, shape):
            return np.broadcast_to(V, shape)

    layer = Known(beta=1.7, dt=0.04, sigma=0.6, drift=0.5, attention=kind)
    means = attention_means(x, 1.7, kind)
    expected = np.array(
        [own + 0.5 * 0.04 * m + 0.6 * 0.2 * (V @ m) for own, m in zip(x, means, strict=True)]
    )
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    start = np.stack([x, -x])
    np.testing.assert_allclose(layer(rng(0), start), [expected, -expected], rtol=1e-13)
    np.testing.assert_array_equal(start, [x, -x])


def noises(layer, means, draws, seed, block=8192):
    """V m for independent V: (draws, n, d)."""
    generator, m = rng(seed), np.broadcast_to(means, (block, *means.shape))
    return np.concatenate([layer.noise(generator, m) for _ in range(draws // block)])


def second_moments(noise, means):
    """Squares of contrasts of V m averaged over coordinates, and their means |Σ c_i m_i|²."""
    n = len(means)
    contrasts = np.concatenate(
        [np.eye(n), np.eye(n) - np.roll(np.eye(n), 1, axis=1), np.ones((1, n))]
    )
    return np.mean((contrasts @ noise) ** 2, axis=-1), np.sum((contrasts @ means) ** 2, axis=-1)


LAYERS = {
    "direct": DirectLayer(beta=1.0, dt=0.1),
    "rademacher": DirectLayer(beta=1.0, dt=0.1, entries="rademacher"),
    "reduced": ReducedLayer(beta=1.0, dt=0.1),
}


@pytest.mark.parametrize("tokens", TOKENS)
@pytest.mark.parametrize(("n", "d"), [(5, 2), (3, 6)])
@pytest.mark.parametrize("name", LAYERS)
def test_noise_has_the_covariance_of_the_means(law, name, n, d, tokens):
    means = 0.8 * TOKENS[tokens](n, d)
    squares, expected = second_moments(noises(LAYERS[name], means, law.DRAWS, 2), means)
    # In two antipodal clusters or one, some contrasts are 1e-7 of others: the factor resolves them.
    assert not law.rejects(law.z_against(squares, expected))
    assert law.rejects(law.z_against(1.03 * squares, expected))


def test_the_reduced_layer_takes_the_factor_where_it_pays(monkeypatch):
    calls = []
    real = gaussian.feature_factor
    monkeypatch.setattr(
        gaussian, "feature_factor", lambda *args: calls.append(args[0].shape[1:]) or real(*args)
    )
    for n, d in ((5, 2), (3, 6), (4, 100)):
        LAYERS["reduced"].noise(rng(0), separated(n, d)[None])
    assert calls == [(3, 6), (4, 100)]


@pytest.mark.parametrize("name", LAYERS)
def test_entries_are_told_apart_by_their_fourth_moment(law, name):
    """E (V m)_k⁴ is 3|m|⁴ for normal entries and 3|m|⁴ − 2Σm_i⁴ for signs."""
    means = separated(2, 3)
    fourth = np.mean(noises(LAYERS[name], means, law.DRAWS, 3) ** 4, axis=-1)
    norm, sum_of_fourths = np.sum(means**2, axis=1) ** 2, np.sum(means**4, axis=1)
    normal, signs = 3 * norm, 3 * norm - 2 * sum_of_fourths
    right, wrong = (signs, normal) if name == "rademacher" else (normal, signs)
    assert not law.rejects(law.z_against(fourth, right))
    assert law.rejects(law.z_against(fourth, wrong))


def test_rademacher_entries_are_signs():
    V = LAYERS["rademacher"].noise(rng(4), np.broadcast_to(np.eye(5), (2000, 5, 5)))
    np.testing.assert_array_equal(np.abs(V), 1.0)
    assert np.abs(V.mean(axis=0)).max() < 4.5 / np.sqrt(2000)


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("d", [3, 40])
def test_tokens_share_the_noise_and_replicas_do_not(name, d):
    """Also across the chunks in which V is drawn, at d = 40 some 80 replicas each."""
    x = np.broadcast_to(separated(2, d)[[0, 1, 0]], (2000, 3, d))
    noise = LAYERS[name].noise(rng(5), x)
    np.testing.assert_allclose(noise[:, 0], noise[:, 2], atol=1e-5)  # √JITTER at most
    first, second = noise[:-1, 0], noise[1:, 0]
    correlation = np.mean(first * second, axis=0) / np.mean(first**2, axis=0)
    assert np.abs(correlation).max() < 4.5 / np.sqrt(1999)


@pytest.mark.parametrize("name", LAYERS)
def test_layers_keep_tokens_on_the_sphere_and_record_every_state(name):
    x = sphere.uniform(rng(6), (3, 7), 4)
    seen = []
    last = evolve(
        rng(7), x, LAYERS[name], 3, record=lambda layer, state: seen.append((layer, state.copy()))
    )
    assert [layer for layer, _ in seen] == [0, 1, 2, 3]
    np.testing.assert_array_equal(seen[0][1], x)
    np.testing.assert_array_equal(seen[-1][1], last)
    for _, state in seen[1:]:
        np.testing.assert_allclose(np.linalg.norm(state, axis=-1), 1.0, rtol=1e-15)
    assert all(np.abs(seen[i + 1][1] - seen[i][1]).min() > 0 for i in range(3))


def flow(rho0, beta, depth, layers):
    """Cosine of two tokens in the flow without noise."""
    x = np.array([[[1.0, 0.0], [rho0, np.sqrt(1 - rho0**2)]]])
    layer = DirectLayer(beta=beta, dt=depth / layers, sigma=0.0, drift=1.0)
    x = evolve(rng(0), x, layer, layers)
    return x[0, 0] @ x[0, 1]


@pytest.mark.parametrize("beta", [0.0, 2.0])
def test_flow_without_noise_is_of_order_one_in_depth(beta):
    """dρ/dt = 2(1 − α)(1 − ρ²), 1 − α = 1/(1 + e^{β(1−ρ)})."""
    exact = solve_ivp(
        lambda t, rho: 2 * (1 - rho**2) / (1 + np.exp(beta * (1 - rho))),
        (0.0, 1.0),
        [-0.4],
        rtol=1e-12,
        atol=1e-12,
    ).y[0, -1]
    errors = [abs(flow(-0.4, beta, 1.0, layers) - exact) for layers in (50, 800)]
    assert errors[1] < 1e-3
    assert 0.95 < np.log(errors[0] / errors[1]) / np.log(16) < 1.05


@pytest.mark.parametrize("beta", [0.5, 2.0])
def test_flow_without_noise_leaves_minus_one_at_the_escape_rate(beta):
    start = -1 + 1e-6
    grown = (1 + flow(start, beta, 1.0, 2000)) / (1 + start)
    np.testing.assert_allclose(np.log(grown), theory.escape_rate(beta), rtol=2e-3)


@pytest.mark.parametrize("layer", [DirectLayer, ReducedLayer])
@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"beta": -1.0}, "beta"),
        ({"beta": np.nan}, "beta"),
        ({"dt": 0.0}, "dt = T/L"),
        ({"dt": -1.0}, "dt = T/L"),
        ({"dt": np.inf}, "dt = T/L"),
        ({"sigma": -1.0}, "sigma"),
        ({"drift": np.nan}, "drift"),
        ({"attention": "linear"}, "attention"),
    ],
)
def test_bad_parameters_are_named(layer, change, name):
    with pytest.raises(ValueError, match=f"^{name} must"):
        layer(**{"beta": 1.0, "dt": 0.1, **change})


def test_unknown_entries_are_refused():
    with pytest.raises(ValueError, match=r"^entries must"):
        DirectLayer(beta=1.0, dt=0.1, entries="uniform")
