import numpy as np
import pytest

from deeplimits import attention, sphere


def tokens(seed=0, shape=(3, 6), d=4):
    return sphere.uniform(np.random.default_rng(seed), shape, d)


@pytest.mark.parametrize("beta", [-3.0, 0.0, 1.0, 5.0])
def test_means_follow_the_definition(beta):
    x = tokens()
    expected = np.zeros_like(x)
    for r, i in np.ndindex(3, 6):
        w = np.array([np.exp(beta * x[r, i] @ x[r, j]) for j in range(6)])
        expected[r, i] = sum(w[j] * x[r, j] for j in range(6)) / w.sum()
    np.testing.assert_allclose(attention.means(x, beta), expected, rtol=1e-12, atol=1e-14)


def test_weights_are_row_stochastic_and_survive_any_beta():
    gram = sphere.gram(tokens())
    for beta in (-1e4, 1.0, 1e4):
        weights = attention.weights(gram, beta)
        assert np.all(weights >= 0)
        np.testing.assert_allclose(weights.sum(axis=-1), 1.0, rtol=1e-14)
    np.testing.assert_allclose(  # β → ∞: every token attends to itself
        attention.weights(gram, 1e4), np.broadcast_to(np.eye(6), (3, 6, 6)), atol=1e-12
    )


def test_weights_leave_the_gram_matrix_alone():
    gram = sphere.gram(tokens())
    copy = gram.copy()
    attention.weights(gram, 2.0)
    np.testing.assert_array_equal(gram, copy)


def test_means_are_equivariant_under_permutations_and_rotations():
    x = tokens()
    order = np.random.default_rng(1).permutation(6)
    rotation, _ = np.linalg.qr(np.random.default_rng(2).standard_normal((4, 4)))
    means = attention.means(x, 1.5)
    np.testing.assert_allclose(attention.means(x[:, order], 1.5), means[:, order], rtol=1e-12)
    np.testing.assert_allclose(attention.means(x @ rotation, 1.5), means @ rotation, rtol=1e-10)


def test_pair_contrast_is_the_shrinkage_of_the_difference():
    x = tokens(shape=(5, 2))
    means = attention.means(x, 2.5)
    tau = attention.pair_contrast(sphere.one_minus_cosine(x[:, 0], x[:, 1]), 2.5)
    np.testing.assert_allclose(means.sum(axis=1), x.sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(
        means[:, 0] - means[:, 1], tau[:, None] * (x[:, 0] - x[:, 1]), rtol=1e-10
    )
