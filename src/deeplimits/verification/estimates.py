"""Estimates of two runs, compared in combined standard errors at a family-wise error rate.

Two runs with other seeds, or on other machines, draw other numbers. Where an estimate has a
standard error, the difference is divided by the combined one and referred to Student's law with
Welch's degrees of freedom. Where it has a 95% interval, the side that faces the other estimate
counts (Newcombe's combination of intervals), which respects shares near 0 and 1. All p-values of
all tables form one family, judged by Holm's procedure: whatever their dependence, the probability
that honest runs show any difference is at most the stated rate, as far as errors are what they say.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from scipy.stats import norm, t

from deeplimits import stats
from deeplimits.verification import release
from deeplimits.verification.declaration import Compared, Role

RELATIVE, ABSOLUTE = 1e-6, 1e-12
"""Tolerance of what follows from the configuration alone."""

ROUNDING = 1e-8
"""Relative difference that the 9 digits of a release may make."""

_HALF_WIDTH = norm.isf(0.025)  # of a 95% interval in standard errors


def paired(
    ours: pd.DataFrame, theirs: pd.DataFrame, key: Sequence[str]
) -> tuple[pd.DataFrame, list[str]]:
    """The rows of a run beside the released ones, and the keys of released rows that it lacks."""
    sides = [
        frame.set_axis(pd.Index([", ".join(row) for row in release.keys(frame, key)], name="row"))
        for frame in (theirs, ours)
    ]
    released, run = sides
    absent = [row for row in released.index if row not in run.index]
    both = released.index.drop(absent)
    pairs = pd.concat({"released": released.loc[both], "run": run.loc[both]}, axis=1)
    return pairs, absent


def compare(
    pairs: pd.DataFrame, roles: dict[str, Role], compared: Compared, *, same_draws: bool = False
) -> pd.DataFrame:
    """Compare one table of two runs, number by number.

    `pairs` has one row for each row that both have, columns named (side, column) with the sides
    "released" and "run", and the key as its index. With `same_draws`, both runs drew the same
    numbers on the same kind of machine, and every column must agree to the digits of a release.

    Returns
    -------
    pandas.DataFrame
        one row a number: `column`, `row` (its key), `run`, `released`, `z` (the difference in
        combined standard errors; missing where it has to vanish) and `p`, its p-value: 0 or 1 for
        what has to vanish, missing where one of the two has no value or no error.
    """
    parts = []
    for name, role in roles.items():
        if role == "exact" or (same_draws and role != "key"):
            z = np.full(len(pairs), np.nan)
            p = np.where(_agree(pairs["run", name], pairs["released", name]), 1.0, 0.0)
        elif role == "measured":
            z, p = _deviations(pairs, name, compared)
        else:
            continue
        numbers = {side: pairs[side, name].astype(object) for side in ("run", "released")}
        parts.append(pd.DataFrame({"column": name, **numbers, "z": z, "p": p}))
    if not parts:
        return pd.DataFrame(columns=["column", "row", "run", "released", "z", "p"])
    return pd.concat(parts).rename_axis("row").reset_index()


def differences(numbers: pd.DataFrame, rate: float) -> pd.DataFrame:
    """The numbers that differ, at the family-wise error rate."""
    known = numbers[numbers["p"].notna()]
    return known[stats.holm(known["p"].to_numpy(dtype=float)) <= rate]


def lost(numbers: pd.DataFrame) -> Iterable[str]:
    """The columns of one table in which the release has values and no row can be compared."""
    for name, part in numbers.groupby("column", sort=False):
        if part["released"].notna().any() and part["p"].isna().all():
            yield name


def _agree(ours: pd.Series, theirs: pd.Series) -> np.ndarray:
    if not pd.api.types.is_float_dtype(theirs):
        return (ours == theirs).to_numpy()
    a, b = ours.to_numpy(dtype=float), theirs.to_numpy(dtype=float)
    return np.isclose(a, b, rtol=RELATIVE, atol=ABSOLUTE, equal_nan=True)


def _deviations(
    pairs: pd.DataFrame, name: str, compared: Compared
) -> tuple[np.ndarray, np.ndarray]:
    """Difference run − released in combined standard errors, and its two-sided p-value.

    Estimates that agree to the digits of a release do not deviate, also where they have no spread.
    """
    run, released = (pairs[side, name].to_numpy(dtype=float) for side in ("run", "released"))
    difference = np.where(np.isclose(run, released, rtol=ROUNDING, atol=0), 0, run - released)
    ours = _error(pairs["run"], name, compared, difference > 0)
    theirs = _error(pairs["released"], name, compared, difference < 0)
    combined = np.hypot(ours, theirs)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(difference == 0, 0.0 * combined, difference / combined)
    return z, 2 * t.sf(np.abs(z), _freedom(pairs, compared, ours, theirs))


def _error(side: pd.DataFrame, name: str, compared: Compared, downwards: np.ndarray) -> np.ndarray:
    """Standard error of each estimate towards the other one."""
    if name not in compared.intervals:
        return side[f"{name}_se"].to_numpy(dtype=float)
    low, high = (side[end].to_numpy(dtype=float) for end in compared.intervals[name])
    value = side[name].to_numpy(dtype=float)
    return np.where(downwards, value - low, high - value) / _HALF_WIDTH


def _freedom(
    pairs: pd.DataFrame, compared: Compared, ours: np.ndarray, theirs: np.ndarray
) -> np.ndarray:
    """Welch's degrees of freedom; infinite where no number of runs is declared or no spread is."""
    if compared.count is None:
        return np.full(len(pairs), np.inf)
    shares = sum(
        error**4 / np.maximum(pairs[side, compared.count].to_numpy(dtype=float) - 1, 1)
        for side, error in (("run", ours), ("released", theirs))
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        freedom = (ours**2 + theirs**2) ** 2 / shares
    return np.where(np.isnan(freedom), np.inf, freedom)
