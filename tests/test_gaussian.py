import numpy as np
import pytest

from deeplimits import gaussian


def rng(seed):
    return np.random.default_rng(seed)


def gram(factor):
    return factor @ np.swapaxes(factor, -1, -2)


def tolerance(covariance):
    """What the jitter may add to an entry, and rounding."""
    return 2 * gaussian.JITTER * covariance.max()


@pytest.mark.parametrize("bias", [0.0, 0.3])
@pytest.mark.parametrize(("n", "p"), [(1, 4), (2, 9), (6, 40), (6, 3), (20, 20)])
def test_feature_factor_is_a_root_of_the_covariance(n, p, bias):
    features = rng(0).standard_normal((3, n, p))
    covariance = gram(features) + bias**2
    factor = gaussian.feature_factor(features, bias, gaussian.Scratch())
    np.testing.assert_allclose(gram(factor), covariance, rtol=0, atol=tolerance(covariance))


@pytest.mark.parametrize("bias", [0.0, 0.3])
@pytest.mark.parametrize("separation", [1e-3, 1e-8, 1e-12])
def test_feature_factor_keeps_the_separations_in_antipodal_clusters(separation, bias):
    """Row differences have the right covariance although the Gram matrix is singular to rounding.

    Without a bias this includes rows close to minus row 0, reflected.
    """
    centre = rng(1).standard_normal(30)
    features = centre + separation * rng(2).standard_normal((6, 30))
    signs = np.ones(6) if bias else np.array([1.0, -1.0, 1.0, -1.0, 1.0, 1.0])
    features *= signs[:, None]
    factor = gaussian.feature_factor(features, bias, gaussian.Scratch())
    exact, drawn = (signs[:, None] * rows for rows in (features, factor))
    for i in range(6):
        for j in range(i):
            expected = np.sum((exact[i] - exact[j]) ** 2)
            actual = np.sum((drawn[i] - drawn[j]) ** 2)
            np.testing.assert_allclose(actual, expected, rtol=1e-11 + 1e-14 / separation)


def test_feature_factor_of_equal_rows_stays_within_the_jitter():
    row, other = rng(3).standard_normal((2, 12))
    features = np.stack([row, other, other, row, row])
    factor = gaussian.feature_factor(features, 0.0, gaussian.Scratch())
    remainder = np.sum((other - row * (row @ other) / (row @ row)) ** 2)
    bound = 2 * gaussian.JITTER * remainder * 1.1
    assert np.sum((factor[1] - factor[2]) ** 2) <= bound
    assert np.sum((factor[0] - factor[3]) ** 2) <= bound
    same = gaussian.feature_factor(np.stack([row] * 4), 0.0, gaussian.Scratch())
    np.testing.assert_allclose(same - same[0], 0.0, atol=1e-15 * np.linalg.norm(row))


def test_feature_factor_of_a_zero_row_takes_nothing_out():
    features = rng(4).standard_normal((4, 10))
    features[0] = 0.0
    factor = gaussian.feature_factor(features, 0.0, gaussian.Scratch())
    np.testing.assert_allclose(gram(factor), gram(features), atol=tolerance(gram(features)))
    assert not factor[0].any()


def test_gap_factor_is_a_root_of_the_covariance():
    features = rng(5).standard_normal((3, 7, 20))
    features /= np.linalg.norm(features, axis=-1, keepdims=True)
    covariance = 1.7 * gram(features)
    factor = gaussian.gap_factor(1.7, 1.7 - covariance)
    np.testing.assert_allclose(gram(factor), covariance, rtol=0, atol=tolerance(covariance))


@pytest.mark.parametrize("separation", [1e-3, 1e-8, 1e-100])
def test_gap_factor_keeps_the_separations_of_a_cluster(separation):
    # Points on a line with the covariance of a stationary field: Γ = r² to leading order.
    points = separation * np.array([0.0, 1.0, 2.5, -3.0])
    gaps = (points[:, None] - points) ** 2
    factor = gaussian.gap_factor(1.0, gaps)
    differences = np.sum((factor[:, None] - factor) ** 2, axis=-1)
    np.testing.assert_allclose(differences, 2 * gaps, rtol=0, atol=1e-2 * separation**2)


def test_root_clips_the_eigenvalues_that_rounding_left_negative():
    vectors, _ = np.linalg.qr(rng(6).standard_normal((5, 5)))
    values = np.array([1.0, 0.5, 1e-3, 1e-16, -1e-9])
    matrix = (vectors * values) @ vectors.T
    root = gaussian._root(matrix.copy())
    np.testing.assert_allclose(gram(root), matrix, atol=2e-9)
    np.testing.assert_allclose(root, np.tril(root), atol=1e-15)


def test_gap_factor_survives_a_covariance_that_is_indefinite_by_rounding():
    features = rng(10).standard_normal((6, 3))
    features /= np.linalg.norm(features, axis=-1, keepdims=True)
    noise = 1e-9 * rng(11).standard_normal((6, 6))
    covariance = gram(features) + noise + noise.T  # rank 3 and wrong by 1e-9
    np.fill_diagonal(covariance, 1.0)
    factor = gaussian.gap_factor(1.0, 1.0 - covariance)
    np.testing.assert_allclose(gram(factor), covariance, atol=2e-8)


@pytest.mark.parametrize("shape", [(3, 40, 2), (6, 40, 5), (4, 7, 9), (1, 12, 10)])
@pytest.mark.parametrize("bias", [0.0, 0.5])
def test_random_linear_has_the_covariance_of_the_weights(law, shape, bias):
    """Both routes, with and without the factor: rows against A Aᵀ + σ², column by column."""
    columns, p, n = shape
    features = rng(7).standard_normal((n, p))
    draws = law.DRAWS // 16
    sample = np.empty((16, draws, n, columns))
    scratch = gaussian.Scratch()
    generator = rng(8)
    for block in sample:
        gaussian.random_linear(
            generator, np.broadcast_to(features, (draws, n, p)), bias, block, scratch
        )
    sample = sample.reshape(-1, n, columns)
    squares, means = row_statistics(sample, features, bias)
    assert not law.rejects(law.z_against(squares, means))
    assert law.rejects(law.z_against(1.03 * squares, means))


def row_statistics(sample, features, bias):
    """Squares of contrasts of rows averaged over columns, and their means."""
    contrasts = np.eye(features.shape[0]) - np.roll(np.eye(features.shape[0]), 1, axis=0)
    contrasts = np.concatenate([contrasts, np.eye(features.shape[0])[:1]])
    squares = np.mean((contrasts @ sample) ** 2, axis=-1)
    covariance = gram(features) + bias**2
    return squares, np.einsum("ki,ij,kj->k", contrasts, covariance, contrasts)


def test_random_linear_takes_the_cheaper_route(monkeypatch):
    calls = []
    real = gaussian.feature_factor
    monkeypatch.setattr(
        gaussian, "feature_factor", lambda *args: calls.append(args[0].shape) or real(*args)
    )
    for n, p, columns, factored in (
        (64, 128, 512, True),
        (64, 512, 128, True),
        (2, 512, 5, True),
        (64, 512, 5, False),  # too few columns to share the factorisation
        (64, 65, 512, False),  # one normal saved per column
        (64, 5, 512, False),
    ):
        calls.clear()
        out = np.empty((1, n, columns))
        gaussian.random_linear(rng(9), np.ones((1, n, p)), 0.0, out, gaussian.Scratch())
        assert bool(calls) is factored


def test_scratch_reuses_memory_and_keeps_names_apart():
    scratch = gaussian.Scratch()
    first = scratch("a", (4, 5))
    assert np.shares_memory(first, scratch("a", (2, 3)))
    assert not np.shares_memory(first, scratch("b", (4, 5)))
    assert scratch("a", (6, 7)).shape == (6, 7)
