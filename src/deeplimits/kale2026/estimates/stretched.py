"""−ln L over the law's y, and its local exponent, over the sets of one size, kind and margin.

The local exponent d ln(−ln L)/d ln t is taken as d(−ln L)/d ln t over −ln L, by differences of
second order between records, at both ends too.
"""

import numpy as np
import pandas as pd

from deeplimits import stats
from deeplimits.kale2026 import stability, theory
from deeplimits.schema import Column

KEY = ("n", "data", "gamma", "t")
COLUMNS = (
    Column("n", "int64", "1", "points of a set"),
    Column("data", "string", "1", "kind of the data sets: random, or one minority point in n"),
    Column("gamma", "float64", "1", "γ"),
    Column("t", "int64", "1", "iteration"),
    Column("clock", "float64", "1", "γ²t"),
    Column("sets", "int64", "1", "number of data sets"),
    Column("decay", "float64", "1", "mean of −ln L(w_t) over sets"),
    Column("law", "float64", "1", "y of y + y³/6 = γ²t, its prediction"),
    Column("ratio", "float64", "1", "mean over sets of −ln L/y"),
    Column("ratio_se", "float64", "1", "its standard error; none for one set", nullable=True),
    Column("ratio_low", "float64", "1", "least of all sets"),
    Column("ratio_high", "float64", "1", "largest of all sets"),
    Column("exponent", "float64", "1", "mean over sets of d ln(−ln L)/d ln t"),
    Column("exponent_se", "float64", "1", "its standard error; none for one set", nullable=True),
    Column("exponent_low", "float64", "1", "least of all sets"),
    Column("exponent_high", "float64", "1", "largest of all sets"),
    Column("exponent_law", "float64", "1", "(1 + y²/6)/(1 + y²/2), its prediction"),
    *stability.COLUMNS,
)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a size, kind of data, margin and recorded iteration."""
    groups = table.groupby(["n", "data", "gamma"], sort=True)
    curves = pd.concat(
        [
            _curve(runs, float(key[-1])).assign(**dict(zip(KEY, key, strict=False)))
            for key, runs in groups
        ],
        ignore_index=True,
    )
    joined = curves.join(stability.worst(table, list(KEY)), on=list(KEY))
    return joined[[column.name for column in COLUMNS]]


def _curve(runs: pd.DataFrame, gamma: float) -> pd.DataFrame:
    """All columns but those of stability, of the sets of one size, kind and margin."""
    log_loss = runs.pivot(index="replica", columns="t", values="log_loss")
    t = log_loss.columns.to_numpy()
    decay = -log_loss.to_numpy()
    law = theory.decay(gamma, t)
    slope = np.gradient(decay, np.log(t), axis=1, edge_order=2)
    return pd.DataFrame(
        {
            "t": t,
            "clock": gamma**2 * t,
            "sets": len(decay),
            "decay": decay.mean(axis=0),
            "law": law,
            **_spread("ratio", decay / law),
            **_spread("exponent", slope / decay),
            "exponent_law": theory.decay_exponent(law),
        }
    )


def _spread(name: str, values: np.ndarray) -> dict[str, np.ndarray]:
    """Mean, its standard error, least and largest over sets (the rows)."""
    alone = len(values) == 1
    error = np.full(values.shape[1], np.nan) if alone else stats.mean(values).error
    return {
        name: values.mean(axis=0),
        f"{name}_se": error,
        f"{name}_low": values.min(axis=0),
        f"{name}_high": values.max(axis=0),
    }
