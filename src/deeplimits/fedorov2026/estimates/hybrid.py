"""Shares of the three outcomes of the hybrid model at every recorded depth, with intervals."""

import pandas as pd

from deeplimits import stats
from deeplimits.schema import Column

KEY = ("beta", "ratio", "outcome", "clock")
COLUMNS = (
    Column("beta", "float64", "1", "β"),
    Column("ratio", "float64", "1", "ε²/(2e^{−β})"),
    Column("outcome", "string", "1", "antipodal, consensus or undecided"),
    Column("clock", "float64", "1", "e^{−β}t"),
    Column("t", "float64", "1", "depth"),
    Column("dt", "float64", "1", "Δt"),
    Column("near", "float64", "1", "1 ∓ ρ below which tokens count as at ±1"),
    Column("replicas", "int64", "1", "number of pairs"),
    Column("share", "float64", "1", "share of pairs with this outcome"),
    Column("low", "float64", "1", "lower end of its 95% Wilson interval"),
    Column("high", "float64", "1", "upper end"),
)
OUTCOMES = ("antipodal", "consensus", "undecided")


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a model, outcome and recorded depth."""
    undecided = table["replicas"] - table["antipodal"] - table["consensus"]
    table = table.assign(undecided=undecided, dt=table["t"] / table["layer"])
    parts = []
    for outcome in OUTCOMES:
        interval = stats.wilson(table[outcome], table["replicas"])
        share = table[outcome] / table["replicas"]
        parts.append(
            table.assign(outcome=outcome, share=share, low=interval.low, high=interval.high)
        )
    return pd.concat(parts, ignore_index=True)[[column.name for column in COLUMNS]]
