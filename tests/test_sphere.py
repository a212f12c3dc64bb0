import numpy as np
import pytest

from deeplimits import sphere


def rng(seed):
    return np.random.default_rng(seed)


def cluster(seed, shape, d, radius):
    centre = sphere.uniform(rng(seed), (), d)
    return sphere.normalize(centre + radius * rng(seed + 1).standard_normal((*shape, d)))


@pytest.mark.parametrize("d", [2, 3, 10])
def test_uniform_points_are_unit_and_isotropic(law, d):
    x = sphere.uniform(rng(0), (law.DRAWS,), d)
    np.testing.assert_allclose(np.linalg.norm(x, axis=-1), 1.0, rtol=1e-15)
    # Moments of one coordinate u: E u² = 1/d, E u⁴ = 3/(d(d+2)).
    moments = [1 / d, 3 / (d * (d + 2))]
    for axis in (0, d - 1):
        u = x[:, axis]
        assert not law.rejects(law.z_against(np.stack([u**2, u**4], axis=1), moments))


def test_normalize_writes_in_place_and_refuses_what_has_no_direction():
    v = rng(1).standard_normal((3, 4, 5))
    expected = v / np.linalg.norm(v, axis=-1, keepdims=True)
    assert sphere.normalize(v, out=v) is v
    np.testing.assert_allclose(v, expected, rtol=1e-15)
    for bad in (0.0, np.nan, np.inf):
        v[1, 2] = bad
        with pytest.raises(ValueError, match="zero or not finite"):
            sphere.normalize(v)


@pytest.mark.parametrize("radius", [1.0, 1e-4, 1e-9, 1e-14])
def test_gaps_keep_their_relative_precision_in_a_cluster(radius):
    x = cluster(2, (3, 12), 7, radius)
    exact = x[:, :, None].astype(np.longdouble) - x[:, None].astype(np.longdouble)
    exact = ((exact**2).sum(axis=-1) / 2).astype(float)
    gaps = sphere.gaps(x)
    size = exact.max()
    np.testing.assert_allclose(gaps, exact, atol=1e-14 * size, rtol=0)
    assert np.all(np.diagonal(gaps, axis1=-2, axis2=-1) == 0)
    np.testing.assert_allclose(
        sphere.one_minus_cosine(x[:, :, None], x[:, None]), exact, rtol=1e-13
    )
    np.testing.assert_allclose(
        sphere.one_plus_cosine(x[:, :, None], -x[:, None]), exact, rtol=1e-13
    )


def test_gaps_are_one_minus_the_gram_matrix_and_upper_takes_each_pair_once():
    x = sphere.uniform(rng(3), (2, 6), 4)
    gaps = sphere.gaps(x)
    np.testing.assert_allclose(gaps, 1 - sphere.gram(x), atol=1e-14)
    pairs = [[gaps[r, i, j] for i in range(6) for j in range(i + 1, 6)] for r in range(2)]
    np.testing.assert_array_equal(sphere.upper(gaps), pairs)


AMPLITUDES = [  # μ_s, μ_d, η_s, η_d
    (1.0, 0.7, 0.5, 0.9),
    (2.0, 1e-4, 0.3, 5e-5),
    (0.0, 1.0, 1.0, 0.1),
]


def gram_statistics(a, b, q, determinant):
    return np.stack([a, b, q**2, determinant, a**2, b**2, (a + b + 2 * q) * determinant], axis=-1)


def vectors(seed, draws, amplitudes, d):
    """Sum and difference drawn as vectors of R^d: what `pair_gram` stands for."""
    mu_s, mu_d, eta_s, eta_d = amplitudes
    g = rng(seed)
    s = eta_s * g.standard_normal((draws, d))
    t = eta_d * g.standard_normal((draws, d))
    s[:, 0] += mu_s
    t[:, 1] += mu_d
    return s, t


def direct_statistics(seed, draws, amplitudes, d):
    s, t = vectors(seed, draws, amplitudes, d)
    a, b, q = (np.einsum("ri,ri->r", u, v) for u, v in ((s, s), (t, t), (s, t)))
    return gram_statistics(a, b, q, a * b - q * q)


def drawn_statistics(seed, draws, amplitudes, d):
    columns = (np.full(draws, amplitude) for amplitude in amplitudes)
    return gram_statistics(*sphere.pair_gram(rng(seed), *columns, d))


@pytest.mark.parametrize("amplitudes", AMPLITUDES)
@pytest.mark.parametrize("d", [2, 3, 4, 9])
def test_pair_gram_has_the_law_of_the_vectors(law, amplitudes, d):
    direct = direct_statistics(10 + d, law.DRAWS, amplitudes, d)
    assert not law.rejects(law.z(direct, drawn_statistics(20 + d, law.DRAWS, amplitudes, d)))


@pytest.mark.parametrize("d", [2, 3, 4, 9])
def test_law_test_detects_faults_in_pair_gram(law, d):
    mu_s, mu_d, eta_s, eta_d = AMPLITUDES[0]
    direct = direct_statistics(10 + d, law.DRAWS, AMPLITUDES[0], d)
    louder = mu_s, mu_d, eta_s, 1.03 * eta_d
    assert law.rejects(law.z(direct, drawn_statistics(30, law.DRAWS, louder, d)))
    # One degree of freedom too many, the slip that a wrong Bartlett decomposition makes.
    assert law.rejects(law.z(direct, drawn_statistics(30, law.DRAWS, AMPLITUDES[0], d + 1)))


def test_pair_gram_determinant_is_that_of_the_gram_matrix():
    amplitudes = (np.full(1000, value) for value in AMPLITUDES[0])
    a, b, q, determinant = sphere.pair_gram(rng(4), *amplitudes, 6)
    np.testing.assert_allclose(determinant, a * b - q * q, rtol=1e-9, atol=1e-13)


def test_pair_gram_refuses_one_dimension():
    with pytest.raises(ValueError, match="d >= 2"):
        sphere.pair_gram(rng(5), 1.0, 1.0, 1.0, 1.0, 1)


def test_pair_cosine_is_that_of_the_normalised_tokens():
    s, t = vectors(6, 1000, AMPLITUDES[0], 3)
    x, y = sphere.normalize(s + t), sphere.normalize(s - t)
    a, b, q = (np.einsum("ri,ri->r", u, v) for u, v in ((s, s), (t, t), (s, t)))
    minus, plus = sphere.pair_cosine(a, b, a * b - q * q)
    np.testing.assert_allclose(minus, sphere.one_minus_cosine(x, y), rtol=1e-10)
    np.testing.assert_allclose(plus, sphere.one_plus_cosine(x, y), rtol=1e-10)
    np.testing.assert_allclose(minus + plus, 2.0, rtol=1e-14)


@pytest.mark.parametrize("tiny", [1e-12, 1e-150, 1e-300])
def test_pair_cosine_keeps_its_relative_precision_at_both_ends(tiny):
    # S ⟂ D: 1 − ρ = 2b/(a + b).
    a, b = np.array([3.0]), np.array([2.0]) * tiny
    for (near, far), (big, small) in (
        (sphere.pair_cosine(a, b, a * b), (a, b)),
        (sphere.pair_cosine(b, a, a * b)[::-1], (a, b)),
    ):
        np.testing.assert_allclose(near, 2 * small / (big + small), rtol=1e-14)
        np.testing.assert_allclose(far, 2 * big / (big + small), rtol=1e-14)


def test_pair_step_is_the_exact_chain_with_matrix_noise():
    """The step of a common random matrix, from 1 − ρ′² = 16(1 − ρ²)(ab − q²)/N² (our formula)."""
    rho, h, tau, d = 0.3, 0.4, 0.2, 5
    amplitudes = np.sqrt([2 * (1 + rho), 2 * (1 - rho), 2 * (1 + rho) * h**2])
    draws = (np.full(100, value) for value in (*amplitudes, amplitudes[1] * h * tau))
    a, b, q, determinant = sphere.pair_gram(rng(7), *draws, d)
    minus, plus = sphere.pair_cosine(a, b, determinant)
    unit_a, unit_b = a / (2 * (1 + rho)), b / (2 * (1 - rho))
    unit_q = q / (2 * np.sqrt(1 - rho**2))
    A, D = 2 * (1 + rho) * unit_a, 2 * (1 - rho) * unit_b
    C = 2 * np.sqrt(1 - rho**2) * unit_q
    norm_squared = (A + D) ** 2 - 4 * C**2
    np.testing.assert_allclose((plus - minus) / 2, (A - D) / np.sqrt(norm_squared), rtol=1e-12)
    np.testing.assert_allclose(
        minus * plus, 16 * (1 - rho**2) * (unit_a * unit_b - unit_q**2) / norm_squared, rtol=1e-10
    )
