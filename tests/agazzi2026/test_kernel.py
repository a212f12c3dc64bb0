import math
import pickle

import numpy as np
import pytest
from scipy.integrate import quad_vec

from deeplimits.agazzi2026 import activations
from deeplimits.agazzi2026.kernel import Kernel

SMOOTH = ("silu", "sigmoid", "tanh", "gelu", "erf", "swish(4)")
SHAPES = [(2, 0.0), (5, 0.0), (5, 0.1), (128, 0.1), (5, 2.0)]
CASES = [(name, d, sigma_u) for name in ("relu", *SMOOTH) for d, sigma_u in SHAPES]
SHARP = [("swish(100)", 128, 0.0), ("swish(30)", 5, 0.0), ("swish(30)", 5, 0.1), ("tanh", 5, 20.0)]
GAPS = (1e-3, 0.3, 1.0, 1.7, 2.0)


def polar_means(functions, q, rho):
    """E f(V₁, V₂) in polar coordinates, by Gauss–Legendre panels in r and adaptively in the angle.

    Nothing in common with the library: no pair A ± B, no trapezoidal rule, no interpolation, no
    closed form.
    """
    edges = np.concatenate([[0.0], np.geomspace(1e-4, 10.0, 40)])
    x, w = np.polynomial.legendre.leggauss(12)
    half = 0.5 * np.diff(edges)
    r = (0.5 * (edges[1:] + edges[:-1])[:, None] + half[:, None] * x).ravel()
    weights = (half[:, None] * w).ravel() * r * np.exp(-0.5 * r * r) / (2.0 * math.pi)
    theta = math.acos(rho)

    def means(angle):
        v1 = math.sqrt(q) * r * math.cos(angle - 0.5 * theta)
        v2 = math.sqrt(q) * r * math.cos(angle + 0.5 * theta)
        return np.array([weights @ f(v1, v2) for f in functions])

    # V₁ = 0 and V₂ = 0, where a kink or a sharp change of φ lies.
    zeros = [0.5 * math.pi * k + sign * 0.5 * theta for k in (1, 3) for sign in (-1, 1)]
    return quad_vec(
        means, 0.0, 2.0 * math.pi, epsrel=1e-12, epsabs=1e-15, points=zeros, limit=2000
    )[0]


@pytest.mark.parametrize(("name", "d", "sigma_u"), CASES + SHARP)
def test_agrees_with_a_polar_quadrature(name, d, sigma_u):
    activation = activations.get(name)
    kernel = Kernel(name, d, sigma_u, sigma_w=0.3)
    functions = (
        lambda v1, v2: activation.phi(v1) * activation.phi(v2),
        lambda v1, v2: 0.5 * (activation.phi(v1) - activation.phi(v2)) ** 2,
        lambda v1, v2: activation.derivative(v1) * activation.derivative(v2) / d,
    )
    for s in GAPS:
        rho = max(1.0 - s / (d * kernel.q), -1.0)
        product, gap, slope = polar_means(functions, kernel.q, rho)
        assert kernel(1.0 - s) == pytest.approx(product + 0.09, rel=1e-10, abs=0.0)
        assert kernel.gap(s) == pytest.approx(gap, rel=1e-10, abs=0.0)
        assert kernel.derivative(1.0 - s) == pytest.approx(slope, rel=1e-10, abs=1e-14)


@pytest.mark.parametrize("name", ["relu", *SMOOTH, "swish(100)"])
def test_gap_is_the_integral_of_the_derivative(name):
    kernel = Kernel(name, 128, 0.02)
    x, weights = np.polynomial.legendre.leggauss(60)
    t = 0.5 * (x + 1.0)  # s = 2t²: smooth in t also at ReLU's kink
    integral = 0.5 * weights @ (kernel.derivative(1.0 - 2 * t**2) * 4 * t)
    assert kernel.gap(2.0) == pytest.approx(integral, rel=1e-9)


@pytest.mark.parametrize("name", ["tanh", "erf"])
def test_odd_fields_have_odd_kernels(name):
    u = np.linspace(0.0, 1.0, 21)
    odd = Kernel(name, 5)
    assert odd.odd
    np.testing.assert_allclose(odd(-u), -odd(u), atol=1e-13)
    for biased in (Kernel(name, 5, sigma_u=0.1), Kernel(name, 5, sigma_w=0.1), Kernel("silu", 5)):
        assert not biased.odd
        assert abs(biased(-1.0) + biased(1.0)) > 1e-4


def test_kernel_of_a_linear_mlp_limit():
    """swish(b) → z/2 as b → 0: κ = q ρ/4 = c/4."""
    kernel = Kernel("swish(1e-9)", 7, 0.3)
    u = np.linspace(-1.0, 1.0, 9)
    np.testing.assert_allclose(kernel(u), (u / 7 + 0.09) / 4, rtol=1e-8, atol=1e-12)


def test_positive_definite():
    """The Gram matrix κ(⟨x_i, x_j⟩) of points on the sphere has no negative eigenvalue."""
    x = np.random.default_rng(1).standard_normal((40, 3))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    for name in ("relu", *SMOOTH):
        matrix = Kernel(name, 3, 0.1)(np.clip(x @ x.T, -1.0, 1.0))
        assert np.linalg.eigvalsh(matrix).min() > -1e-13


def test_no_mlp():
    kernel = Kernel("none", 5, 0.1, 0.1)
    assert kernel.kappa1 == kernel.dkappa1 == 0.0
    np.testing.assert_array_equal(kernel(np.linspace(-1, 1, 5)), np.zeros(5))
    np.testing.assert_array_equal(kernel.derivative(np.linspace(-1, 1, 5)), np.zeros(5))


@pytest.mark.parametrize("name", ["relu", "gelu", "erf", "tanh"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0,)])
def test_shapes(name, shape):
    kernel = Kernel(name, 5)
    s = np.full(shape, 0.25)
    for values in (kernel(s), kernel.derivative(s), kernel.gap(s), kernel.gap_ratio(s)):
        assert np.shape(values) == shape


def test_equal_parameters_make_equal_kernels():
    kernel = Kernel("tanh", 5, 0.1)
    assert kernel == Kernel("tanh", 5, 0.1, 0.0)
    assert kernel.kappa1 == pickle.loads(pickle.dumps(kernel)).kappa1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tahn", 5), "unknown activation"),
        (("tanh", 1), "d must be at least 2"),
        (("tanh", 5, -0.1), "sigma_u must be finite and not negative"),
        (("tanh", 5, 0.0, math.inf), "sigma_w must be finite"),
        (("tanh", 5, math.nan), "sigma_u must be finite"),
    ],
)
def test_bad_parameters_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Kernel(*arguments)
