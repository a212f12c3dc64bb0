"""−ln L of the schedule told a wrong margin, beside its law, and how stable its steps were.

With u = `theory.decay` of the margin told and y = `theory.decay_told`, the law has
η_t L = e^{u−y}/(1 + ½u²).
"""

import numpy as np
import pandas as pd

from deeplimits.kale2026 import stability, theory
from deeplimits.schema import Column

KEY = ("factor", "data", "gamma", "t")
COLUMNS = (
    Column("factor", "float64", "1", "γ̂/γ, the margin told over the true one"),
    Column("data", "string", "1", "kind of the data sets"),
    Column("gamma", "float64", "1", "γ"),
    Column("t", "int64", "1", "iteration"),
    Column("sets", "int64", "1", "number of data sets"),
    Column("decay", "float64", "1", "mean of −ln L(w_t) over sets"),
    Column("decay_low", "float64", "1", "least of all sets"),
    Column("decay_high", "float64", "1", "largest of all sets"),
    Column("law", "float64", "1", "y of e^y − 1 = (e^u − 1)γ²/γ̂², u + u³/6 = γ̂²t: its prediction"),
    *stability.COLUMNS,
    Column("law_step_loss", "float64", "1", "η_t L(w_t) on the law, e^{u−y}/(1 + ½u²)"),
)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a factor, kind of data, margin and recorded iteration."""
    key = list(KEY)
    decay = -table["log_loss"]
    groups = table.assign(decay=decay).groupby(key, sort=True)["decay"]
    summary = groups.agg(sets="size", decay="mean", decay_low="min", decay_high="max")
    joined = summary.join(stability.worst(table, key)).reset_index()
    told = joined["factor"] * joined["gamma"]
    u = theory.decay(told, joined["t"])
    law = theory.decay_told(joined["gamma"], told, joined["t"])
    step_loss = np.exp(u - law) / (1 + 0.5 * u**2)
    joined = joined.assign(law=law, law_step_loss=step_loss)
    return joined[[column.name for column in COLUMNS]]
