"""Estimates of `ext_lifetimes` from counts whose rate is known."""

import numpy as np
import pandas as pd
import pytest

from deeplimits import stats
from deeplimits.fedorov2026 import two_clusters
from deeplimits.fedorov2026.estimates import ext_lifetimes as estimates

LOOKS = 40


def counts(
    *, n=3, k=1, beta=1.0, d=3, step=1.0, tau=20.0, late=20.0, replicas=100_000
) -> pd.DataFrame:
    """Runs that end at rate 1/tau up to the middle and 1/late after it."""
    t = step * np.arange(LOOKS + 1)
    decay = np.cumsum(np.where(np.arange(LOOKS) < LOOKS // 2, step / tau, step / late))
    running = np.round(replicas * np.exp(-np.append(0.0, decay))).astype(int)
    axes = {"n": n, "k": k, "beta": beta, "d": d, "dt": 0.01, "horizon": 6.0}
    return pd.DataFrame({"look": np.arange(LOOKS + 1), "t": t}).assign(
        **axes,
        replicas=replicas,
        running=running,
        intact=running // 2,
        merged=replicas - running,
        divided=0,
        antipodal=running // 2 + 10,
    )


def estimated(**options) -> pd.DataFrame:
    return estimates.estimate(counts(**options)).set_index("look")


def test_columns():
    table = estimates.estimate(counts())
    assert list(table) == [column.name for column in estimates.COLUMNS]
    nullable = {column.name for column in estimates.COLUMNS if column.nullable}
    assert set(table.columns[table.isna().any()]) <= nullable


def test_constant_rate_is_found_from_the_burn_in_on():
    table = estimated()
    assert estimates.burn_in(1.0) == 10
    assert table.loc[:10, "rate"].isna().all()
    np.testing.assert_allclose(table.loc[11:, "lifetime"], 20, rtol=0.01)
    last = table.iloc[-1]
    ends = counts()["running"].iloc[[10, -1]]
    assert last["ends"] == ends.iloc[0] - ends.iloc[1]
    assert last["log_rate_se"] == pytest.approx(last["ends"] ** -0.5)
    assert abs(last["drift"]) < 0.01
    # Least where both halves of the exposure have half of the ends; 2.12 with a third of it first.
    assert last["drift_se"] == pytest.approx(2 / np.sqrt(last["ends"]), rel=0.02)


def test_interval_is_wilsons_of_ends_over_runs_at_risk():
    last = estimated(step=3.0, tau=50.0).iloc[-1]
    running = counts(step=3.0, tau=50.0)["running"].to_numpy()
    first = 4  # t = 12 is the first look past 10
    ends, trials = running[first] - running[-1], running[first:-1].sum()
    shares = np.array([ends / trials, *stats.wilson(ends, trials)])
    found = last[["rate", "rate_low", "rate_high"]].to_numpy(dtype=float)
    np.testing.assert_allclose(found, -np.log(1 - shares) / 3)
    inverse = last[["lifetime", "lifetime_high", "lifetime_low"]].to_numpy(dtype=float)
    np.testing.assert_allclose(inverse, 1 / found)


def test_interval_holds_the_rate_as_often_as_it_says():
    """400 samples of 300 censored exponential runs: 95% ± 4 errors."""
    generator = np.random.default_rng(5)
    t = np.arange(LOOKS + 1.0)
    held = 0
    for _ in range(400):
        running = (generator.exponential(60.0, (300, 1)) > t).sum(axis=0)
        rates = estimates._rates(t, running, 7)
        held += rates["rate_low"][-1] <= 1 / 60 <= rates["rate_high"][-1]
    assert abs(held / 400 - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 400)


def test_a_rate_that_changes_shows():
    last = estimated(late=40.0).iloc[-1]
    assert last["drift"] < -20 * last["drift_se"]


def test_without_ends_there_is_a_bound_only():
    last = estimated(n=4, k=2, tau=1e12, late=1e12, replicas=1000).iloc[-1]
    assert (last["ends"], last["rate"], last["rate_low"]) == (0, 0, 0)
    assert last[["lifetime", "lifetime_high", "log_rate_se", "drift"]].isna().all()
    assert last["lifetime_low"] == pytest.approx(1 / last["rate_high"])


def test_nobody_at_risk_leaves_no_rate():
    last = estimated(tau=0.1, late=0.1).iloc[-1]
    assert last[["rate", "lifetime", "lifetime_low"]].isna().all()


def test_predictions():
    uneven, even = estimated().iloc[-1], estimated(n=4, k=2).iloc[-1]
    assert uneven["predicted"] == two_clusters.lifetime(1, 3, 1.0, 3).tail
    assert uneven["asymptote"] == two_clusters.asymptotic_lifetime(1, 3, 1.0, 3)
    assert (uneven["unevenness"], even["unevenness"]) == (1.5, 0)
    assert np.isnan(even["predicted"])
    persists = {
        (n, k, d): bool(estimated(n=n, k=k, d=d)["persists"].iloc[-1])
        for n, k, d in ((3, 1, 3), (4, 2, 3), (4, 2, 5), (4, 2, 6), (6, 3, 4), (6, 2, 3))
    }
    # cosh 2 = 3.76.
    assert [key for key, value in persists.items() if value] == [(4, 2, 3), (4, 2, 5), (6, 3, 4)]
    # 1 against 3 tokens hold each other apart where e^{2β} > 3, and last where τ > 8 + 2β.
    repels = {beta: estimated(n=4, beta=beta).iloc[-1] for beta in (0.5, 0.6, 3.0)}
    assert [bool(row["repels"]) for row in repels.values()] == [False, True, True]
    assert [bool(row["lasting"]) for row in repels.values()] == [False, False, True]


def test_expected_survival_starts_at_the_burn_in():
    table = estimated()
    predicted, share = table["predicted"].iloc[0], table.loc[10, "antipodal"]
    assert table.loc[:9, "expected"].isna().all()
    assert table.loc[10, "expected"] == share
    assert table.loc[20, "expected"] == pytest.approx(share * np.exp(-10 / predicted))
    even = estimated(n=4, k=2)
    assert (even.loc[10:, "expected"] == even.loc[10, "antipodal"]).all()
    assert estimated(n=4, k=2, d=6)["expected"].isna().all()
