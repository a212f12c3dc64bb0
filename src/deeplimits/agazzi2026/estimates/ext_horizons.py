"""Typical distance to synchrony over depth: means over runs of log gaps, with standard errors."""

import numpy as np
import pandas as pd

from deeplimits.agazzi2026 import theory
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.schema import Column

AXES = ["activation", "d", "sigma_u", "sigma_w", "a", "tokens", "layers_per_unit"]
KEY = (*AXES, "t")
COLUMNS = (
    Column("activation", "string", "1", "φ"),
    Column("d", "int64", "1", "dimension of the tokens"),
    Column("sigma_u", "float64", "1", "σ_U, standard deviation of the bias b_U"),
    Column("sigma_w", "float64", "1", "σ_W, standard deviation of the bias b_W"),
    Column("a", "float64", "1", "attention scale"),
    Column("tokens", "int64", "1", "N"),
    Column("layers_per_unit", "int64", "1", "1/Δt"),
    Column("t", "float64", "1", "depth"),
    Column("replicas", "int64", "1", "number of runs"),
    Column("log_gap", "float64", "1", "mean over runs of log of the mean of 1 − cosine"),
    Column("log_gap_se", "float64", "1", "its standard error"),
    Column("log_axial_gap", "float64", "1", "mean over runs of log of the mean of 1 − |cosine|"),
    Column("log_axial_gap_se", "float64", "1", "its standard error"),
    Column("drift", "float64", "1", "mean over runs of log gap(t) − log gap(t/2)"),
    Column("drift_se", "float64", "1", "its standard error"),
    Column("axial_drift", "float64", "1", "the same for 1 − |cosine|"),
    Column("axial_drift_se", "float64", "1", "its standard error"),
    Column("lambda1", "float64", "1", "λ₁ of the noise alone"),
    Column("discrete_exponent", "float64", "1", "top exponent of noise and attention at this Δt"),
)

# Coordinates are rounded at 1e-16, so squared distances below this are rounding.
RESOLVED = 1e-28


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and even depth; the drift is the trend from half the depth to the depth."""
    logs = table.assign(
        log_gap=np.log(table["gap"].clip(lower=RESOLVED)),
        log_axial_gap=np.log(table["axial_gap"].clip(lower=RESOLVED)),
        t=table["layer"] // table["layers_per_unit"],
    )[[*KEY, "replica", "log_gap", "log_axial_gap"]]
    half = logs.assign(t=2 * logs["t"])
    joined = logs.merge(half, on=[*KEY, "replica"], suffixes=("", "_half"))
    joined["drift"] = joined["log_gap"] - joined["log_gap_half"]
    joined["axial_drift"] = joined["log_axial_gap"] - joined["log_axial_gap_half"]
    groups = joined.groupby(list(KEY), sort=True)
    names = ["log_gap", "log_axial_gap", "drift", "axial_drift"]
    replicas = groups.size()
    errors = groups[names].std(ddof=1).div(np.sqrt(replicas), axis=0).add_suffix("_se")
    result = pd.concat([groups[names].mean(), errors], axis=1).assign(replicas=replicas)
    result = result.reset_index().merge(_exponents(table), on=AXES)
    return result.astype({"t": float})[[column.name for column in COLUMNS]]


def _exponents(table: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for cell in table[AXES].drop_duplicates().itertuples(index=False):
        kernel = Kernel(cell.activation, cell.d, cell.sigma_u, cell.sigma_w)
        exponent = theory.discrete_exponent(kernel, 1.0 / cell.layers_per_unit, cell.a)
        rows.append(
            {**cell._asdict(), "lambda1": theory.lambda1(kernel), "discrete_exponent": exponent}
        )
    return pd.DataFrame(rows)
