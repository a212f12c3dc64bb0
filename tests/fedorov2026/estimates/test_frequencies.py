"""Frequencies of outcomes: intervals, scores, theory beside them, curves and contours."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats

from deeplimits import stats
from deeplimits.fedorov2026 import frequencies, theory
from deeplimits.fedorov2026.estimates import phase_diagram, transition


def counts(**changes) -> pd.DataFrame:
    """One model, d = 3 and β = 1 from ρ₀ = 0, at three depths."""
    row = {"d": 3, "beta": 1.0, "rho0": 0.0, "epsilon": 0.1, "layer": [200, 400, 800]}
    row |= {"t": [10.0, 20.0, 40.0], "replicas": 1000, "antipodal": [100, 180, 220]}
    row |= {"consensus": [700, 760, 777], "undecided": [200, 60, 3], "opposite": [200, 220, 222]}
    return pd.DataFrame({**row, "between": [50, 5, 1], **changes})


def test_rows():
    rows = frequencies.rows(counts())
    assert list(rows) == [column.name for column in frequencies.COLUMNS]
    exponent = theory.exponent_antipodal(1.0, 3)
    np.testing.assert_allclose(rows["exponent"], exponent)
    np.testing.assert_allclose(rows["clock"], [20, 40, 80])
    np.testing.assert_allclose(rows["slow_clock"], -exponent * np.array([10, 20, 40]))
    np.testing.assert_array_equal(rows["comparable"], [False, True, True])
    np.testing.assert_allclose(rows["share"], [0.1, 0.18, 0.22])
    np.testing.assert_array_equal(rows["low"], stats.wilson([100, 180, 220], 1000).low)
    np.testing.assert_array_equal(rows["high"], stats.wilson([300, 240, 223], 1000).high)
    p = 0.2224
    np.testing.assert_allclose(rows["exact"], p, atol=5e-5)
    # p lies between the shares without and with undecided runs, but for the last depth.
    np.testing.assert_allclose(rows["score"], [0, 0, 0], atol=0.07)
    np.testing.assert_allclose(rows["offset_se"], 1 / np.sqrt(1000 * p * (1 - p)), rtol=1e-3)
    last = np.log(221.5 / 778.5) - np.log(p / (1 - p))
    assert rows["offset"].iloc[2] == pytest.approx(last, abs=5e-3)


def test_nothing_is_random_below_the_transition():
    rows = frequencies.rows(counts(d=8, antipodal=0))
    assert (rows["exact"] == 0).all()
    assert rows[["score", "offset", "offset_se"]].isna().all(axis=None)


def test_near_the_transition_nothing_is_comparable():
    """d = 4 at β = .75: both clocks are long, but the exponent is −.21."""
    rows = frequencies.rows(counts(d=4, beta=0.75, t=500.0))
    assert (rows["slow_clock"] > 20).all()
    assert not rows["comparable"].any()


@pytest.mark.parametrize(("n", "p"), [(2000, 0.3), (2000, 1e-3), (4000, 0.9), (50, 0.5)])
def test_tails_are_binomial(n, p):
    k = np.array([0, 1, n // 10, n // 2, n - 1, n])
    np.testing.assert_allclose(
        frequencies.at_least(k, n, p), scipy_stats.binom.sf(k - 1, n, p), rtol=1e-8, atol=1e-250
    )
    np.testing.assert_allclose(
        frequencies.at_most(k, n, p), scipy_stats.binom.cdf(k, n, p), rtol=1e-8, atol=1e-250
    )


def test_score_is_the_number_of_standard_errors():
    n, p = 1_000_000, 0.3
    k = np.round(n * p + np.array([-3, -1, 0, 1, 3]) * np.sqrt(n * p * (1 - p)))
    np.testing.assert_allclose(frequencies.score(k, k, n, p), [-3, -1, 0, 1, 3], atol=0.01)


def test_score_allows_undecided_runs_either_end():
    low, high = np.array([100, 300, 500]), np.array([200, 500, 500])
    score = frequencies.score(low, high, 1000, 0.4)
    assert score[0] == pytest.approx(-200 / np.sqrt(240), rel=0.08)
    assert score[1] == 0
    assert score[2] == pytest.approx(100 / np.sqrt(240), rel=0.05)


def test_score_is_finite_at_the_end_of_its_range_and_missing_where_p_is():
    score = frequencies.score([0, 1000, 0, 0], [0, 1000, 0, 0], 1000, [1 - 1e-9, 1e-9, 0.0, 1.0])
    assert score[0] < -30
    assert score[1] > 30
    assert np.isnan(score[2:]).all()


def test_score_has_unit_variance_also_for_rare_events():
    """20000 draws at np = 2; the spread of mid-p scores is .9 to 1 there."""
    k = np.random.default_rng(1).binomial(2000, 1e-3, 20_000)
    score = frequencies.score(k, k, 2000, 1e-3)
    assert abs(score.mean()) < 0.1
    assert 0.85 < score.std() < 1.02


def test_last_depth_and_least_step():
    table = pd.concat([counts(), counts(epsilon=0.05, layer=[400, 800, 1600])])
    rows = pd.concat([frequencies.rows(table), frequencies.theory_rows(table.head(1))])
    assert frequencies.final(rows)["layer"].tolist() == [800, 1600]
    assert frequencies.finest(rows)["epsilon"].tolist() == [0.05]


def test_curves_of_the_transition():
    table = pd.concat([counts(), counts(beta=2.0), counts(beta=2.0, rho0=-0.9)])
    rows = transition.estimate(table)
    assert not rows.duplicated(list(transition.KEY)).any()
    curves = rows[rows["replicas"] == 0]
    assert (curves["epsilon"] == 0).all()
    along_beta = curves[curves["rho0"] == 0.0].sort_values("beta")
    assert along_beta["beta"].agg(["min", "max"]).tolist() == [1.0, 2.0]
    assert len(along_beta) >= transition.POINTS
    assert along_beta["exact"].is_monotonic_increasing
    along_rho0 = curves[curves["beta"] == 2.0].sort_values("rho0")
    assert along_rho0["rho0"].agg(["min", "max"]).tolist() == [-0.9, 0.0]
    assert along_rho0["exact"].is_monotonic_decreasing
    some = curves.iloc[7]
    p = theory.antipodal_probability(some["beta"], int(some["d"]), some["rho0"])
    assert some["exact"] == p
    # One place only: a point, no curve.
    assert len(transition.curve_points(frequencies.rows(counts()))) == 1


def test_map_has_contours_where_there_are_some():
    table = pd.concat([counts(d=d).tail(1) for d in (2, 3, 16)]).drop(columns="epsilon")
    table = table.assign(t=table["layer"] * 0.1 / (table["d"] - 1))
    rows = phase_diagram.estimate(table).set_index("d")
    np.testing.assert_array_equal(rows["epsilon"], 0.1)
    assert rows.loc[2, ["beta_01", "beta_10"]].isna().all()  # p = ½
    assert rows.loc[16, "beta_star"] == pytest.approx(0.5 * np.arccosh(14))
    for d in (3, 16):
        for name, share in (("beta_01", 0.01), ("beta_10", 0.1)):
            beta = rows.loc[d, name]
            assert beta > rows.loc[d, "beta_star"]
            assert theory.antipodal_probability(beta, d, 0.0) == pytest.approx(share, rel=1e-6)


def test_no_contour_above_what_large_beta_reaches():
    """p tends to arccos(ρ₀)/π as β → ∞: ⅓ at ρ₀ = ½, so .4 is never reached."""
    assert np.isnan(phase_diagram.contour(3, 0.5, 0.4))
    assert phase_diagram.contour(3, 0.5, 0.2) > 0
