"""The solver against constructions, a general optimiser and certificates."""

import numpy as np
import pytest
from scipy.optimize import minimize

from deeplimits.kale2026 import data, margin


def test_certificate_proves_the_margin() -> None:
    z = np.random.default_rng(0).standard_normal((40, 6))
    z *= np.where(z @ np.arange(1.0, 7.0) > 0, 1, -1)[:, np.newaxis]
    found = margin.solve(z)
    assert found.weights.min() >= 0
    assert found.weights.sum() == pytest.approx(1, rel=1e-14)
    assert np.linalg.norm(found.direction) == pytest.approx(1, rel=1e-14)
    # Optimality: support points, those with weight, sit at the margin, all others beyond.
    margins = z @ found.direction
    assert margins.min() == found.gamma
    assert margins[found.weights > 0] == pytest.approx(found.gamma, rel=1e-9)
    assert np.linalg.norm(found.weights @ z) == found.upper
    assert found.upper - found.lower <= margin.ACCURACY * found.upper


def test_against_the_primal_quadratic_program() -> None:
    # min ½|v|² with Zv ≥ 1, γ = 1/|v|.
    z = data.synthetic(np.random.default_rng(1), 12, 4, 0.2, 2) + 0.02
    constraint = {"type": "ineq", "fun": lambda v: z @ v - 1, "jac": lambda v: z}
    primal = minimize(
        lambda v: v @ v / 2, np.ones(4), jac=lambda v: v, constraints=constraint, tol=1e-14
    )
    assert margin.solve(z).gamma == pytest.approx(1 / np.linalg.norm(primal.x), rel=1e-7)


def test_bounds_that_do_not_meet_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(margin, "_equal_margins", lambda support: np.array([0.6, 0.8]))
    with pytest.raises(ArithmeticError, match=r"only known to lie in \[.*, 0\.1"):
        margin.solve(data.unbalanced(5, 0.1))


def test_scales_with_the_data() -> None:
    z = data.unbalanced(5, 0.1)
    for scale in (1e-8, 1e8):
        assert margin.solve(scale * z).gamma == pytest.approx(0.1 * scale, rel=1e-9)


def test_non_separable_sets_are_refused_with_proof() -> None:
    z = np.random.default_rng(2).standard_normal((30, 3))
    with pytest.raises(margin.NotSeparableError, match="three against five") as refusal:
        margin.solve(z, "three against five")
    weights = refusal.value.weights
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1)
    assert np.linalg.norm(weights @ z) < 1e-8


def test_barely_separable_and_barely_not() -> None:
    z = np.array([[1.0, 1e-4], [-1.0, 1e-4]])
    assert margin.solve(z).gamma == pytest.approx(1e-4, rel=1e-9)
    with pytest.raises(margin.NotSeparableError):
        margin.solve(z * [1, 0])
    with pytest.raises(margin.NotSeparableError):
        margin.solve(0 * z)
