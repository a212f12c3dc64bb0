"""Steps to accuracy: medians and ranges over data sets, and how far ahead of the reconstruction."""

import numpy as np
import pandas as pd

from deeplimits.kale2026 import sets
from deeplimits.schema import Column

KEY = ("rule", "data", "gamma", "target")
COLUMNS = (
    Column("rule", "string", "1", "step-size rule"),
    Column("data", "string", "1", "kind of the data sets: random, unbalanced (1 in n) or toy"),
    Column("gamma", "float64", "1", "γ, their margin"),
    Column("target", "float64", "1", "value of ln L to be reached"),
    Column("last", "int64", "1", "iterations of the runs"),
    Column("sets", "int64", "1", "number of data sets"),
    Column("reached", "int64", "1", "sets on which the target was reached"),
    *(
        Column(f"{cost}{ending}", "float64", "1", f"{of} over the sets, {meaning}", nullable=True)
        for cost, meaning in (
            ("iterations", "first t with ln L(w_t) ≤ target; none if not reached"),
            ("work", "gradients and trial losses computed by then; none if not reached"),
        )
        for ending, of in (("", "median"), ("_low", "least"), ("_high", "largest"))
    ),
    Column(
        "speedup",
        "float64",
        "1",
        "least over the sets of iterations of ours/its own",
        nullable=True,
    ),
    Column("work_speedup", "float64", "1", "the same of work", nullable=True),
)
OURS = "reconstructed"


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a rule, kind of set, margin and target.

    A run that has not reached its target counts as infinitely long, so that a median or an extreme
    is missing where it falls on such a run. The speedup is missing unless ours and the rule reach
    the target on every set.
    """
    run = [*sets.KEY, "target"]
    ours = table.loc[table["rule"] == OURS, [*run, "iterations", "work"]]
    table = table.merge(ours, on=run, how="left", suffixes=("", "_ours"))
    table["speedup"] = table["iterations_ours"] / table["iterations"]
    table["work_speedup"] = table["work_ours"] / table["work"]
    groups = table.groupby(list(KEY), sort=True)
    rows = [{**dict(zip(KEY, key, strict=True)), **_row(runs)} for key, runs in groups]
    return pd.DataFrame(rows)[[column.name for column in COLUMNS]]


def _row(runs: pd.DataFrame) -> dict:
    row = {
        "last": runs["last"].iloc[0],
        "sets": len(runs),
        "reached": runs["iterations"].count(),
        "speedup": runs["speedup"].min(skipna=False),
        "work_speedup": runs["work_speedup"].min(skipna=False),
    }
    for cost in ("iterations", "work"):
        values = runs[cost].fillna(np.inf)
        spread = values.median(), values.min(), values.max()
        for ending, value in zip(("", "_low", "_high"), spread, strict=True):
            row[f"{cost}{ending}"] = value if np.isfinite(value) else np.nan
    return row
