"""Estimates of `synchronization` on tables whose answers are known."""

import itertools

import numpy as np
import pandas as pd
import pytest

from deeplimits.agazzi2026 import summaries
from deeplimits.agazzi2026.estimates import synchronization


def table(gaps: np.ndarray, a: float = 0.0) -> pd.DataFrame:
    """A table of one cell with the given gaps (runs, depths); every quantile is 1 − gap."""
    rows = []
    for replica, layer in itertools.product(range(gaps.shape[0]), range(gaps.shape[1])):
        gap = gaps[replica, layer]
        rows.append(
            {
                "activation": "relu", "d": 5, "sigma_u": 0.0, "sigma_w": 0.0, "a": a,
                "replica": replica, "layer": layer, "t": layer / 10, "beta": 1.0,
                "gap": gap, "energy": 2 * gap,
                **{summaries.quantile_name(level): 1 - gap for level in summaries.LEVELS},
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def test_means_and_errors_are_over_runs():
    gaps = np.random.default_rng(0).uniform(0.1, 1.0, (8, 4))
    result = synchronization.estimate(table(gaps))
    np.testing.assert_allclose(result["gap"], gaps.mean(axis=0))
    np.testing.assert_allclose(result["cosine"], 1 - gaps.mean(axis=0))
    error = gaps.std(axis=0, ddof=1) / np.sqrt(8)
    np.testing.assert_allclose(result["cosine_se"], error)
    np.testing.assert_allclose(result["energy_se"], 2 * error)


def test_past_gap_is_the_trapezoidal_mean_in_any_order_of_rows():
    gaps = np.random.default_rng(1).uniform(0.1, 1.0, (6, 5))
    shuffled = pd.concat([table(gaps), table(2 * gaps, a=1.0)]).sample(frac=1, random_state=0)
    result = synchronization.estimate(shuffled)
    expected = [
        gaps[:, 0].mean(),
        *(np.trapezoid(gaps[:, : n + 1], axis=1).mean() / n for n in range(1, 5)),
    ]
    np.testing.assert_allclose(result.loc[result["a"] == 0, "past_gap"], expected)
    np.testing.assert_allclose(result.loc[result["a"] == 1, "past_gap"], 2 * np.array(expected))


@pytest.mark.parametrize("level", [0.05, 0.5, 0.95])
def test_pooled_quantile_of_uniform_laws(level):
    """The mixture of U(0,1) and U(1,3) has distribution x/2 on [0,1] and ½ + (x−1)/4 beyond."""
    levels = summaries.LEVELS
    knots = np.array([[np.array(levels), 1 + 2 * np.array(levels)]])
    exact = 2 * level if level <= 0.5 else 1 + 4 * (level - 0.5)
    pooled = synchronization.pooled_quantile(knots, levels, level)
    np.testing.assert_allclose(pooled, [exact], atol=1e-9)


def test_pooled_quantile_of_points_jumps_between_them():
    levels = summaries.LEVELS
    points = np.repeat(np.array([0.0, 0.0, 1.0])[None, :, None], len(levels), axis=2)
    for level, exact in ((0.05, 0.0), (0.6, 0.0), (0.95, 1.0)):
        pooled = synchronization.pooled_quantile(points, levels, level)
        np.testing.assert_allclose(pooled, [exact], atol=1e-9)


def test_same_law_in_every_run_pools_to_itself():
    knots = np.sort(np.random.default_rng(2).uniform(-1, 1, (5, 1, len(summaries.LEVELS))))
    same = np.repeat(knots, 4, axis=1)
    pooled = synchronization.pooled_quantile(same, summaries.LEVELS, 0.25)
    np.testing.assert_allclose(pooled, knots[:, 0, 2], atol=1e-9)


def test_exponents_are_those_of_the_theory():
    """ReLU, d = 64, σ = 0.1: λ₁ and λ̄ of Table 1; the energy's exponent is negative, above λ̄."""
    cell = table(np.full((2, 3), 0.5)).assign(d=64, sigma_u=0.1, sigma_w=0.1)
    row = synchronization.estimate(cell).iloc[-1]
    assert f"{row.lambda1:.2e} {row.lambda_bar:.2e}" == "-4.80e-01 -8.99e-01"
    assert row.lambda_bar < row.lambda_bar_prime < 0
    assert 2 * row.lambda1 < row.log_slope < 0
