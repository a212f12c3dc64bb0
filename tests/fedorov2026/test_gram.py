"""The Gram chain against the direct simulator in law, through rank loss, and at d = 10⁶.

`law` (conftest) compares means of nonnegative statistics at level 1e-3. The faults it must catch:
3% more variance of the noise, a Wishart matrix of one degree too many, none at all.
"""

from functools import cache

import numpy as np
import pytest

from deeplimits import sphere
from deeplimits.fedorov2026 import gram, pair
from deeplimits.fedorov2026.gram import GramLayer
from deeplimits.fedorov2026.layer import evolve
from deeplimits.fedorov2026.model import DirectLayer

LAYERS = 2


def rng(seed):
    return np.random.default_rng(seed)


def tokens(n, d):
    """Tokens at generic angles, the second one half way to the first."""
    x = sphere.uniform(rng(10 + n + d), (n,), d)
    x[1] += x[0]
    return sphere.normalize(x)


def parameters(d):
    return {"beta": 1.4, "dt": 0.4 / d, "drift": 1.5}


def statistics(x, start):
    """Moments of the cosines of a few pairs; squared increments are most sensitive to the noise."""
    n = len(start)
    i, j = np.triu_indices(n, 1)
    keep = np.linspace(0, i.size - 1, min(i.size, 6)).astype(int)
    i, j = i[keep], j[keep]
    gap = sphere.one_minus_cosine(x[:, i], x[:, j])
    moved = gap - sphere.one_minus_cosine(start[i], start[j])
    together = (moved + np.roll(moved, 1, axis=1)) ** 2  # sees how increments go together
    return np.concatenate([gap, 2 - gap, gap**2, moved**2, together], axis=1)


def run(layer, start, law, seed, block=8192):
    generator, parts = rng(seed), []
    for _ in range(law.DRAWS // block):
        x = np.broadcast_to(start, (block, *start.shape))
        x = gram.coordinates(x) if isinstance(layer, GramLayer) else x
        parts.append(evolve(generator, x, layer, LAYERS))
    return np.concatenate(parts)


@cache
def direct(n, d, law, attention="softmax"):
    layer = DirectLayer(**parameters(d), attention=attention)
    return statistics(run(layer, tokens(n, d), law, 1), tokens(n, d))


def chain(n, d, law, **changes):
    layer = GramLayer(**{**parameters(d), "d": d, **changes})
    return statistics(run(layer, tokens(n, d), law, 2), tokens(n, d))


SHAPES = {"2n < d": (3, 8), "n < d < 2n": (3, 4), "n = d": (3, 3), "n > d": (5, 2)}


@pytest.fixture(params=["few", "many"])
def arithmetic(request, monkeypatch):
    """Both ways of computing, on tokens few enough for a test."""
    if request.param == "many":
        monkeypatch.setattr(gram, "FEW", 0)


@pytest.mark.usefixtures("arithmetic")
@pytest.mark.parametrize("shape", SHAPES)
def test_chain_has_the_law_of_the_direct_simulator(law, shape):
    n, d = SHAPES[shape]
    assert not law.rejects(law.z(direct(n, d, law), chain(n, d, law)))


def test_chain_has_the_law_with_unnormalized_attention(law):
    unnormalized = {"attention": "unnormalized"}
    statistics = chain(3, 8, law, **unnormalized)
    assert not law.rejects(law.z(direct(3, 8, law, **unnormalized), statistics))
    assert law.rejects(law.z(direct(3, 8, law), statistics))


@pytest.mark.usefixtures("arithmetic")
@pytest.mark.parametrize("shape", SHAPES)
def test_comparison_detects_three_percent_more_variance(law, shape):
    n, d = SHAPES[shape]
    louder = chain(n, d, law, sigma=np.sqrt(1.03))
    assert law.rejects(law.z(direct(n, d, law), louder))


@pytest.mark.parametrize("shape", ["2n < d", "n < d < 2n"])
@pytest.mark.parametrize("fault", [1, -1], ids=["one degree too many", "one too few"])
def test_comparison_detects_a_wrong_wishart_matrix(law, monkeypatch, shape, fault):
    n, d = SHAPES[shape]
    real = gram._fill_bartlett

    def wrong(rng, out, degrees):
        if degrees + fault > 0:
            real(rng, out, degrees + fault)

    monkeypatch.setattr(gram, "_fill_bartlett", wrong)
    assert law.rejects(law.z(direct(n, d, law), chain(n, d, law)))


def test_comparison_detects_a_matrix_of_tokens_instead_of_coordinates(law):
    """A noise matrix n×n where n > d, the slip of a factor of the Gram matrix without its rank."""
    n, d = SHAPES["n > d"]
    padded = np.concatenate([tokens(n, d), np.zeros((n, n - d))], axis=1)
    layer = GramLayer(**parameters(d), d=n)
    wrong = statistics(run(layer, padded, law, 2), tokens(n, d))
    assert law.rejects(law.z(direct(n, d, law), wrong))


@pytest.mark.usefixtures("arithmetic")
@pytest.mark.parametrize(("n", "d"), [(2, 5), (4, 3), (3, 20)])
def test_uniform_tokens_are_uniform(law, n, d):
    drawn = gram.uniform(rng(3), law.DRAWS, n, d)
    vectors = sphere.uniform(rng(4), (law.DRAWS, n), d)
    assert drawn.shape == (law.DRAWS, n, min(n, d))
    right = statistics(vectors, np.eye(n))  # squares of cosines, among others
    assert not law.rejects(law.z(right, statistics(drawn, np.eye(n))))
    wrong = gram.uniform(rng(3), law.DRAWS, n, d + 1)
    assert law.rejects(law.z(right, statistics(wrong, np.eye(n))))


@pytest.mark.parametrize(("n", "d"), [(3, 8), (5, 2), (4, 4), (9, 30), (12, 5)])
def test_coordinates_keep_inner_products(n, d):
    x = sphere.uniform(rng(5), (20, n), d)
    reduced = gram.coordinates(x)
    assert reduced.shape == (20, n, min(n, d))
    assert not np.shares_memory(reduced, x)
    np.testing.assert_allclose(sphere.gram(reduced), sphere.gram(x), atol=1e-14)


SPREADS = [1e-3, 1e-8, 1e-12, 0.0]


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("n", [6, 10])
def test_triangularisation_keeps_separations_in_two_antipodal_clusters(n, spread):
    """Differences of close rows have an error of the rounding unit, not of its root."""
    signs = np.where(np.arange(n) % 3 == 0, -1.0, 1.0)[:, None]
    rows = rng(6).standard_normal(2 * n) + spread * rng(7).standard_normal((50, n, 2 * n))
    rows = sphere.normalize(rows) * signs
    factor = signs * gram._triangular(rows.copy())
    np.testing.assert_array_equal(np.triu(signs * factor, 1), 0)
    exact, kept = (
        np.linalg.norm(x[:, :, None] - x[:, None], axis=-1) for x in (signs * rows, factor)
    )
    np.testing.assert_allclose(kept, exact, rtol=1e-11, atol=2e-15)


@pytest.mark.parametrize("n", [4, 10])
def test_merged_and_antipodal_tokens_stay_so(n):
    """Through 300 layers: rounding moves equal tokens apart by about its unit a layer."""
    signs = np.where(np.arange(n) < n // 2, -1.0, 1.0)[:, None]
    for x in (np.ones((n, 1)), signs):
        start = np.zeros((30, n, n))
        start[..., :1] = x
        end = evolve(rng(8), start, GramLayer(beta=2.0, dt=1e-3, d=50), 300)
        assert np.all(np.isfinite(end))
        assert sphere.gaps(x * end).max() < 1e-28


@pytest.mark.usefixtures("arithmetic")
def test_close_clusters_have_the_law_of_the_direct_simulator(law):
    """Antipodal clusters of radius 1e-9, where the Gram matrix holds nothing but rounding."""
    n, d = 4, 5
    signs = np.where(np.arange(n) < n // 2, -1.0, 1.0)[:, None]
    start = sphere.uniform(rng(9), (), d) + 1e-9 * rng(10).standard_normal((n, d))
    start = signs * sphere.normalize(start)
    settings = {"beta": 1.0, "dt": 0.02}
    layers = (
        DirectLayer(**settings),
        GramLayer(**settings, d=d),
        GramLayer(**settings, d=d, sigma=np.sqrt(1.03)),
    )
    right, same, louder = (
        inner_statistics(run(layer, start, law, 11 + i), start) for i, layer in enumerate(layers)
    )
    assert not law.rejects(law.z(right, same))
    assert law.rejects(law.z(right, louder))


def inner_statistics(x, start):
    """As `statistics`, of a pair in a cluster and a pair across, in units of their gaps."""
    gaps = [
        np.stack(
            [
                sphere.one_minus_cosine(tokens[..., 0, :], tokens[..., 1, :]),
                sphere.one_plus_cosine(tokens[..., 0, :], tokens[..., -1, :]),
            ],
            axis=-1,
        )
        for tokens in (x, start)
    ]
    ratio = gaps[0] / gaps[1]
    return np.concatenate([ratio, ratio**2, (ratio - 1) ** 2], axis=1)


def test_two_tokens_in_a_million_dimensions_have_the_law_of_the_two_token_chain(law):
    d, rho0 = 10**6, 0.2
    setting = {"beta": 1.4, "dt": 0.1 / d, "d": d}
    x = np.broadcast_to([[1.0, 0.0], [rho0, np.sqrt(1 - rho0**2)]], (law.DRAWS, 2, 2))
    x = evolve(rng(12), gram.coordinates(x), GramLayer(**setting), LAYERS)
    gap = sphere.one_minus_cosine(x[:, 0], x[:, 1])

    def moments(gap):
        return np.stack([gap, 2 - gap, (gap - (1 - rho0)) ** 2], axis=1)

    def chain(**changes):
        start = pair.at_cosine(np.full(law.DRAWS, rho0))
        return evolve(rng(13), start, pair.PairLayer(**{**setting, **changes}), LAYERS).one_minus

    assert not law.rejects(law.z(moments(gap), moments(chain())))
    assert law.rejects(law.z(moments(gap), moments(chain(dt=0.103 / d))))


def test_layer_without_noise_is_the_deterministic_one():
    x = sphere.uniform(rng(14), (5, 3), 8)
    setting = {"beta": 1.4, "dt": 0.1, "sigma": 0.0, "drift": 1.0}
    expected = evolve(rng(0), x, DirectLayer(**setting), 4)
    actual = evolve(rng(0), gram.coordinates(x), GramLayer(**setting, d=8), 4)
    np.testing.assert_allclose(sphere.gram(actual), sphere.gram(expected), atol=1e-14)


def test_replicas_of_few_tokens_stay_neighbours_in_memory():
    """The layout that the speed of small systems rests on."""
    for n, d in ((3, 8), (5, 2)):
        x = gram.coordinates(sphere.uniform(rng(15), (40, n), d))
        for state in (x, gram.uniform(rng(15), 40, n, d)):
            end = evolve(rng(16), state, GramLayer(beta=1.0, dt=0.1, d=d), 2)
            assert state.strides[0] == end.strides[0] == 8


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match=r"^d must"):
        GramLayer(beta=1.0, dt=0.1, d=1)
    with pytest.raises(ValueError, match=r"^d must"):
        gram.uniform(rng(17), 3, 2, 1)
    with pytest.raises(ValueError, match=r"^dt = T/L must"):
        GramLayer(beta=1.0, dt=-0.1, d=3)
    with pytest.raises(ValueError, match=r"^d = 8: 3 tokens need"):
        GramLayer(beta=1.0, dt=0.1, d=8)(rng(18), sphere.uniform(rng(19), (2, 3), 8))
