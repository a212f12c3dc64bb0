"""Fits of a rate: exact on power laws, with errors that are right for dependent levels."""

import numpy as np
import pandas as pd
import pytest

from deeplimits.agazzi2026 import rates

LEVELS = np.array([8, 16, 32, 64, 128])


def test_a_power_law_is_fitted_exactly():
    errors = np.outer([0.5, 1.5, 1.0], 3.0 * LEVELS**-0.7)
    fit = rates.fit(LEVELS, errors)
    np.testing.assert_allclose(fit.error.value, 3.0 * LEVELS**-0.7)
    np.testing.assert_allclose(fit.local.value, -0.7)
    np.testing.assert_allclose([fit.slope.value, fit.last.value], -0.7)
    assert fit.trend.value == pytest.approx(0.0, abs=1e-12)
    # What all levels of a run have in common moves the means, but no slope.
    np.testing.assert_allclose(fit.error.error / fit.error.value, 0.5 / np.sqrt(3))
    slopes = (fit.local, fit.slope, fit.trend, fit.last)
    assert max(np.max(slope.error) for slope in slopes) < 1e-12


def test_trend_and_last_slope_of_a_parabola():
    doublings = np.log2(LEVELS / LEVELS[-1])
    mean = np.exp(np.log(2) * (-0.9 * doublings + 0.1 * doublings**2))
    fit = rates.fit(LEVELS, np.array([mean, mean]))
    assert fit.last.value == pytest.approx(-0.9)
    assert fit.trend.value == pytest.approx(0.2)
    np.testing.assert_allclose(fit.local.value, [-1.6, -1.4, -1.2, -1.0])


def test_levels_need_no_equal_spacing():
    levels = np.array([3, 10, 11, 50])
    fit = rates.fit(levels, np.tile(levels**-1.3, (2, 1)))
    np.testing.assert_allclose([fit.slope.value, fit.last.value, *fit.local.value], -1.3)


@pytest.mark.parametrize("shared", [0.0, 0.9])
def test_standard_errors(shared):
    """Mean square of z over 2000 experiments is 1 ± .032, tested at 5 errors and 3% for bias.

    Taking the levels for independent would give about 0.2 for a slope at a correlation near .8.
    """
    generator = np.random.default_rng(0)
    experiments, runs = 2000, 100
    common = generator.standard_normal((experiments, runs, 1))
    own = generator.standard_normal((experiments, runs, len(LEVELS)))
    noise = np.exp(0.4 * (shared * common + np.sqrt(1 - shared**2) * own))
    fits = [rates.fit(LEVELS, errors) for errors in noise / LEVELS]
    truth = {"local": -1.0, "slope": -1.0, "trend": 0.0, "last": -1.0}
    for name, value in truth.items():
        z = [(getattr(fit, name).value - value) / getattr(fit, name).error for fit in fits]
        assert np.mean(np.square(z), axis=0) == pytest.approx(1.0, abs=5 * 0.032 + 0.03)


def test_a_zero_mean_has_no_slope():
    with pytest.raises(ValueError, match="must be positive"):
        rates.fit(LEVELS, np.zeros((2, 5)))


def test_estimates_keep_curves_apart_whatever_the_order_of_rows():
    exponent = {2: -1.0, 3: -0.5}
    rows = [
        {"d": d, "kind": "x", "replica": run, "size": level, "value": (1 + run) * level**power}
        for d, power in exponent.items()
        for level in LEVELS
        for run in range(3)
    ]
    table = pd.DataFrame(rows).sample(frac=1.0, random_state=1)
    found = rates.estimates(table, ["d", "kind"], "size", "value")
    assert found["size"].tolist() == 2 * LEVELS.tolist()
    np.testing.assert_allclose(found["slope"], found["d"].map(exponent))
    np.testing.assert_allclose(found["error"], 2 * found["size"] ** found["slope"])
    assert found.groupby("d")["local_slope"].apply(lambda slopes: slopes.isna().tolist())[2] == [
        True,
        *4 * [False],
    ]
    assert (found["replicas"] == 3).all()
