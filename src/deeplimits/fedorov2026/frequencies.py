"""Frequencies of the outcomes of two tokens, beside the exact probability in the limit Δt → 0."""

import numpy as np
import pandas as pd
from scipy import special

from deeplimits import stats
from deeplimits.fedorov2026 import theory
from deeplimits.schema import Column

APART = 0.3
"""Least |(d−1)sech²β − 2| for a claim about the outcome."""
LONG = 20.0
"""Least σ²(d−1)T and σ²T|(d−1)sech²β − 2| for it."""

RUN = ["d", "beta", "rho0", "epsilon"]
KEY = (*RUN, "layer")
COLUMNS = (
    Column("d", "int64", "1", "dimension of the tokens"),
    Column("beta", "float64", "1", "β"),
    Column("rho0", "float64", "1", "ρ₀"),
    Column("epsilon", "float64", "1", "σ²(d−1)Δt; 0 in rows of theory alone"),
    Column("layer", "int64", "1", "ℓ, number of layers passed"),
    Column("clock", "float64", "1", "σ²(d−1)t"),
    Column("slow_clock", "float64", "1", "σ²t|(d−1)sech²β − 2|"),
    Column("exponent", "float64", "1", "(d−1)sech²β − 2, slope of log(1+ρ)/σ² near −1"),
    Column("beta_star", "float64", "1", "β* = ½ arcosh(d−2), the transition; 0 for d ≤ 3"),
    Column("comparable", "bool", "1", "clocks ≥ 20 and |exponent| ≥ .3: claims hold here"),
    Column("replicas", "int64", "1", "number of runs; 0 in rows of theory alone"),
    Column("antipodal", "int64", "1", "antipodal runs"),
    Column("undecided", "int64", "1", "undecided runs"),
    Column("opposite", "int64", "1", "runs with 1 + ρ ≤ 1e-3"),
    Column("between", "int64", "1", "runs with 1 − ρ and 1 + ρ above 1e-3"),
    Column("share", "float64", "1", "share of antipodal runs", nullable=True),
    Column("low", "float64", "1", "lower end of its 95% Wilson interval", nullable=True),
    Column("high", "float64", "1", "upper end if undecided runs count too", nullable=True),
    Column("undecided_share", "float64", "1", "share of undecided runs", nullable=True),
    Column("between_share", "float64", "1", "share of runs between the ends", nullable=True),
    Column("exact", "float64", "1", "p(ρ₀; β, d), probability to end antipodal"),
    Column("score", "float64", "1", "deviation in standard errors (`score`)", nullable=True),
    Column("offset", "float64", "1", "log odds of the share minus those of p", nullable=True),
    Column("offset_se", "float64", "1", "its standard error, 1/√(n p(1−p))", nullable=True),
)
"""Columns of estimates; nullable ones are missing in rows of theory, the last three at p = 0."""


def rows(counts: pd.DataFrame) -> pd.DataFrame:
    """Frequencies and theory for every row of a table of outcomes with its ε = σ²(d−1)Δt."""
    n, low = counts["replicas"], counts["antipodal"]
    high = low + counts["undecided"]
    table = predicted(counts)
    clock = (counts["d"] - 1) * counts["t"]
    slow_clock = table["exponent"].abs() * counts["t"]
    p = table["exact"]
    table = table.assign(
        clock=clock,
        slow_clock=slow_clock,
        comparable=(np.minimum(clock, slow_clock) >= LONG) & (table["exponent"].abs() >= APART),
        share=low / n,
        low=stats.wilson(low, n).low,
        high=stats.wilson(high, n).high,
        undecided_share=counts["undecided"] / n,
        between_share=counts["between"] / n,
        score=score(low, high, n, p),
        offset=log_odds((low + high) / 2, n) - special.logit(p.where(p > 0)),
        offset_se=(n * p * (1 - p)).where(p > 0) ** -0.5,
    )
    return table[[column.name for column in COLUMNS]]


def theory_rows(points: pd.DataFrame) -> pd.DataFrame:
    """Rows of theory alone (ε = 0) for points (d, β, ρ₀), to draw curves by."""
    table = predicted(points)
    unmeasured = {
        column.name: np.nan if column.nullable else np.zeros(1, column.dtype)[0]
        for column in COLUMNS
        if column.name not in table
    }
    return table.assign(**unmeasured)[[column.name for column in COLUMNS]]


def predicted(table: pd.DataFrame) -> pd.DataFrame:
    """The table with what theory says about each (d, β, ρ₀)."""
    places = list(zip(table["d"].tolist(), table["beta"].tolist(), table["rho0"], strict=True))
    return table.assign(
        exponent=[theory.exponent_antipodal(beta, d) for d, beta, _ in places],
        beta_star=[theory.critical_beta(d) for d, _, _ in places],
        exact=[float(theory.antipodal_probability(beta, d, rho0)) for d, beta, rho0 in places],
    )


def final(table: pd.DataFrame) -> pd.DataFrame:
    """Simulated rows at the last depth of every model, start and step."""
    return _extreme(table[table["replicas"] > 0], RUN, "layer", "max")


def finest(table: pd.DataFrame) -> pd.DataFrame:
    """Those of the `final` rows that have the least step of their model and start."""
    return _extreme(final(table), RUN[:3], "epsilon", "min")


def _extreme(table: pd.DataFrame, group: list[str], column: str, extreme: str) -> pd.DataFrame:
    return table[table[column] == table.groupby(group)[column].transform(extreme)]


def log_odds(successes: np.ndarray, trials: np.ndarray) -> np.ndarray:
    """log((k + ½)/(n − k + ½)), finite also where none or all succeed."""
    return np.log((successes + 0.5) / (trials - successes + 0.5))


def score(low: np.ndarray, high: np.ndarray, trials: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Standardized residual of a binomial count that is known to lie between `low` and `high`.

    The normal score −Φ⁻¹(P(X > k) + ½P(X = k)) of X ~ Bin(n, p) at k = `low` where that is
    positive (more than p allows even if no undecided run counts), at k = `high` where that is
    negative (less even if all count), 0 between; in standard errors for large n. NaN at p = 0 and
    p = 1, where nothing is random.
    """
    low, high, trials, p = (np.asarray(value, dtype=float) for value in (low, high, trials, p))
    most = np.maximum(_normal_score(low, trials, p), 0)
    least = np.minimum(_normal_score(high, trials, p), 0)
    return np.where((p > 0) & (p < 1), most + least, np.nan)


def _normal_score(k: np.ndarray, n: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Normal score of the mid-p upper tail, from the smaller of both tails: finite at all k."""
    upper = 0.5 * (at_least(k, n, p) + at_least(k + 1, n, p))
    lower = 0.5 * (at_most(k, n, p) + at_most(k - 1, n, p))
    smaller = special.ndtri(np.maximum(np.minimum(upper, lower), 1e-300))
    return np.where(upper < lower, -smaller, smaller)


def at_least(k: np.ndarray, n: np.ndarray, p: np.ndarray) -> np.ndarray:
    """P(X ≥ k) of X ~ Bin(n, p)."""
    inside = (k > 0) & (k <= n)
    tail = special.betainc(np.where(inside, k, 1), np.where(inside, n - k + 1, 1), p)
    return np.where(inside, tail, np.where(k <= 0, 1.0, 0.0))


def at_most(k: np.ndarray, n: np.ndarray, p: np.ndarray) -> np.ndarray:
    """P(X ≤ k) of X ~ Bin(n, p)."""
    return at_least(n - k, n, 1 - p)
