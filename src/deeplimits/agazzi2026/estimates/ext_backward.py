"""Local rates of decay of E[1 − u_t] at T/4, T/2 and T, beside what they should tend to."""

import math

import numpy as np
import pandas as pd

from deeplimits.agazzi2026 import backward, theory, two_tokens
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.schema import Column

KEY = tuple(two_tokens.AXES)
COLUMNS = (
    *two_tokens.COLUMNS,
    Column("t", "float64", "1", "last depth T"),
    Column("gap", "float64", "1", "E[1 − u_T]"),
    Column("rate_quarter", "float64", "1", "−(d/dt) log E[1 − u_t] at T/4"),
    Column("rate_half", "float64", "1", "the same at T/2"),
    Column("rate", "float64", "1", "the same at T"),
    Column("lambda1", "float64", "1", "λ₁"),
    Column("lambda_bar", "float64", "1", "λ̄"),
    Column("minimiser", "float64", "1", "p of min Λ(p) over 0 ≤ p ≤ 1"),
    Column("edge", "float64", "1", "−min Λ, the rate without the slow region near u = −1"),
    Column("bulk", "float64", "1", "ν, its eigenvalue; missing: none below edge", nullable=True),
    Column("decay", "float64", "1", "the lesser of edge and bulk: the rate as t → ∞"),
)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a model."""
    models = table.groupby(two_tokens.AXES, sort=True)
    rows = [_row(dict(zip(two_tokens.AXES, key, strict=True)), curve) for key, curve in models]
    return pd.DataFrame(rows)[[column.name for column in COLUMNS]]


def _row(cell: dict, curve: pd.DataFrame) -> dict:
    kernel = Kernel(**cell)
    t, rate = curve["t"].to_numpy(), curve["rate"].to_numpy()
    last = int(np.argmax(t))
    least = theory.least_moment_exponent(kernel)
    bulk = backward.bulk_eigenvalue(kernel)
    return {
        **cell,
        "t": t[last],
        "gap": curve["gap"].to_numpy()[last],
        "rate_quarter": rate[np.argmin(np.abs(t - t[last] / 4))],
        "rate_half": rate[np.argmin(np.abs(t - t[last] / 2))],
        "rate": rate[last],
        "lambda1": theory.lambda1(kernel),
        "lambda_bar": theory.lambda_bar(kernel),
        "minimiser": least.argument,
        "edge": -least.value,
        "bulk": math.nan if bulk is None else bulk,
        "decay": backward.decay_rate(kernel),
    }
