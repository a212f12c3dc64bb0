"""The network: its layer against the numpy model, unit tokens, cosines, suppression of noise."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from deeplimits import attention, sphere
from deeplimits.fedorov2026.ablation import network, training

TOKENS = sphere.uniform(np.random.default_rng(1), (3, 8), 12)
V = np.random.default_rng(2).standard_normal((5, 12, 12)) / 4
BETA = 1.7


def numpy_layer(x: np.ndarray, V_l: np.ndarray) -> np.ndarray:
    return sphere.normalize(x + attention.means(x, BETA) @ V_l.T)


def test_layer_is_that_of_the_model():
    assert_allclose(network.layer(TOKENS, V[0], BETA), numpy_layer(TOKENS, V[0]), atol=2e-6)


def test_layer_without_values_is_the_identity():
    assert_allclose(network.layer(TOKENS, 0 * V[0], BETA), TOKENS, atol=2e-7)


@pytest.fixture(scope="module")
def readout() -> network.Readout:
    draw = np.random.default_rng(3).standard_normal
    return network.Readout(draw((6, 12)), draw((8, 12)), draw((12, 10)), draw(10))


PATCHES = np.random.default_rng(4).standard_normal((3, 8, 6))


def numpy_tokens(readout: network.Readout) -> list[np.ndarray]:
    tokens = [sphere.normalize(PATCHES @ readout.embedding + readout.position)]
    for V_l in V:
        tokens.append(numpy_layer(tokens[-1], V_l))
    return tokens


def test_logits(readout):
    mean = numpy_tokens(readout)[-1].mean(axis=1)
    expected = np.sqrt(12) * mean @ readout.head + readout.bias
    assert_allclose(network.logits(readout, V, PATCHES, BETA), expected, rtol=1e-4, atol=1e-4)


def test_cosines_by_depth(readout):
    off = ~np.eye(8, dtype=bool)
    expected = [sphere.gram(x)[:, off].mean() for x in numpy_tokens(readout)]
    assert_allclose(network.cosines(readout, V, PATCHES, BETA), expected, atol=1e-5)
    assert_allclose(np.linalg.norm(network.embed(readout, PATCHES), axis=-1), 1, atol=1e-6)


def test_loss_is_the_cross_entropy(readout):
    scores = np.asarray(network.logits(readout, V, PATCHES, BETA), dtype=float)
    labels = np.array([3, 0, 9])
    expected = np.log(np.exp(scores).sum(axis=1)) - scores[np.arange(3), labels]
    found = network.loss(readout, V, PATCHES, labels, BETA)
    assert_allclose(found, expected.mean(), rtol=1e-4)


def test_suppression_shrinks_to_the_mean_over_layers():
    networks = training.Networks(None, np.stack([V, 2 * V]))
    kept, half, none = (np.asarray(training.suppress(networks, mu).V) for mu in (1.0, 0.5, 0.0))
    assert_allclose(kept, networks.V, atol=1e-6)
    assert_allclose(none[1], np.broadcast_to(2 * V.mean(axis=0), V.shape), atol=1e-6)
    assert_allclose(half, (kept + none) / 2, atol=1e-6)
