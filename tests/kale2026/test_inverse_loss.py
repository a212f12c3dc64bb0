"""When steps 1/ℓ run away: closed forms on small sets."""

import numpy as np
import pytest

from deeplimits.kale2026 import data, inverse_loss


@pytest.mark.parametrize("n", [2, 20, 100])
@pytest.mark.parametrize("gamma", [0.1, 0.5, 0.7, 0.72, 0.9])
def test_rare_point(n: int, gamma: float) -> None:
    # ⟨z_i, z_j⟩ = 2γ² − 1 between the groups: a runaway up to γ = 1/√2, sustained by n − 1 points.
    z = data.unbalanced(n, gamma)
    product = 2 * gamma**2 - 1
    rate = inverse_loss.runaway_rate(z, np.arange(n) == n - 1)
    assert rate == pytest.approx(max(0.0, -product * (n - 1) / n**2))
    expected = min((n - 1 + product) / n, (1 + (n - 1) * product) / n)
    assert inverse_loss.speed(z) == pytest.approx(expected)


def test_no_runaway_from_the_right_side_if_the_mean_classifies_all() -> None:
    z = data.unbalanced(2, 0.1)
    assert inverse_loss.speed(z) > 0
    assert inverse_loss.runaway_rate(z, np.zeros(2, dtype=bool)) == 0


def test_a_set_that_its_drift_corrects_is_followed_to_the_end() -> None:
    # With z_1 wrong the drift of the others classifies it, and leaves z_2 behind instead.
    z = np.array([[1.0, 0.0], [0.2, -0.9], [0.6, 0.8], [0.6, 0.8]])
    wrong = np.array([True, False, False, False])
    drift = z[[0, 2, 3]].sum(axis=0) / 4
    assert list(z @ drift < 0) == [False, True, False, False]
    assert inverse_loss.runaway_rate(z, wrong) == pytest.approx(-(z[1] @ drift) / 4)
