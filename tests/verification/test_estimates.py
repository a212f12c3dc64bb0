"""Estimates of two runs: honest ones agree at the stated rate, wrong ones don't."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from deeplimits import stats
from deeplimits.verification import estimates
from deeplimits.verification.declaration import Compared

RATE = 0.01
TRIALS = 500
MEANS = Compared(count="n")
ROLES = {"row": "key", "n": "exact", "x": "measured", "x_se": "error", "free": "random"}
SHARES = Compared(count="n", intervals={"x": ("low", "high")})
SHARE_ROLES = {"row": "key", "x": "measured", "low": "error", "high": "error", "n": "exact"}


def means(generator: np.random.Generator, rows: int, n: int, scale: float = 1.0) -> pd.DataFrame:
    """Means of `n` runs with their standard errors."""
    runs = scale * generator.normal(1.0, 0.1, (n, rows))
    return pd.DataFrame(
        {
            **{"row": np.arange(rows), "n": n, "x": runs.mean(axis=0)},
            **{"x_se": runs.std(axis=0, ddof=1) / np.sqrt(n), "free": generator.normal(size=rows)},
        }
    )


def shares(generator: np.random.Generator, truth: np.ndarray, n: int) -> pd.DataFrame:
    """Shares of `n` runs with Wilson's intervals."""
    counts = generator.binomial(n, truth)
    low, high = stats.wilson(counts, n)
    rows = np.arange(truth.size)
    return pd.DataFrame({"row": rows, "x": counts / n, "low": low, "high": high, "n": n})


def numbers(
    ours: pd.DataFrame, theirs: pd.DataFrame, kind: tuple = (ROLES, MEANS), **options: bool
) -> pd.DataFrame:
    pairs, absent = estimates.paired(ours, theirs, ["row"])
    assert absent == []
    return estimates.compare(pairs, *kind, **options)


def differing(*arguments: object, **options: bool) -> list[str]:
    return list(estimates.differences(numbers(*arguments, **options), RATE)["column"])


def alarms(found: pd.DataFrame, trials: int) -> int:
    """In how many of the trials, each a family of equally many rows, anything differs."""
    trial = found["row"].astype(int) % trials
    families = (family for _, family in found.groupby(trial))
    return sum(len(estimates.differences(family, RATE)) > 0 for family in families)


@pytest.mark.parametrize("n", [3, 5, 32])
def test_honest_means_differ_at_most_at_the_stated_rate(n: int) -> None:
    generator = np.random.default_rng(n)
    rows = 40 * TRIALS
    found = numbers(means(generator, rows, n), means(generator, rows, n))
    assert alarms(found, TRIALS) <= binom.isf(1e-4, TRIALS, RATE)


def test_honest_shares_differ_at_most_at_the_stated_rate() -> None:
    generator = np.random.default_rng(1)
    truth = np.repeat([0.0, 0.002, 0.02, 0.3, 0.98, 1.0], 10 * TRIALS)
    runs = [shares(generator, truth, 600) for _ in range(2)]
    found = numbers(*runs, (SHARE_ROLES, SHARES))
    assert alarms(found, TRIALS) <= binom.isf(1e-4, TRIALS, RATE)


def test_a_change_by_one_percent_is_seen_where_errors_are_small_enough() -> None:
    generator = np.random.default_rng(2)
    released = means(generator, 40, 20_000)
    assert differing(means(generator, 40, 20_000, scale=1.01), released) == ["x"] * 40


def test_another_law_of_a_share_is_seen() -> None:
    generator = np.random.default_rng(3)
    released = shares(generator, np.full(10, 0.05), 2000)
    ours = shares(generator, np.full(10, 0.1), 2000)
    assert set(differing(ours, released, (SHARE_ROLES, SHARES))) == {"x"}


def test_what_has_to_be_the_same_is_compared_without_errors() -> None:
    generator = np.random.default_rng(4)
    released = means(generator, 5, 30)
    ours = released.assign(free=0.0)
    assert differing(ours, released) == []
    ours.loc[3, "n"] = 31
    found = estimates.differences(numbers(ours, released), RATE)
    assert found[["column", "row", "run", "released"]].to_numpy().tolist() == [["n", "3", 31, 30]]


def test_with_the_same_draws_every_column_has_to_agree() -> None:
    released = means(np.random.default_rng(5), 5, 30)
    ours = released.assign(free=released["free"] * (1 + 1e-4))
    assert differing(ours, released) == []
    assert differing(ours, released, same_draws=True) == ["free"] * 5


def test_shifted_rows_are_seen() -> None:
    generator = np.random.default_rng(6)
    released, ours = means(generator, 20, 100), means(generator, 20, 100)
    slope = np.linspace(0, 2, 20)
    released["x"] += slope
    ours["x"] += np.roll(slope, 1)
    assert set(differing(ours, released)) == {"x"}


def test_the_digits_of_a_release_are_no_difference() -> None:
    exact = pd.DataFrame({"row": [0], "n": 3, "x": [1 / 3], "x_se": [0.0], "free": [0.0]})
    assert differing(exact, exact.assign(x=float(f"{1 / 3:.9g}"))) == []
    assert differing(exact, exact.assign(x=0.334)) == ["x"]


def test_missing_values_are_not_compared_but_a_lost_column_is_told() -> None:
    released = means(np.random.default_rng(7), 4, 30)
    ours = released.copy()
    ours.loc[0, "x"] = np.nan
    found = numbers(ours, released)
    assert found["p"].isna().sum() == 1
    assert list(estimates.lost(found)) == []
    assert list(estimates.lost(numbers(ours.assign(x=np.nan), released))) == ["x"]


def test_released_rows_that_a_run_lacks_are_named() -> None:
    released = means(np.random.default_rng(8), 4, 30)
    pairs, absent = estimates.paired(released.drop(index=2), released, ["row"])
    assert (len(pairs), absent) == (3, ["2"])


def test_keys_agree_to_nine_digits() -> None:
    released = pd.DataFrame({"row": [0.1, 0.3], "n": 1})
    ours = released.assign(row=[0.1, 0.1 + 0.2])
    pairs, absent = estimates.paired(ours, released, ["row"])
    assert (len(pairs), absent) == (2, [])
