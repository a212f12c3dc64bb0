"""Survival of antipodal formations, the rate at which they end, and the lifetime by theory.

Rates count runs that settle elsewhere, from one look to the next, after a burn-in in which the
start is forgotten. With N runs at risk and D ends over all intervals of length h, the maximum
likelihood estimate of a constant rate is −ln(1 − D/N)/h; its interval is Wilson's for D/N. Runs
that are left at the last look are censored there. Whether the rate is constant is told by its log
ratio between the two halves of the exposure.
"""

import math

import numpy as np
import pandas as pd

from deeplimits import stats
from deeplimits.fedorov2026 import theory, two_clusters
from deeplimits.schema import Column

AXES = ("n", "k", "beta", "d", "dt", "horizon")
KEY = (*AXES, "look")
COLUMNS = (
    Column("n", "int64", "1", "number of tokens"),
    Column("k", "int64", "1", "tokens in the smaller cluster at the start"),
    Column("beta", "float64", "1", "β"),
    Column("d", "int64", "1", "dimension of the tokens"),
    Column("dt", "float64", "1", "Δt"),
    Column("horizon", "float64", "1", "T/e^{2β}"),
    Column("look", "int64", "1", "index of the look; 0 is the start"),
    Column("t", "float64", "1", "depth"),
    Column("replicas", "int64", "1", "number of runs"),
    Column("running", "int64", "1", "runs that have not settled in another formation by now"),
    Column("merged", "int64", "1", "runs that have settled in one cluster"),
    Column("divided", "int64", "1", "runs that have settled in another antipodal formation"),
    Column("intact", "float64", "1", "share antipodal with k against n − k tokens"),
    Column("antipodal", "float64", "1", "share antipodal in any division"),
    Column("antipodal_low", "float64", "1", "lower end of its 95% Wilson interval"),
    Column("antipodal_high", "float64", "1", "upper end"),
    Column(
        "expected",
        "float64",
        "1",
        "its value after the burn-in, decaying as predicted from there",
        nullable=True,
    ),
    Column("persists", "bool", "1", "whether theory lets it stay: k = n/2 and d − 2 < cosh 2β"),
    Column("repels", "bool", "1", "whether μ₋ > 0, so that the smaller cluster has its own mean"),
    Column("unevenness", "float64", "1", "u = (n−k)/k − k/(n−k)"),
    Column("predicted", "float64", "1", "lifetime of two clusters by theory", nullable=True),
    Column("asymptote", "float64", "1", "its leading order as β → ∞", nullable=True),
    Column("lasting", "bool", "1", "whether μ₋ > 0 and `predicted` exceeds the burn-in"),
    Column("ends", "int64", "1", "runs that settled elsewhere from the burn-in to now"),
    Column("rate", "float64", "1", "rate at which they did so", nullable=True),
    Column("rate_low", "float64", "1", "lower end of its 95% interval", nullable=True),
    Column("rate_high", "float64", "1", "upper end", nullable=True),
    Column("lifetime", "float64", "1", "1/rate, with one end or more", nullable=True),
    Column("lifetime_low", "float64", "1", "1/rate_high", nullable=True),
    Column("lifetime_high", "float64", "1", "1/rate_low, with one end or more", nullable=True),
    Column("log_rate_se", "float64", "1", "standard error of ln rate", nullable=True),
    Column("drift", "float64", "1", "ln of the rate of the later half over it", nullable=True),
    Column("drift_se", "float64", "1", "its standard error", nullable=True),
)


def burn_in(beta: float) -> float:
    """Depth from which rates are counted, in units of 1/σ²: 8 + 2β.

    Noise of size e^{−2β} needs 2β to spread from an exact formation to cosines of order 1, at the
    drift −1 of z near ρ = −1.
    """
    return 8.0 + 2.0 * beta


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and look."""
    groups = table.sort_values("look").groupby(list(AXES), sort=True)
    parts = [_cell(dict(zip(AXES, key, strict=True)), runs) for key, runs in groups]
    return pd.concat(parts, ignore_index=True)[[column.name for column in COLUMNS]]


def _cell(place: dict, runs: pd.DataFrame) -> pd.DataFrame:
    n, k, beta, d = (place[axis] for axis in ("n", "k", "beta", "d"))
    replicas = runs["replicas"]
    ends = stats.wilson(runs["antipodal"], replicas)
    lifetime = two_clusters.lifetime(k, n, beta, d).tail
    repels = theory.cluster_means(n - k, n, beta).second > 0
    result = runs.assign(
        intact=runs["intact"] / replicas,
        antipodal=runs["antipodal"] / replicas,
        antipodal_low=ends.low,
        antipodal_high=ends.high,
        persists=2 * k == n and theory.exponent_antipodal(beta, d) < 0,
        repels=repels,
        lasting=repels and math.isfinite(lifetime) and lifetime > burn_in(beta),
        unevenness=two_clusters.unevenness(k, n),
        predicted=_finite(lifetime),
        asymptote=_finite(two_clusters.asymptotic_lifetime(k, n, beta, d)),
    )
    t = runs["t"].to_numpy()
    first = int(np.searchsorted(t, burn_in(beta)))
    stays = bool(result["persists"].iloc[0])
    if first < t.size and (stays or math.isfinite(lifetime)):
        decay = np.exp(-(t - t[first]) / lifetime)
        result["expected"] = np.where(
            t >= t[first], result["antipodal"].iloc[first] * decay, np.nan
        )
    else:
        result["expected"] = np.nan
    return result.assign(**_rates(t, runs["running"].to_numpy(), first))


def _finite(value: float) -> float:
    """The value, or NaN for an infinite one, which tables don't hold."""
    return value if math.isfinite(value) else math.nan


def _rates(t: np.ndarray, running: np.ndarray, first: int) -> dict[str, np.ndarray]:
    """Rates over the looks from index `first` up to each look; NaN where there is none yet."""
    names = ("rate", "rate_low", "rate_high", "lifetime", "lifetime_low", "lifetime_high")
    result = {name: np.full(t.size, np.nan) for name in (*names, "log_rate_se", "drift")}
    result |= {"drift_se": np.full(t.size, np.nan), "ends": np.zeros(t.size, dtype=np.int64)}
    if first >= t.size or not running[first]:
        return result
    now = slice(first + 1, None)
    trials = np.cumsum(running[first:-1])
    ends = running[first] - running[now]
    interval = stats.wilson(ends, trials)
    # At the middle, half of the run-intervals have passed.
    at_risk = np.append(0, trials)
    middle = np.searchsorted(at_risk, trials / 2)
    early = running[first] - running[first + middle]
    late = ends - early
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = -np.log1p(-np.stack([ends / trials, interval.low, interval.high])) / (t[1] - t[0])
        computed = dict(zip(names, (*rates, *(1 / rates[[0, 2, 1]])), strict=True))
        computed["log_rate_se"] = 1 / np.sqrt(ends)
        computed["drift"] = np.log(late / (trials - at_risk[middle]) * at_risk[middle] / early)
        computed["drift_se"] = np.sqrt(1 / early + 1 / late)
    for name, values in computed.items():
        result[name][now] = np.where(np.isfinite(values), values, np.nan)
    result["drift_se"][np.isnan(result["drift"])] = np.nan
    result["ends"][now] = ends
    return result
