"""Slopes of log(1 + ρ) at each ε and extrapolated to ε = 0, and where they change sign with β."""

import numpy as np
import pandas as pd

from deeplimits import stats
from deeplimits.fedorov2026 import discrete, theory
from deeplimits.schema import Column

KEY = ("d", "offset", "epsilon")
COLUMNS = (
    Column("d", "int64", "1", "dimension of the tokens"),
    Column("offset", "float64", "1", "β − β*(d)"),
    Column("epsilon", "float64", "1", "ε = (d−1)Δt; 0: extrapolated from the others"),
    Column("beta", "float64", "1", "β"),
    Column("dt", "float64", "1", "Δt"),
    Column("t", "float64", "1", "depth T of the runs"),
    Column("replicas", "int64", "1", "number of pairs at each ε"),
    Column("slope", "float64", "1", "mean of [log(1+ρ_T) − log(1+ρ_0)]/T"),
    Column("slope_se", "float64", "1", "its standard error"),
    Column("half", "float64", "1", "the same from 0 to T/2"),
    Column("half_se", "float64", "1", "its standard error"),
    Column("drift", "float64", "1", "slope from T/2 to T minus that from 0 to T/2"),
    Column("drift_se", "float64", "1", "its standard error"),
    Column("exact", "float64", "1", "what `slope` estimates: the exponent of the discrete chain"),
    Column("limit", "float64", "1", "(d−1)sech²β − 2, the limit Δt → 0"),
    Column(
        "crossing",
        "float64",
        "1",
        "offset at which the slopes of this d and ε change sign",
        nullable=True,
    ),
    Column("crossing_se", "float64", "1", "its standard error", nullable=True),
    Column(
        "exact_crossing",
        "float64",
        "1",
        "what `crossing` estimates: the same of `exact`; 0 but for the fits where ε = 0",
        nullable=True,
    ),
)
MEASURED = ("slope", "half", "drift")

DEGREE = 2
"""Degree in ε of the polynomial that extrapolates; less if there are too few steps."""
CURVE = 3
"""Degree in β of the polynomial through the slopes whose zero is the crossing."""


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a cell, and one with ε = 0 for each d and β simulated at two ε or more."""
    steps = pd.DataFrame(
        [
            _step(dict(zip(KEY, key, strict=True)), runs)
            for key, runs in table.groupby(list(KEY), sort=True)
        ]
    )
    models = steps.groupby(["d", "offset"], sort=True)
    limits = pd.DataFrame([_limit(model) for _, model in models if len(model) > 1])
    result = pd.concat([steps, limits], ignore_index=True).astype({"d": int, "replicas": int})
    curves = result.groupby(["d", "epsilon"], sort=True)
    result = pd.concat([curve.assign(**_crossings(curve)) for _, curve in curves])
    return result[[column.name for column in COLUMNS]]


def _step(cell: dict, runs: pd.DataFrame) -> dict:
    """Slopes of one cell."""
    shift = runs.pivot(index="replica", columns="t", values="log_ratio")
    middle, end = shift.columns
    first = shift[middle] / middle
    second = (shift[end] - shift[middle]) / (end - middle)
    samples = {"slope": shift[end] / end, "half": first, "drift": second - first}
    d, dt = cell["d"], end / runs["layer"].max()
    beta = theory.critical_beta(d) + cell["offset"]
    return {
        **cell,
        "beta": beta,
        "dt": dt,
        "t": end,
        "replicas": len(shift),
        **{name: values.mean() for name, values in samples.items()},
        **{f"{name}_se": values.sem() for name, values in samples.items()},
        "exact": discrete.exponent_antipodal(beta, d, dt),
        "limit": theory.exponent_antipodal(beta, d),
    }


def _limit(steps: pd.DataFrame) -> dict:
    """The row at ε = 0 of one model; `exact` is extrapolated alike, to show what that leaves."""
    row = {**steps.iloc[0], "epsilon": 0.0, "dt": 0.0, "t": steps["t"].max()}
    for name in MEASURED:
        weights = stats.weights_at_zero(steps["epsilon"], steps[f"{name}_se"], DEGREE)
        row[name] = weights @ steps[name]
        row[f"{name}_se"] = np.sqrt(weights**2 @ steps[f"{name}_se"] ** 2)
        if name == "slope":
            row["exact"] = weights @ steps["exact"]
    return row


def _crossings(curve: pd.DataFrame) -> dict[str, float]:
    """The zeros of the measured and of the exact slopes of one d and ε."""
    x, error = curve["offset"], curve["slope_se"]
    zero, zero_se = crossing(x, curve["slope"], error)
    exact, _ = crossing(x, curve["exact"], error)
    return {"crossing": zero, "crossing_se": zero_se, "exact_crossing": exact}


def crossing(x: pd.Series, y: pd.Series, error: pd.Series) -> tuple[float, float]:
    """Zero of the polynomial of degree `CURVE` through independent points, and its standard error.

    NaN where there are too few points for the polynomial, or it has not exactly one zero in their
    range. The error is that of the polynomial at the zero over its slope there (first order).
    """
    x, y, error = (np.asarray(v, dtype=float) for v in (x, y, error))
    if x.size <= CURVE:
        return np.nan, np.nan
    powers = np.vander(x, CURVE + 1)
    solve = np.linalg.pinv(powers / error[:, None]) / error
    curve = np.poly1d(solve @ y)
    zeros = curve.roots[np.isreal(curve.roots)].real
    zeros = zeros[(zeros >= x.min()) & (zeros <= x.max())]
    if zeros.size != 1:
        return np.nan, np.nan
    noise = np.vander(zeros, CURVE + 1) @ solve * error
    return float(zeros[0]), float(np.linalg.norm(noise) / abs(curve.deriv()(zeros[0])))
