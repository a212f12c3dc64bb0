"""Closed forms against the equations they solve and against integration."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from deeplimits.kale2026 import theory

GAMMA = np.array([0.01, 0.1, 0.3, 1.0])[:, np.newaxis]
T = np.array([0.0, 1e-6, 1.0, 1e3, 2e5, 1e12])


def test_decay_solves_its_equation() -> None:
    y = theory.decay(GAMMA, T)
    assert y + y**3 / 6 == pytest.approx(GAMMA**2 * T, rel=1e-14)
    assert theory.time_to_decay(GAMMA, y) == pytest.approx(T + 0 * GAMMA, rel=1e-14)


def test_decay_is_the_continuous_schedule() -> None:
    gamma, end = 0.3, 2000.0
    solution = solve_ivp(
        lambda t, u: gamma**2 / (1 + u**2 / 2), (0, end), [0.0], rtol=1e-10, atol=1e-12
    )
    assert solution.y[0, -1] == pytest.approx(theory.decay(gamma, end), rel=1e-8)


def test_a_wrong_margin_enters_by_its_square() -> None:
    assert theory.decay_told(GAMMA, GAMMA, T) == pytest.approx(theory.decay(GAMMA, T), abs=1e-13)
    late = theory.decay_told(0.1, 0.4, 1e6)
    assert late == pytest.approx(theory.decay(0.4, 1e6) - 2 * np.log(4), abs=1e-12)
    # d(e^y)/dt = γ²η by integration along the schedule told .05 where γ = .1.
    solution = solve_ivp(
        lambda t, y: 0.01 * np.exp((u := theory.decay(0.05, t)) - y) / (1 + u**2 / 2),
        (0, 3000),
        [0.0],
        rtol=1e-10,
        atol=1e-12,
    )
    assert solution.y[0, -1] == pytest.approx(theory.decay_told(0.1, 0.05, 3000), rel=1e-8)


def test_lag_of_averaging_solves_its_equation() -> None:
    delta = theory.averaged_lag(GAMMA)
    assert delta == pytest.approx((6 * (1 - delta) * GAMMA**2) ** (1 / 3) / 3, rel=1e-12)
    assert theory.averaged_lag(np.array([0.1, 0.3])).round(3) == pytest.approx([0.125, 0.247])


def test_exponent_is_the_slope_of_decay() -> None:
    t = np.array([1.0, 1e3, 1e6])
    h = 1e-5
    slope = (np.log(theory.decay(0.1, t * (1 + h))) - np.log(theory.decay(0.1, t * (1 - h)))) / (
        2 * h
    )
    assert theory.decay_exponent(theory.decay(0.1, t)) == pytest.approx(slope, rel=1e-8)
    assert theory.decay_exponent(0.0) == 1.0
    assert theory.decay_exponent(1e6) == pytest.approx(1 / 3, rel=1e-10)


def test_exponents_of_the_paper_file() -> None:
    # .345 at γ = .1 and .364 at γ = .05, t = 2·10⁴, rounded to three figures.
    y = theory.decay(np.array([0.1, 0.05]), 2e4)
    assert theory.decay_exponent(y).round(3) == pytest.approx([0.345, 0.364])


def test_baselines_at_hand_computed_points() -> None:
    assert theory.constant_step(0.1, 200.0, 2e4) == pytest.approx(np.log(40001))
    assert theory.loss_adaptive(0.3, 100.0, 2e4) == pytest.approx(1.8e5)
    assert theory.gradient_normalized(0.1, 1.0, 1e4) == pytest.approx(20)
    assert theory.stable_from(0.1, 5.0, 20) == pytest.approx(2000)
    assert theory.stable_from(0.1, 50.0, 20) == pytest.approx(5000)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("gamma", lambda: theory.decay(0.0, 1.0)),
        ("gamma", lambda: theory.decay(1.1, 1.0)),
        ("t must", lambda: theory.decay(0.1, -1.0)),
        ("y must", lambda: theory.decay_exponent(-1.0)),
        ("eta", lambda: theory.constant_step(0.1, np.nan, 1.0)),
        ("n must", lambda: theory.stable_from(0.1, 1.0, 0)),
    ],
)
def test_ranges(name: str, call) -> None:
    with pytest.raises(ValueError, match=name):
        call()
