import math

import numpy as np
import pytest

from deeplimits.agazzi2026 import activations
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.agazzi2026.quadrature import InterpolatedKernel


@pytest.mark.parametrize("d", [2, 5, 128])
@pytest.mark.parametrize(("name", "sigma_u"), [("gelu", 0.0), ("gelu", 1.0), ("erf", 0.1)])
def test_closed_forms_agree_with_the_interpolated_kernel(name, sigma_u, d):
    """Relative accuracy of the gap down to 1e-300, by a route that takes no difference at all."""
    kernel = Kernel(name, d, sigma_u)
    interpolated = InterpolatedKernel(activations.get(name), d, kernel.q)
    s = np.array([0.0, 1e-300, 1e-30, 1e-12, 1e-6, 1e-3, 0.1, 0.5, 1.0, 1.5, 2.0])
    np.testing.assert_allclose(kernel.gap_ratio(s), interpolated.ratio(s), rtol=1e-12)
    np.testing.assert_allclose(kernel.derivative(1 - s), interpolated.slope(s), rtol=1e-12)
    assert kernel.kappa1 == pytest.approx(interpolated.power, rel=1e-13, abs=0.0)


@pytest.mark.parametrize(("d", "sigma_u"), [(2, 0.0), (5, 0.1), (128, 0.1), (5, 2.0)])
def test_kink_of_relu(d, sigma_u):
    """κ′(1) = 1/(2d), and the next term: ratio = κ′(1)(1 − 2θ/(3π) + …), θ² = 2s/(dq)."""
    kernel = Kernel("relu", d, sigma_u)
    assert kernel.dkappa1 == 0.5 / d
    s = 1e-12
    theta = math.sqrt(2 * s / (d * kernel.q))
    lost = 1.0 - kernel.gap_ratio(s) / kernel.dkappa1
    assert lost == pytest.approx(2 * theta / (3 * math.pi), rel=1e-6, abs=0.0)


def test_kink_term_is_continuous_where_its_two_formulas_meet():
    s = 2.0 * np.sin(0.1 + np.array([-1e-15, 1e-15])) ** 2
    below, above = Kernel("relu", 5).gap_ratio(s)
    assert above == pytest.approx(below, rel=2e-14, abs=0.0)
