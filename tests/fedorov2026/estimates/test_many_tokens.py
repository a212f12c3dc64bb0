"""Estimates of `many_tokens` on counts that are known."""

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad

from deeplimits import stats
from deeplimits.fedorov2026 import theory
from deeplimits.fedorov2026.estimates import many_tokens as estimates


def raw(quantity: str, item: int, count: int, runs: int, **changes) -> dict:
    row = {"dynamics": "noise", "n": 3, "d": 3, "beta": 1.0, "horizon": 8.0, "t": 8.0, "dt": 0.1}
    row |= {"layer": 80, "quantity": quantity, "item": item, "value": 0.25, "count": count}
    return {**row, "squares": count, "runs": runs, "per_run": 1, **changes}


def test_shares_of_runs_have_wilsons_interval():
    rows = [raw("outcome", 1, 7, 10), raw("kept", 2, 0, 4), raw("cosine", 0, 5, 10)]
    table = estimates.estimate(pd.DataFrame(rows)).set_index("quantity")
    assert table.loc["outcome", "share"] == 0.7
    assert tuple(table.loc["outcome", ["low", "high"]]) == stats.wilson(7, 10)
    assert tuple(table.loc["kept", ["share", "low", "high"]]) == (0, *stats.wilson(0, 4))
    assert table["limit"].isna().all()


def test_shares_of_pairs_have_the_error_of_the_mean_of_runs():
    per_run = np.array([1, 3, 0, 2])
    cosines = raw("cosine", 4, 6, 4, squares=int((per_run**2).sum()), per_run=3)
    row = estimates.estimate(pd.DataFrame([cosines, raw("outcome", 0, 1, 4)])).iloc[0]
    error = (per_run / 3).std(ddof=1) / 2
    assert row["share"] == 0.5
    assert row["high"] - row["share"] == pytest.approx(min(1.96 * error, 0.5), rel=1e-4)


def test_limit_is_that_of_two_tokens_under_noise():
    rows = [
        raw("outcome", 2, 3, 10, n=2, beta=2.0),
        raw("outcome", 2, 3, 10, n=2, beta=2.0, dynamics="flow"),
        raw("outcome", 1, 3, 10, n=2, beta=2.0),
        raw("outcome", 2, 3, 10, n=2, d=8),
        raw("outcome", 2, 3, 10),
        raw("cosine", 2, 3, 10),
    ]
    table = estimates.estimate(pd.DataFrame(rows))
    known = table.dropna(subset="limit")
    assert list(zip(known["d"], known["beta"], strict=True)) == [(3, 2.0), (8, 1.0)]
    assert known["limit"].tolist() == [estimates.uniform_start(2.0, 3), 0.0]


@pytest.mark.parametrize(("beta", "d"), [(2.0, 3), (1.0, 3), (2.0, 8)])
def test_uniform_start_averages_over_the_cosine(beta, d):
    def density(rho):
        return (1 - rho * rho) ** ((d - 3) / 2)

    def weighted(rho):
        return float(theory.antipodal_probability(beta, d, rho)) * density(rho)

    expected = quad(weighted, -1, 1)[0] / quad(density, -1, 1)[0]
    assert estimates.uniform_start(beta, d) == pytest.approx(expected, abs=1e-5)


def test_uniform_start_on_the_circle_is_a_fair_coin():
    assert estimates.uniform_start(1.7, 2) == pytest.approx(0.5, abs=1e-12)
