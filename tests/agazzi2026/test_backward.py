import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.linalg import expm
from scipy.special import expit

from deeplimits.agazzi2026 import backward, theory
from deeplimits.agazzi2026.kernel import Kernel

TIMES = [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]


class ConstantKernel:
    """κ ≡ 1 at d = 3, a field without gradient: the tokens follow conformal maps."""

    d, kappa1, dkappa1, odd = 3, 1.0, 0.0, False

    def gap_ratio(self, s):
        return np.zeros_like(s)


def conformal_mean(t, s):
    """E[s_t] for `ConstantKernel`, from the heat kernel of hyperbolic space H³.

    The maps carry s to s P(w, x)P(w, y), P the Poisson kernel at a hyperbolic Brownian motion w of
    generator ½Δ: at distance r its density is r e^{−t/2−r²/(2t)}/((2πt)^{3/2} sinh r), and the mean
    of P(w, x)P(w, y) over its direction is ∫₀¹ dα/(1 + 2α(1−α) s sinh² r).
    """

    def integrand(r):
        k = 2.0 * s * math.sinh(r) ** 2
        root = math.sqrt(1.0 + 4.0 / k)
        mean = 2.0 / (k * root) * math.log(0.25 * k * (1.0 + root) ** 2)
        density = r * math.sinh(r) * math.exp(-0.5 * t - 0.5 * r * r / t)
        return 4.0 * math.pi * (2.0 * math.pi * t) ** -1.5 * density * mean

    reach = min(12.0 * math.sqrt(t) + 3.0 * t, 60.0)  # beyond 60 the integrand is below e^{−50}
    return s * quad(integrand, 1e-3 * math.sqrt(t), reach, epsabs=0.0, epsrel=1e-10, limit=500)[0]


@pytest.mark.parametrize("s", [1e-6, 0.5, 1.0, 1.9])
def test_agrees_with_hyperbolic_brownian_motion(s):
    computed = backward.mean_gap(ConstantKernel(), TIMES, 1.0 - s)
    np.testing.assert_allclose(computed, [conformal_mean(t, s) for t in TIMES], rtol=1e-5)


def test_order_in_the_step():
    exact = conformal_mean(1.0, 0.5)
    errors = [
        abs(backward.mean_gap(ConstantKernel(), [1.0], 0.5, step=h)[0] - exact)
        for h in (0.08, 0.04, 0.02)
    ]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    np.testing.assert_allclose(orders, 2.0, atol=0.02)


def chebyshev_mean(kernel, t, u0):
    """E[s_t] by collocation in u itself: h is smooth in u while t(κ(1) + κ′(1)) is small."""
    n = 60
    u = np.cos(np.pi * np.arange(n + 1) / n)
    sign = np.where(np.arange(n + 1) % 2, -1.0, 1.0)
    sign[[0, -1]] *= 2.0
    derivative = np.outer(sign, 1.0 / sign) / (np.subtract.outer(u, u) + np.eye(n + 1))
    derivative -= np.diag(derivative.sum(1))
    generator = theory.pair_drift(kernel, 1 - u)[:, None] * derivative
    generator += 0.5 * theory.pair_variation(kernel, 1 - u)[:, None] * derivative @ derivative
    mean = expm(t * generator) @ (1 - u)
    return np.polynomial.chebyshev.Chebyshev.fit(u, mean, n)(u0)


@pytest.mark.parametrize("u0", [-0.95, -0.5, 0.0, 0.5])
@pytest.mark.parametrize(
    ("kernel", "t"),
    [
        (Kernel("tanh", 5, 0.1, 0.1), 2.0),
        (Kernel("tanh", 5), 2.0),
        (Kernel("relu", 5), 2.0),
        (Kernel("gelu", 2), 2.0),
        (Kernel("sigmoid", 5), 1.0),
        (Kernel("silu", 64, 0.1, 0.1), 1.0),
        (Kernel("sigmoid", 128), 0.1),
        (Kernel("swish(5)", 128), 20.0),
    ],
    ids=lambda value: getattr(value, "activation", value),
)
def test_agrees_with_collocation_in_u(kernel, t, u0):
    computed = backward.mean_gap(kernel, [t], u0)[0]
    # The drift away from u = −1 is of the order of d in units of the diffusion.
    tolerance = 2e-5 if kernel.d < 128 else 2e-4
    assert computed == pytest.approx(chebyshev_mean(kernel, t, u0), rel=tolerance)


@pytest.mark.parametrize("u0", [-0.7, 0.0, 0.9])
@pytest.mark.parametrize(
    "kernel", [Kernel("tanh", 5), Kernel("sigmoid", 64), Kernel("relu", 2)], ids=str
)
def test_local_rate_is_the_slope(kernel, u0):
    t, h = 0.7, 1e-4
    before, after = backward.mean_gap(kernel, [t - h, t + h], u0)
    slope = -math.log(after / before) / (2 * h)
    rate = backward.local_rate(kernel, [t], u0)[0]
    assert rate == pytest.approx(slope, rel=1e-5, abs=1e-8)


def test_starts_at_the_given_gap():
    for u0 in (-1.0 + 1e-13, -0.3, 0.999):
        mean = backward.mean_gap(Kernel("relu", 5), [0.0], u0)
        assert mean == pytest.approx([1.0 - u0], rel=1e-7)


def test_initial_rate_is_the_drift():
    kernel, s = Kernel("silu", 5, 0.1), 0.4
    rate = backward.local_rate(kernel, [0.0], 1.0 - s)[0]
    assert rate == pytest.approx(theory.pair_drift(kernel, s) / s, rel=1e-4)


@pytest.mark.parametrize("t", [0.5, 30.0])
def test_odd_field_treats_both_poles_alike(t):
    """E[u_t] is odd in u_0, and so E[s_t] = 1 from u_0 = 0 for ever."""
    kernel = Kernel("tanh", 5)
    right, centre, left = (backward.mean_gap(kernel, [t], u0)[0] for u0 in (0.6, 0.0, -0.6))
    assert centre == pytest.approx(1.0, abs=1e-12)
    assert right + left == pytest.approx(2.0, abs=1e-12)
    assert right < 1.0 < left


def test_almost_odd_field_starts_like_an_odd_one():
    """With a bias of 1e-4 the way out of u = −1 has not been found yet at t = 20."""
    odd, almost = Kernel("tanh", 5), Kernel("tanh", 5, 1e-4, 1e-4)
    for u0 in (-0.6, 0.3):
        assert backward.mean_gap(almost, [20.0], u0) == pytest.approx(
            backward.mean_gap(odd, [20.0], u0), rel=1e-3
        )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        # As seen in an independent solution, to the digits given.
        (("silu", 5, 0.0), "0.0120"),
        (("tanh", 5, 0.1), "0.0463"),
        (("tanh", 5, 0.02), "0.0082"),
        (("relu", 2, 0.0), "0.0511"),
        (("tanh", 5, 0.0), "0.0000"),
        (("swish(5)", 128, 0.0), "0.0000"),
    ],
)
def test_bulk_eigenvalue_values(arguments, expected):
    activation, d, sigma = arguments
    kernel = Kernel(activation, d, sigma, sigma)
    assert f"{backward.bulk_eigenvalue(kernel):.4f}" == expected
    assert backward.decay_rate(kernel) == backward.bulk_eigenvalue(kernel)


@pytest.mark.parametrize(
    ("activation", "d", "sigma"),
    [("silu", 5, 0.0), ("tanh", 5, 0.1), ("tanh", 5, 0.02), ("relu", 2, 0.0)],
)
def test_bulk_eigenvalue_by_the_matrix(activation, d, sigma):
    """By inverse iteration on the discrete generator, no shooting; lowest, for g > 0 (Perron)."""
    kernel = Kernel(activation, d, sigma, sigma)
    nu = backward.bulk_eigenvalue(kernel)
    p = theory.least_moment_exponent(kernel).argument
    matrix = backward._generator(kernel, -300.0, 0.02, p)
    g, pole = np.ones_like(matrix.z), -0.99 * nu
    for _ in range(40):
        before, g = g / np.abs(g).max(), matrix.resolve(1.0, pole, g / np.abs(g).max())
    ratios = before / g
    assert np.ptp(ratios) < 1e-6 * np.abs(ratios).max()
    assert (before > 0).all() or (before < 0).all()
    assert -nu == pytest.approx(pole + ratios[-1], rel=1e-4)


def test_bulk_eigenvalue_does_not_depend_on_the_cuts(monkeypatch):
    kernel = Kernel("silu", 5)
    nu = backward.bulk_eigenvalue(kernel)
    monkeypatch.setattr(backward, "_SYNCHRONY", -30.0)
    monkeypatch.setattr(backward, "_ANTIPODE", 25.0)
    assert backward.bulk_eigenvalue(kernel) == pytest.approx(nu, rel=1e-8)


def test_decay_ends_at_the_bulk_eigenvalue():
    kernel = Kernel("tanh", 5, 0.02, 0.02)
    rates = backward.local_rate(kernel, [300.0, 2000.0], 0.0)
    np.testing.assert_allclose(rates, backward.bulk_eigenvalue(kernel), rtol=1e-5)


@pytest.mark.parametrize(
    ("activation", "d", "sigma"),
    [
        ("relu", 3, 0.0),
        ("relu", 5, 0.0),
        ("relu", 128, 0.0),
        ("sigmoid", 5, 0.0),
        ("sigmoid", 128, 0.1),
        ("silu", 64, 0.1),
        ("tanh", 128, 0.1),
    ],
)
def test_no_bulk_eigenvalue(activation, d, sigma):
    kernel = Kernel(activation, d, sigma, sigma)
    assert backward.bulk_eigenvalue(kernel) is None
    assert backward.decay_rate(kernel) == -theory.least_moment_exponent(kernel).value


def test_edge_of_the_spectrum_has_its_prefactor():
    """E[s_t] ~ t^{−3/2} e^{t·min Λ} for ReLU: rate − 3/(2t) → 1/(8d), with a correction of t⁻²."""
    t = np.array([200.0, 800.0, 3200.0])
    excess = backward.local_rate(Kernel("relu", 5), t, 0.0) - 1.5 / t - 0.025
    assert [f"{value:.4f}" for value in excess[:2] + 0.025] == ["0.0241", "0.0249"]
    np.testing.assert_allclose(excess[1:] / excess[:-1], 1 / 16, rtol=0.25)


@pytest.mark.parametrize(
    "kernel", [Kernel("sigmoid", 128), Kernel("silu", 64, 0.1, 0.1)], ids=lambda k: k.activation
)
def test_fast_synchrony_decays_at_lambda_bar(kernel):
    rates = backward.local_rate(kernel, [50.0, 500.0], -0.5)
    np.testing.assert_allclose(rates, -theory.lambda_bar(kernel), rtol=1e-9)


def test_without_synchrony_the_mean_becomes_stationary():
    """λ₁ > 0: E[s_t] tends to the mean under the normalised speed measure."""
    kernel = Kernel("swish(5)", 128)
    assert theory.lambda1(kernel) > 0
    mean = backward.mean_gap(kernel, [2e5], 0.2)[0]
    z = np.linspace(-1500.0, 20.0, 400_001)
    a, v = backward._coefficients(kernel, z)
    drift = 2.0 * v / a
    log_scale = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(z) * (drift[1:] + drift[:-1]))])
    density = np.exp(log_scale - log_scale.max()) / a
    stationary = 2.0 * expit(z) @ density / density.sum()
    assert mean == pytest.approx(stationary, rel=1e-4)


def test_no_mlp_moves_nothing():
    kernel = Kernel("none", 5, 0.1, 0.1)
    np.testing.assert_array_equal(backward.mean_gap(kernel, [0.0, 7.0], 0.25), [0.75, 0.75])
    np.testing.assert_array_equal(backward.local_rate(kernel, [7.0], 0.25), [0.0])
    assert backward.decay_rate(kernel) == 0.0


def test_odd_up_to_rounding_is_refused():
    kernel = Kernel("tanh", 5, 1e-9)
    with pytest.raises(ValueError, match="odd up to rounding"):
        backward.mean_gap(kernel, [1.0], 0.0)
    with pytest.raises(ValueError, match="odd up to rounding"):
        backward.bulk_eigenvalue(kernel)


def test_times_can_be_anything_in_order():
    kernel = Kernel("gelu", 5)
    assert backward.mean_gap(kernel, [], 0.0).shape == (0,)
    once = backward.mean_gap(kernel, [4.0], 0.0)[0]
    many = backward.mean_gap(kernel, [0.0, 0.3, 0.3, 1.7, 4.0], 0.0)
    assert many[1] == many[2]
    assert many[-1] == pytest.approx(once, rel=1e-6)


@pytest.mark.parametrize(
    ("times", "u0", "message"),
    [
        ([-1.0], 0.0, "times must be"),
        ([2.0, 1.0], 0.0, "times must be"),
        ([math.nan], 0.0, "times must be"),
        ([1.0], 1.0, "u0 must be"),
        ([1.0], -1.0, "u0 must be"),
        ([1.0], math.nan, "u0 must be"),
    ],
)
def test_bad_arguments_are_refused(times, u0, message):
    with pytest.raises(ValueError, match=message):
        backward.mean_gap(Kernel("relu", 5), times, u0)
