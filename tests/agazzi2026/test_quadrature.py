import math

import numpy as np
import pytest

from deeplimits.agazzi2026 import activations
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.agazzi2026.quadrature import InterpolatedKernel


@pytest.mark.parametrize("name", ["silu", "sigmoid", "tanh", "swish(4)"])
def test_agrees_with_the_mehler_series(name):
    """κ = Σ c_k² ρ^k and κ(1) − κ = Σ c_k²(1 − ρ^k), c_k from Gauss–Hermite."""
    kernel = Kernel(name, 16, 0.05)
    x, weights = np.polynomial.hermite_e.hermegauss(300)
    weights = weights / weights.sum()
    values = activations.get(name).phi(math.sqrt(kernel.q) * x)
    before, hermite, c = np.zeros_like(x), np.ones_like(x), []
    for k in range(120):
        c.append(weights @ (values * hermite))
        before, hermite = hermite, (x * hermite - math.sqrt(k) * before) / math.sqrt(k + 1)
    power, k = np.square(c), np.arange(120)
    for s in (1e-200, 1e-10, 0.2, 1.0):
        terms = -np.expm1(k * np.log1p(-s / (16 * kernel.q)))
        assert kernel.gap(s) == pytest.approx(power @ terms, rel=1e-11, abs=0.0)
    assert kernel.kappa1 == pytest.approx(power.sum(), rel=1e-12, abs=0.0)
    assert kernel.dkappa1 == pytest.approx(power @ k / (16 * kernel.q), rel=1e-12, abs=0.0)


def test_what_the_quadrature_cannot_resolve_is_refused():
    with pytest.raises(ValueError, match="varies too sharply"):
        _ = Kernel("swish(1e6)", 5).kappa1
    with pytest.raises(ValueError, match="needs a closed form"):
        InterpolatedKernel(activations.get("relu"), 5, 0.2)
