"""Statistics shared by the papers: estimates with their errors, and tests with their error rates.

An error is a standard error, an interval is two-sided at its `level`, a p-value is two-sided unless
its function says otherwise. Arrays hold independent values unless a function says otherwise.
Functions raise ValueError where the data can't bear the estimate, rather than return NaN.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

LEVEL = 0.95


class Estimate(NamedTuple):
    """A number or an array of numbers, and the standard error of each."""

    value: np.ndarray
    error: np.ndarray


class Interval(NamedTuple):
    """Ends of a two-sided interval."""

    low: np.ndarray
    high: np.ndarray


class LineFit(NamedTuple):
    """Line y = intercept + slope·x, its standard errors, and χ² of the residuals."""

    slope: float
    slope_error: float
    intercept: float
    intercept_error: float
    chi2: float
    degrees: int

    @property
    def p_value(self) -> float:
        """Probability of a larger χ² if the line and the errors are right; small: they are not."""
        return float(special.chdtrc(self.degrees, self.chi2)) if self.degrees else 1.0


def critical_value(level: float = LEVEL, degrees: float = np.inf) -> float:
    """The c with P(|t| ≤ c) = `level`, t normal or, with finite `degrees` of freedom, Student's."""
    if not 0 < level < 1:
        raise ValueError(f"level {level}: must lie between 0 and 1")
    upper = (1 + level) / 2
    return float(special.ndtri(upper) if np.isinf(degrees) else special.stdtrit(degrees, upper))


def z_value(estimate: Estimate, reference: Estimate | ArrayLike) -> np.ndarray:
    """How far apart two independent estimates are, in standard errors of their difference.

    z = (v₁ − v₂)/√(s₁² + s₂²), with s₂ = 0 for plain numbers.

    Raises
    ------
    ValueError
        if a difference has no error, or one that is not finite.
    """
    value, error = reference if isinstance(reference, Estimate) else (reference, 0.0)
    total = np.hypot(estimate.error, error)
    if not (np.isfinite(total) & (total > 0)).all():
        raise ValueError("the error of a difference must be positive and finite")
    return (estimate.value - value) / total


def p_value(z: ArrayLike) -> np.ndarray:
    """P(|Z| ≥ |z|) of a standard normal Z."""
    return 2 * special.ndtr(-np.abs(z))


def p_value_above(z: ArrayLike) -> np.ndarray:
    """One-sided: P(Z ≥ z) of a standard normal Z; small where the estimate exceeds its bound."""
    return special.ndtr(-np.asarray(z, dtype=float))


def holm(p_values: ArrayLike) -> np.ndarray:
    """Holm's adjusted p-values: those below α form a test of the whole family at level α.

    Sorted p₍₁₎ ≤ … ≤ p₍ₖ₎ become max_{j ≤ i} min(1, (k − j + 1) p₍ⱼ₎). The chance of one or more
    false rejections is at most α however the tests depend on each other (Holm 1979, "A simple
    sequentially rejective multiple test procedure").
    """
    raw = np.asarray(p_values, dtype=float)
    if raw.ndim != 1 or not ((raw >= 0) & (raw <= 1)).all():
        raise ValueError("p-values must be a list of numbers between 0 and 1")
    order = np.argsort(raw, kind="stable")
    scaled = raw[order] * np.arange(raw.size, 0, -1)
    adjusted = np.empty_like(raw)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1)
    return adjusted


def mean(samples: ArrayLike, axis: int = 0) -> Estimate:
    """Mean over `axis` and its standard error s/√n, s² = Σ(x − x̄)²/(n − 1)."""
    values = np.asarray(samples, dtype=float)
    n = values.shape[axis]
    if n < 2:
        raise ValueError(f"a standard error needs two samples or more, not {n}")
    return Estimate(values.mean(axis), values.std(axis, ddof=1) / np.sqrt(n))


def clustered_mean(samples: ArrayLike, clusters: ArrayLike) -> Estimate:
    """Mean of all samples, with an error that allows any dependence within a cluster.

    With S_g the sum and n_g the size of cluster g, N = Σ n_g, and G clusters, the mean is
    x̄ = Σ S_g/N and the squared error G/(G − 1) · Σ (S_g − n_g x̄)²/N²: the ratio estimator of
    cluster sampling (Cochran 1977, "Sampling Techniques", chapter 6). For clusters of one size it
    is the standard error of the cluster means.

    Parameters
    ----------
    samples
        Shape (n,).
    clusters
        Labels of any sortable type, shape (n,): a seed, a run.
    """
    values = np.asarray(samples, dtype=float)
    _, member = np.unique(np.asarray(clusters), return_inverse=True)
    if values.ndim != 1 or values.shape != member.shape:
        raise ValueError(f"{values.shape} samples for {member.shape} labels: lists of one length")
    sums, sizes = np.bincount(member, values), np.bincount(member)
    if sizes.size < 2:
        raise ValueError(f"a standard error needs two clusters or more, not {sizes.size}")
    centre = values.mean()
    squares = np.sum((sums - sizes * centre) ** 2)
    variance = sizes.size / (sizes.size - 1) * squares / values.size**2
    return Estimate(centre, np.sqrt(variance))


def wilson(successes: ArrayLike, trials: ArrayLike, level: float = LEVEL) -> Interval:
    """Wilson's score interval of a probability: all p with |k/n − p| ≤ z √(p(1 − p)/n).

    (p̂ + z²/2n ± z √(p̂(1 − p̂)/n + z²/4n²))/(1 + z²/n) with p̂ = k/n. It keeps a length when no
    trial or every trial succeeds (Wilson 1927, "Probable inference, the law of succession, and
    statistical inference").
    """
    k, n = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
    if not ((n >= 1) & (k >= 0) & (k <= n)).all():
        raise ValueError("successes must lie between 0 and the number of trials, at least one")
    z = critical_value(level)
    p, denominator = k / n, 1 + z**2 / n
    centre = (p + z**2 / (2 * n)) / denominator
    half = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2)) / denominator
    # The ends are exact here, but rounding would leave them at ±1e−17.
    return Interval(np.where(k == 0, 0.0, centre - half), np.where(k == n, 1.0, centre + half))


def bootstrap(
    samples: ArrayLike,
    statistic: Callable[[np.ndarray], np.ndarray],
    rng: np.random.Generator,
    *,
    level: float = LEVEL,
    resamples: int = 4000,
) -> Interval:
    """BCa bootstrap interval of a statistic of independent samples.

    The ends are quantiles Φ(b + (b ± z)/(1 − a(b ± z))) of the statistic over resamples drawn with
    replacement; b = Φ⁻¹ of the share of resamples below the statistic (half of the ties included)
    corrects the median's bias, the acceleration a = Σ d³/(6 (Σ d²)^{3/2}), d = mean jackknife value
    minus jackknife value, corrects the skewness (Efron 1987, "Better bootstrap confidence
    intervals").

    Parameters
    ----------
    samples
        Shape (n,) or (n, …): the first axis is resampled. For dependent samples, one entry a
        cluster.
    statistic
        Maps an array of shape (r, n, …) to one number for each of the r rows.
    rng
        Source of the resamples.

    Raises
    ------
    ValueError
        with fewer than three samples, or if the statistic of every resample lies strictly on one
        side of the observed one (as a count of distinct values does): no interval holds then.
    """
    values = np.asarray(samples, dtype=float)
    n = values.shape[0]
    if n < 3:
        raise ValueError(f"the bootstrap needs three samples or more, not {n}")
    observed = float(statistic(values[np.newaxis])[0])
    spread = _resampled(values, statistic, rng, resamples)
    if np.ptp(spread) == 0:
        return Interval(np.asarray(observed), np.asarray(observed))
    below = (np.mean(spread < observed) + np.mean(spread <= observed)) / 2
    if below in (0, 1):
        raise ValueError("every resample lies on one side of the statistic")
    bias = special.ndtri(below)
    z = critical_value(level) * np.array([-1, 1])
    shifted = bias + (bias + z) / (1 - _acceleration(values, statistic) * (bias + z))
    return Interval(*np.quantile(spread, special.ndtr(shifted)))


def fit_line(x: ArrayLike, y: ArrayLike, error: ArrayLike) -> LineFit:
    """Least squares line through independent points with known standard errors.

    With w = 1/error², x̄ and ȳ the w-weighted means and S = Σ w (x − x̄)²: slope = Σ w (x − x̄) y/S
    with variance 1/S, intercept ȳ − slope·x̄ with variance 1/Σw + x̄²/S, χ² = Σ w (residual)² with
    n − 2 degrees of freedom. The errors of slope and intercept hold where the points lie on a line:
    see the fit's `p_value`.

    Raises
    ------
    ValueError
        with fewer than two different x, or an error that is not positive.
    """
    x, y, error = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (x, y, error)))
    if x.ndim != 1 or np.unique(x).size < 2:
        raise ValueError("a line needs two different points or more")
    if not (np.isfinite(error) & (error > 0)).all():
        raise ValueError("the errors of the points must be positive and finite")
    weight = error**-2
    x_mean, y_mean = np.average(x, weights=weight), np.average(y, weights=weight)
    lever = weight * (x - x_mean)
    spread = np.sum(lever * (x - x_mean))
    slope = np.sum(lever * (y - y_mean)) / spread
    intercept = y_mean - slope * x_mean
    chi2 = np.sum(weight * (y - intercept - slope * x) ** 2)
    return LineFit(
        slope=float(slope),
        slope_error=float(spread**-0.5),
        intercept=float(intercept),
        intercept_error=float(np.sqrt(1 / np.sum(weight) + x_mean**2 / spread)),
        chi2=float(chi2),
        degrees=x.size - 2,
    )


def fit_power(x: ArrayLike, y: ArrayLike, error: ArrayLike) -> LineFit:
    """Line of ln y against ln x: the slope is the exponent p of y ≈ C xᵖ, the intercept ln C.

    The error of ln y is error/y to first order, so y should be many errors away from zero.
    """
    x, y, error = (np.asarray(v, dtype=float) for v in (x, y, error))
    if not ((x > 0).all() and (y > 0).all()):
        raise ValueError("a power law needs positive x and y")
    return fit_line(np.log(x), np.log(y), error / y)


def weights_at_zero(x: ArrayLike, error: ArrayLike, degree: int) -> np.ndarray:
    """Weights w such that Σ w y is the value at x = 0 of the polynomial fitted to points (x, y).

    The fit is by least squares with the given standard errors of y, of the given degree or one
    less than the number of points, where that is smaller.
    """
    x, error = np.asarray(x, dtype=float), np.asarray(error, dtype=float)
    powers = np.vander(x, min(degree, x.size - 1) + 1, increasing=True)
    return np.linalg.pinv(powers / error[:, None])[0] / error


def log_variance_ratio(first: ArrayLike, second: ArrayLike) -> Estimate:
    """Logarithm of the ratio of the variances of two independent samples, and its error.

    The variance of ln s² is (m₄/m₂² − (n − 3)/(n − 1))/n to first order in 1/n, with the sample's
    own central moments, so no law is assumed; 2/(n − 1) for a Gaussian. Over the error it is
    a z statistic for equal variances: with 1.3·10⁵ Gaussian draws an arm the error is 0.0055, and
    a variance 3% off is rejected at level 10⁻³ with probability 0.98.
    """
    value_1, variance_1 = _log_variance(first)
    value_2, variance_2 = _log_variance(second)
    return Estimate(np.asarray(value_1 - value_2), np.sqrt(variance_1 + variance_2))


def _log_variance(samples: ArrayLike) -> tuple[float, float]:
    """Logarithm of the variance s², and the variance of that logarithm."""
    values = np.asarray(samples, dtype=float)
    n = values.size
    if values.ndim != 1 or n < 4:
        raise ValueError(f"a variance with its error needs four samples or more, not {n}")
    centred = values - values.mean()
    second, fourth = np.mean(centred**2), np.mean(centred**4)
    if second == 0:
        raise ValueError("all samples are equal: there is no variance to compare")
    return np.log(second * n / (n - 1)), (fourth / second**2 - (n - 3) / (n - 1)) / n


def _resampled(
    values: np.ndarray,
    statistic: Callable[[np.ndarray], np.ndarray],
    rng: np.random.Generator,
    resamples: int,
) -> np.ndarray:
    """The statistic of `resamples` draws of n rows with replacement, in pieces of 16 MiB."""
    n = values.shape[0]
    piece = max(1, 2**21 // values.size)
    sizes = [min(piece, resamples - start) for start in range(0, resamples, piece)]
    rows = (rng.integers(n, size=(size, n)) for size in sizes)
    return np.concatenate([statistic(values[chosen]) for chosen in rows])


def _acceleration(values: np.ndarray, statistic: Callable[[np.ndarray], np.ndarray]) -> float:
    """BCa's acceleration, from the n values of the statistic that leave one sample out."""
    left_out = (np.delete(values, i, axis=0)[np.newaxis] for i in range(values.shape[0]))
    jackknife = np.array([float(statistic(rest)[0]) for rest in left_out])
    away = jackknife.mean() - jackknife
    squares = np.sum(away**2)
    return float(np.sum(away**3) / (6 * squares**1.5)) if squares > 0 else 0.0
