"""The mean logarithm of the growth of a small separation; its first order and a simulation of it
are in the tests of agazzi2026's exponent."""

import numpy as np
import pytest

from deeplimits import separation


@pytest.mark.parametrize("d", [2, 3, 64])
@pytest.mark.parametrize("variance", [1e-6, 1e-3, 2e-2])
def test_mean_log_of_the_lean(d, variance):
    """E log cos² α = E log|P_e v|² − E log|v|², e ⊥ y: two routes to the same mean."""
    cosines, weights = separation._lean_rule(d, variance)
    shorter, full = (separation._mean_log_square(k, variance) for k in (d - 1, d))
    assert weights @ np.log(cosines**2) == pytest.approx(shorter - full, rel=1e-8, abs=0.0)


@pytest.mark.parametrize("d", [2, 3, 64])
def test_noise_on_one_of_the_two_vectors_only(d):
    """No noise on the token: M_{d−1}/2. None on the separation, or next to none."""
    along = separation.mean_log_growth(d, 0.0, 0.03)
    tiny = separation.mean_log_growth(d, 1e-6, 0.03)
    assert along == pytest.approx(0.5 * separation._mean_log_square(d - 1, 0.03))
    assert along == pytest.approx(tiny, abs=2e-6 * d)
    across = separation.mean_log_growth(d, 0.03, 0.0)
    assert across == pytest.approx(separation.mean_log_growth(d, 0.03, 1e-6), abs=2e-6 * d)
    assert separation.mean_log_growth(d, 0.0, 0.0) == 0.0
