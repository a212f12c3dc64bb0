"""The coupled chains: each alone against `model.evolve` in law, and what they have in common.

The comparisons in law are `law` (conftest): level 1e-3, and 3% in the variance of the noise must be
rejected. The other bounds are at 4 standard errors or more unless a test says otherwise.
"""

from itertools import permutations

import numpy as np
import pytest

from deeplimits import sphere
from deeplimits.agazzi2026 import activations, coupling, model
from deeplimits.agazzi2026.kernel import Kernel

HORIZON, ATTENTION = 0.5, {"scale": 1.0, "beta": 1.0}
KERNEL = Kernel("silu", 3, 0.3, 0.2)
START = sphere.uniform(np.random.default_rng(7), (2,), KERNEL.d)
BLOCK = 8192


def rng(seed):
    return np.random.default_rng(seed)


def tokens(replicas, n, d, seed=1):
    return sphere.uniform(rng(seed), (replicas, n), d)


def statistics(x):
    """Squares and fourth powers of how far two tokens, their sum and their difference have moved.

    They are averages over coordinates: (R, 2, d) to (R, 6). Only the fourth powers see the width.
    """
    contrasts = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, -1.0]])
    squares = np.mean((contrasts @ (x - START)) ** 2, axis=-1)
    return np.concatenate([squares, squares**2], axis=1)


def gather(law, last_tokens, seed):
    """Statistics of the tokens that `last_tokens(generator, start)` returns, chain by chain."""
    generator = rng(seed)
    start = np.broadcast_to(START, (BLOCK, *START.shape))
    blocks = [
        [statistics(x) for x in last_tokens(generator, start)] for _ in range(law.DRAWS // BLOCK)
    ]
    return [np.concatenate(chain) for chain in zip(*blocks, strict=True)]


def alone(law, noise, layers, horizon=HORIZON):
    def last_tokens(generator, start):
        dt = horizon / layers
        yield model.evolve(generator, start, layers=layers, dt=dt, noise=noise, **ATTENTION)

    return gather(law, last_tokens, 11)[0]


def last_of_meetings(meetings):
    """Last tokens of the reference and of every chain."""
    last = {}
    for chain, _, x, reference in meetings:
        last[chain], last[-1] = x.copy(), reference.copy()
    return [last[chain] for chain in sorted(last)]


DEPTHS, REFERENCE = (1, 2), 4
WIDTHS, LAYERS = (6, 24), 2


@pytest.fixture(scope="module")
def depth_sample(law):
    """Statistics of the reference and of the chains of `DEPTHS`."""

    def last_tokens(generator, start):
        sizes = {"depths": DEPTHS, "reference": REFERENCE, "horizon": HORIZON}
        return last_of_meetings(
            coupling.depth_chains(generator, start, KERNEL, **sizes, **ATTENTION)
        )

    return dict(zip((REFERENCE, *DEPTHS), gather(law, last_tokens, 12), strict=True))


@pytest.fixture(scope="module")
def width_sample(law):
    """Statistics of the reference (None) and of the chains of `WIDTHS`."""

    def last_tokens(generator, start):
        sizes = {"widths": WIDTHS, "layers": LAYERS, "horizon": HORIZON}
        return last_of_meetings(
            coupling.width_chains(generator, start, KERNEL, **sizes, **ATTENTION)
        )

    return dict(zip((None, *WIDTHS), gather(law, last_tokens, 13), strict=True))


def mlp(width):
    activation = activations.get(KERNEL.activation)
    return model.DirectMlp(activation, width, KERNEL.sigma_u, KERNEL.sigma_w)


@pytest.mark.parametrize("layers", [*DEPTHS, REFERENCE])
def test_every_depth_has_the_law_of_the_model(law, depth_sample, layers):
    uncoupled = alone(law, model.GaussianField(KERNEL), layers)
    assert not law.rejects(law.z(depth_sample[layers], uncoupled))


@pytest.mark.parametrize("width", [None, *WIDTHS])
def test_every_width_has_the_law_of_the_model(law, width_sample, width):
    noise = model.GaussianField(KERNEL) if width is None else mlp(width)
    assert not law.rejects(law.z(width_sample[width], alone(law, noise, LAYERS)))


def test_comparison_detects_a_wrong_law(law, depth_sample, width_sample):
    field = model.GaussianField(KERNEL)
    louder = alone(law, field, 2, 1.03 * HORIZON)
    assert law.rejects(law.z(depth_sample[2], louder))
    assert law.rejects(law.z(width_sample[None], louder))
    assert law.rejects(law.z(width_sample[6], alone(law, field, LAYERS)))


def test_populations_have_the_law_of_the_model(law):
    """Two populations of different sizes under one field: the second, of two tokens."""

    def last_tokens(generator, start):
        others = np.broadcast_to(tokens(1, 3, KERNEL.d), (BLOCK, 3, KERNEL.d))
        sizes = {"layers": LAYERS, "dt": HORIZON / LAYERS}
        states = coupling.populations(generator, [others, start], mlp(6), **sizes, **ATTENTION)
        yield list(states)[-1][1]

    assert not law.rejects(law.z(gather(law, last_tokens, 14)[0], alone(law, mlp(6), LAYERS)))


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_a_chain_as_deep_as_the_reference_is_the_reference(activation):
    """And two chains of one depth agree: up to the jitter of the factor, 1e-12 in squares."""
    x = tokens(8, 3, 4)
    kernel = Kernel(activation, 4)
    sizes = {"depths": (16, 4, 4), "reference": 16, "horizon": 1.0}
    twins = {}
    for chain, layer, y, reference in coupling.depth_chains(
        rng(2), x, kernel, **sizes, **ATTENTION
    ):
        if chain == 0:
            assert coupling.mean_square(y, reference).max() < 1e-9
        elif chain == 1:
            twins[layer] = y.copy()
        else:
            assert coupling.mean_square(y, twins[layer]).max() < 1e-9
    assert sorted(twins) == [4, 8, 12, 16]


def test_a_reference_must_be_a_multiple():
    sizes = {"depths": (4, 6), "reference": 16, "horizon": 1.0}
    with pytest.raises(ValueError, match="no multiple of 6"):
        next(coupling.depth_chains(rng(0), tokens(1, 2, 3), KERNEL, **sizes, **ATTENTION))


def last_errors(meetings):
    """Mean square distances to the reference after the last layer, (chains, R)."""
    errors = {chain: coupling.mean_square(x, reference) for chain, _, x, reference in meetings}
    return np.array([errors[chain] for chain in sorted(errors)])


def depth_errors(depths, reference, seed, replicas=512):
    sizes = {"depths": depths, "reference": reference, "horizon": 0.5}
    x = tokens(replicas, 2, KERNEL.d, seed)
    return last_errors(coupling.depth_chains(rng(seed), x, KERNEL, **sizes, **ATTENTION))


def slope_and_error(levels, errors):
    """Log–log slope between the first and the last level, and its standard error."""
    relative = errors / errors.mean(axis=1, keepdims=True)
    length = np.log(levels[-1] / levels[0])
    slope = np.log(errors[-1].mean() / errors[0].mean()) / length
    return slope, np.std(relative[-1] - relative[0]) / np.sqrt(errors.shape[1]) / length


def test_error_falls_as_one_over_depth():
    slope, error = slope_and_error([4, 16], depth_errors((4, 16), 256, 3))
    assert error < 0.06
    assert abs(slope + 1.0) < 4 * error


def test_a_finite_reference_hides_its_share_of_the_error():
    """E|X_L − X_ref|² is in proportion to 1/L − 1/L_ref, also at L_ref = 2L, where half is lost."""
    near, far = (depth_errors((16,), reference, 4)[0] for reference in (32, 256))
    ratio = near.mean() / far.mean()
    error = np.hypot(near.std() / near.mean(), far.std() / far.mean()) / np.sqrt(near.size)
    assert error < 0.08
    assert abs(np.log(ratio / (0.5 / (1 - 16 / 256)))) < 4 * error


def test_error_falls_as_one_over_width():
    sizes = {"widths": (16, 64, 256), "layers": 8, "horizon": 0.5}
    meetings = coupling.width_chains(rng(5), tokens(512, 3, 3), KERNEL, **sizes, **ATTENTION)
    slope, error = slope_and_error([16, 64, 256], last_errors(meetings))
    assert error < 0.05
    assert abs(slope + 1.0) < 4 * error


def test_symmetric_root():
    features = rng(6).standard_normal((5, 4, 2))  # rank 2 of 4
    for matrix in (sphere.gram(features), sphere.gram(features) + np.eye(4)):
        root = coupling.symmetric_root(matrix)
        np.testing.assert_allclose(root @ root, matrix, atol=1e-12)
        np.testing.assert_allclose(root, np.swapaxes(root, -1, -2), atol=1e-12)


def test_mean_square():
    x, y = tokens(3, 4, 5, 1), tokens(3, 4, 5, 2)
    expected = np.square(x - y).sum(axis=2).mean(axis=1)
    np.testing.assert_allclose(coupling.mean_square(x, y), expected, rtol=1e-14)


def test_squared_distance_is_the_least_over_permutations():
    x, y = tokens(6, 5, 3, 1), tokens(6, 5, 3, 2)
    ways = [coupling.mean_square(x, y[:, list(order)]) for order in permutations(range(5))]
    np.testing.assert_allclose(coupling.squared_distance(x, y), np.min(ways, axis=0), rtol=1e-12)
    assert (np.min(ways, axis=0) < ways[0]).any()


def test_squared_distance_of_a_permuted_sample_is_zero():
    x = tokens(2, 50, 4)
    shuffled = x[:, rng(8).permutation(50)]
    assert (coupling.squared_distance(x, shuffled) == 0.0).all()


def test_populations_that_start_equal_stay_equal():
    """They share the field; one that is drawn on its own does not."""
    x = tokens(4, 6, 3)
    sizes = {"layers": 5, "dt": 0.1}
    states = list(coupling.populations(rng(9), [x, x], mlp(32), **sizes, **ATTENTION))
    other = list(coupling.populations(rng(10), [x], mlp(32), **sizes, **ATTENTION))
    assert len(states) == 6
    np.testing.assert_allclose(states[-1][0], states[-1][1], atol=1e-12)
    assert coupling.mean_square(states[-1][0], other[-1][0]).min() > 1e-3


def test_populations_attend_to_themselves_alone():
    class Silence:
        def sample(self, rng, y):
            return np.zeros_like(y)

    groups = [tokens(2, 3, 4, 1), tokens(2, 7, 4, 2)]
    sizes = {"layers": 5, "dt": 0.2}
    last = list(coupling.populations(rng(0), groups, Silence(), **sizes, **ATTENTION))[-1]
    for group, x in zip(groups, last, strict=True):
        by_itself = model.evolve(rng(0), group, noise=None, **sizes, **ATTENTION)
        np.testing.assert_allclose(x, by_itself, atol=1e-14)
