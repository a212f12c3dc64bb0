"""Means over seeds, and differences paired by seed: to λ = 0, or to the values not suppressed.

Networks of one seed share images, start and batches at all levels, so that a difference is taken
within each seed; its error is that of the mean of these differences. All intervals are Student's,
over seeds, with one split of test images: they say nothing about other test images.

Suppression removes the layers' learned differences with their noise, so what it costs a network is
also compared with what it costs the network of the same seed that started without noise.
"""

import numpy as np
import pandas as pd

from deeplimits import stats
from deeplimits.schema import Column

CELL = ("values", "a", "horizon", "noise")
KEY = (*CELL, "mu", "measure", "layer")
COLUMNS = (
    Column("values", "string", "1", "frozen (arm A) or trained (arm B; arm C where μ < 1)"),
    Column("a", "float64", "1", "a, scale of the deterministic part of V at the start"),
    Column("horizon", "float64", "1", "T"),
    Column("noise", "float64", "1", "λ, scale of the noise of V at the start"),
    Column("mu", "float64", "1", "μ by which V_ℓ − V̄ was multiplied after training"),
    Column("measure", "string", "1", "train, validation, test (accuracies), cosine, start_cosine"),
    Column("layer", "int64", "1", "number of layers passed; L for accuracies"),
    Column("seeds", "int64", "1", "number of networks"),
    Column("rate", "float64", "1", "peak learning rate that validation chose"),
    Column("value", "float64", "1", "mean over networks"),
    Column("low", "float64", "1", "lower end of its 95% interval"),
    Column("high", "float64", "1", "upper end"),
    Column("reference", "string", "1", '"noise = 0", "mu = 1", or "none" for a reference itself'),
    Column("difference", "float64", "1", "mean of value minus the reference's", nullable=True),
    Column("difference_se", "float64", "1", "its standard error", nullable=True),
    Column("difference_low", "float64", "1", "lower end of its 95% interval", nullable=True),
    Column("difference_high", "float64", "1", "upper end", nullable=True),
    Column(
        "excess",
        "float64",
        "1",
        "mean of the difference to μ = 1, minus the same at λ = 0",
        nullable=True,
    ),
    Column("excess_se", "float64", "1", "its standard error", nullable=True),
)
SERIES = ["mu", "measure", "layer"]


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a cell, suppression, measure and depth."""
    tested = under_every_horizon(table[table["role"] == "test"])
    paired = tested.merge(_references(tested), how="left", on=[*KEY, "seed"])
    paired["change"] = paired["value"] - paired["reference_value"]
    paired = paired.merge(_controls(paired), how="left", on=[*KEY, "seed"])
    rows = [
        {**dict(zip(KEY, key, strict=True)), **_row(key, part)}
        for key, part in paired.groupby(list(KEY), sort=True)
    ]
    return pd.DataFrame(rows)[[column.name for column in COLUMNS]]


def under_every_horizon(tested: pd.DataFrame) -> pd.DataFrame:
    """The table with a = λ = 0 repeated for each horizon.

    V = 0 then at the start whatever the horizon, so this network is run once, at any of them.
    """
    silent = (tested["a"] == 0) & (tested["noise"] == 0)
    copies = [
        tested[silent].assign(horizon=horizon)
        for horizon in sorted(tested.loc[~silent, "horizon"].unique())
    ]
    return pd.concat([tested[~silent], *(copies or [tested[silent]])], ignore_index=True)


def _references(tested: pd.DataFrame) -> pd.DataFrame:
    """For each row the value to compare with, where there is one, by `KEY` and seed."""
    plain = tested[tested["mu"] == 1]
    silent = plain.loc[plain["noise"] == 0].drop(columns=["noise", "rate", "role"])
    noisy = plain.loc[plain["noise"] != 0, [*KEY, "seed"]]
    suppressed = tested.loc[tested["mu"] != 1, [*KEY, "seed"]]
    shared = ["values", "a", "horizon", "measure", "layer", "seed"]
    parts = [
        noisy.merge(silent.drop(columns="mu"), on=shared),
        suppressed.merge(plain.drop(columns=["mu", "rate", "role"]), on=[*shared, "noise"]),
    ]
    return pd.concat(parts, ignore_index=True).rename(columns={"value": "reference_value"})


def _controls(paired: pd.DataFrame) -> pd.DataFrame:
    """The change by suppression at λ = 0, for each suppressed row with noise, by `KEY` and seed."""
    suppressed = paired[paired["mu"] != 1]
    shared = [*(name for name in KEY if name != "noise"), "seed"]
    silent = suppressed.loc[suppressed["noise"] == 0, [*shared, "change"]]
    noisy = suppressed.loc[suppressed["noise"] != 0, [*KEY, "seed"]]
    return noisy.merge(silent, on=shared).rename(columns={"change": "control"})


def _row(key: tuple, part: pd.DataFrame) -> dict:
    place = dict(zip(KEY, key, strict=True))
    mean, interval = _with_interval(part["value"])
    difference, excess = part["change"], part["change"] - part["control"]
    row = {
        "seeds": len(part),
        "rate": part["rate"].iloc[0],
        "value": float(mean.value),
        "low": float(interval.low),
        "high": float(interval.high),
        "reference": "none",
    }
    absent = ("difference", "difference_se", "difference_low", "difference_high")
    row |= dict.fromkeys((*absent, "excess", "excess_se"), np.nan)
    if difference.isna().any():
        return row
    if excess.notna().all():
        beyond = stats.mean(excess)
        row |= {"excess": float(beyond.value), "excess_se": float(beyond.error)}
    mean, interval = _with_interval(difference)
    return {
        **row,
        "reference": "noise = 0" if place["mu"] == 1 else "mu = 1",
        "difference": float(mean.value),
        "difference_se": float(mean.error),
        "difference_low": float(interval.low),
        "difference_high": float(interval.high),
    }


def _with_interval(values: pd.Series) -> tuple[stats.Estimate, stats.Interval]:
    mean = stats.mean(values)
    half = stats.critical_value(degrees=len(values) - 1) * mean.error
    return mean, stats.Interval(mean.value - half, mean.value + half)
