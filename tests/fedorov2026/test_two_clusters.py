"""Two clusters of unequal sizes: their diffusion against the tokens' equation, and its times."""

import numpy as np
import pytest

from deeplimits import attention
from deeplimits.fedorov2026 import theory, two_clusters
from deeplimits.fedorov2026.sde import PairEulerLayer

DIVISIONS = [(1, 3), (2, 5), (3, 4), (2, 4)]


@pytest.mark.parametrize("d", [2, 3, 8])
@pytest.mark.parametrize(("k", "n"), DIVISIONS)
def test_coefficients_are_those_of_the_tokens(k, n, d):
    """Itô's formula for ρ = ⟨x, y⟩ and then z, with the means of all n tokens.

    dx = P_x dB m_x − ½(d−1)|m_x|²x dt, alike y, so with a, b, c the inner products of the means
    ρ has the drift −½(d−1)(a+b)ρ + c·tr(P_x P_y) and the variance (1−ρ²)(a + b − 2cρ).
    """
    beta, rho = 1.3, np.array([-0.99, -0.4, 0.0, 0.7, 0.95])
    x = np.broadcast_to([1.0, 0.0], (rho.size, 2))
    y = np.stack([rho, np.sqrt(1 - rho**2)], axis=1)
    tokens = np.stack([x] * k + [y] * (n - k), axis=1)
    means = attention.means(tokens, beta)[:, [0, -1]]
    gram = means @ np.swapaxes(means, 1, 2)
    a, b, c = gram[:, 0, 0], gram[:, 1, 1], gram[:, 0, 1]
    drift = -0.5 * (d - 1) * (a + b) * rho + c * (d - 2 + rho**2)
    variance = (1 - rho**2) * (a + b - 2 * c * rho)
    expected = drift / (1 - rho**2) + rho * variance / (1 - rho**2) ** 2
    found = two_clusters.coefficients(np.arctanh(rho), k, n, beta, d)
    np.testing.assert_allclose(found[0], expected, rtol=1e-10)
    np.testing.assert_allclose(found[1], variance / (1 - rho**2) ** 2, rtol=1e-10)


def test_equal_halves_move_like_two_tokens():
    z = np.linspace(-12, 12, 25)
    drift, diffusion = PairEulerLayer(beta=1.3, dt=0.01, d=5).coefficients(z)
    found = two_clusters.coefficients(z, 3, 6, 1.3, 5)
    np.testing.assert_allclose(found[0], drift, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found[1], diffusion**2, rtol=1e-12)


def test_unequal_means_drive_the_clusters_apart_from_minus_one():
    """Near ρ = −1, 1 + ρ has the drift ½(d−1)(μ₊−μ₋)²; in z, variance (μ₊−μ₋)²/(2(1+ρ))."""
    z = np.array([-20.0])
    first, second = theory.cluster_means(2, 3, 1.5)
    _, variance = two_clusters.coefficients(z, 2, 3, 1.5, 7)
    one_plus = 2 / (1 + np.exp(-2 * z))
    assert variance[0] == pytest.approx((first - second) ** 2 / (2 * one_plus[0]), rel=1e-9)


def test_slopes_in_beta():
    """Local slopes of ln lifetime from our first derivation, by other means: 2.14 → 2.00."""
    tails = [two_clusters.lifetime(2, 3, beta, 3).tail for beta in (2.0, 3.0, 5.0, 6.0)]
    slopes = np.diff(np.log(tails))
    assert slopes[0] == pytest.approx(2.19, abs=0.06)
    assert slopes[2] == pytest.approx(2.0, abs=0.03)


def test_lifetime_depends_on_the_share_of_tokens_alone():
    assert two_clusters.lifetime(1, 3, 1.2, 4) == two_clusters.lifetime(2, 6, 1.2, 4)
    np.testing.assert_allclose(
        two_clusters.lifetime(1, 3, 1.2, 4), two_clusters.lifetime(2, 3, 1.2, 4), rtol=1e-9
    )


@pytest.mark.parametrize(("k", "n", "beta", "d"), [(1, 3, 1.0, 3), (1, 3, 3.0, 2), (1, 8, 2.0, 8)])
def test_lifetime_is_accurate(monkeypatch, k, n, beta, d):
    """Against a grid twice as coarse, and against a start another thousand times closer to −1."""
    found = two_clusters.lifetime(k, n, beta, d)
    monkeypatch.setattr(two_clusters, "_POINTS", 10_001)
    np.testing.assert_allclose(two_clusters.lifetime(k, n, beta, d), found, rtol=1e-4)
    monkeypatch.undo()
    monkeypatch.setattr(two_clusters, "_START", 1e-15)
    np.testing.assert_allclose(two_clusters.lifetime(k, n, beta, d), found, rtol=1e-4)


def test_asymptotic_lifetime():
    """At d = 2 exact for large β; at d = 3 approached like β^{−1/2}, and faster in the end."""
    ratio = {
        (beta, d): two_clusters.lifetime(1, 3, beta, d).tail
        / two_clusters.asymptotic_lifetime(1, 3, beta, d)
        for beta, d in ((10.0, 2), (10.0, 3), (40.0, 3))
    }
    assert ratio[10.0, 2] == pytest.approx(1, abs=1e-3)
    assert 0.05 < 1 - ratio[10.0, 3] < 0.1
    assert 2 < (1 - ratio[10.0, 3]) / (1 - ratio[40.0, 3]) < 3


def test_equal_halves_never_merge():
    assert two_clusters.lifetime(2, 4, 1.0, 3) == (np.inf, np.inf)
    assert two_clusters.asymptotic_lifetime(2, 4, 1.0, 3) == np.inf


@pytest.mark.parametrize(
    ("arguments", "named"),
    [((0, 3, 1.0, 3), "k must"), ((1, 3, -1.0, 3), "beta must"), ((1, 3, 1.0, 1), "d must")],
)
@pytest.mark.parametrize("time", [two_clusters.lifetime, two_clusters.asymptotic_lifetime])
def test_bad_input_is_refused_by_name(time, arguments, named):
    with pytest.raises(ValueError, match=named):
        time(*arguments)
