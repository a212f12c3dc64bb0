"""Data sets as points z_i = y_i x_i with |z_i| ≤ 1, with their exact margins."""

import numpy as np

from deeplimits.kale2026 import checks
from deeplimits.kale2026.problem import norm


def synthetic(
    rng: np.random.Generator, n: int, d: int, gamma: float, support: int, spread: float = 3.0
) -> np.ndarray:
    """Return n unit points in R^d whose margin is γ by construction.

    With u a random unit vector, `support` points γu + √(1−γ²)v_i have v_i ⟂ u of norm 1 and
    Σ v_i = 0: u separates with margin γ, and the mean of these points, γu, proves that no
    direction does better. The v_i are pairs ±v, and one equilateral triangle where `support` is
    odd. All other points au + √(1−a²)v have a uniform in (γ, min(1, spread · γ)) and v ⟂ u
    uniform.

    Parameters
    ----------
    rng : Generator
        Source of all draws.
    n : int
        Number of points, at least `support`.
    d : int
        Dimension, at least 2; at least 3 where `support` is odd.
    gamma : float
        γ in (0, 1).
    support : int
        Number of points at the margin, at least 2.
    spread : float
        Above 1.

    Returns
    -------
    ndarray
        (n, d); the support points come first.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    if not 0 < gamma < 1:
        raise ValueError(f"gamma must lie between 0 and 1, got {gamma}")
    if not 2 <= support <= n:
        raise ValueError(f"support must lie between 2 and n = {n}, got {support}")
    if d < 2 + support % 2:
        raise ValueError(f"d must be at least {2 + support % 2} for {support} points, got {d}")
    if not spread > 1:
        raise ValueError(f"spread must be above 1, got {spread}")
    u = _unit(rng.standard_normal(d))
    a = np.full(n, gamma)
    a[support:] = rng.uniform(gamma, min(1.0, spread * gamma), n - support)
    v = np.concatenate([_balanced(rng, support, u), _across(rng, n - support, u)])
    return a[:, np.newaxis] * u + np.sqrt(1 - a**2)[:, np.newaxis] * v


def _balanced(rng: np.random.Generator, count: int, u: np.ndarray) -> np.ndarray:
    """Unit vectors orthogonal to u whose sum is 0."""
    triangle = count % 2
    half = _across(rng, (count - 3 * triangle) // 2, u)
    parts = [half, -half]
    if triangle:
        first = _across(rng, 1, u)[0]
        x = _across(rng, 1, u)[0]
        second = _unit(x - (x @ first) * first)
        angles = 2 * np.pi / 3 * np.arange(3)[:, np.newaxis]
        parts.append(np.cos(angles) * first + np.sin(angles) * second)
    return np.concatenate(parts)


def _across(rng: np.random.Generator, count: int, u: np.ndarray) -> np.ndarray:
    """Uniform unit vectors orthogonal to u."""
    x = rng.standard_normal((count, len(u)))
    return _unit(x - (x @ u)[:, np.newaxis] * u)


def _unit(x: np.ndarray) -> np.ndarray:
    return x / norm(x)[..., np.newaxis]


def unbalanced(n: int, gamma: float) -> np.ndarray:
    """Return n − 1 points (γ, √(1−γ²)) and one (γ, −√(1−γ²)); their margin is γ.

    Raises
    ------
    ValueError
        For n < 2 or γ outside (0, 1].
    """
    if n < 2:
        raise ValueError(f"n must be at least 2, got {n}")
    checks.margin("gamma", gamma)
    z = np.tile([gamma, np.sqrt(1 - gamma**2)], (n, 1))
    z[-1, 1] *= -1
    return z


def toy() -> np.ndarray:
    """Return the four points of Wu et al. 2024 (arXiv 2402.15926), divided by √4.04.

    (1, .2), (−2, .2) with label + and (−1, −.2), (2, −.2) with label −: as y x only two differ.
    Their margin is .2/√4.04 = .0995.
    """
    x = np.array([[1, 0.2], [-2, 0.2], [-1, -0.2], [2, -0.2]])
    y = np.array([[1], [1], [-1], [-1]])
    return y * x / np.sqrt(4.04)


TOY_GAMMA = 0.2 / np.sqrt(4.04)
"""The margin of `toy`: attained by (0, 1), proved by ⅔(1, .2) + ⅓(−2, .2) = (0, .2)."""


def pair(x: np.ndarray, labels: np.ndarray, first: int, second: int) -> np.ndarray:
    """Return y_i x_i of two classes of a labelled set: y = 1 for `first`, −1 for `second`.

    Parameters
    ----------
    x : ndarray
        (N, d), the samples of all classes.
    labels : ndarray
        (N,).
    first, second : int
        Labels of the two classes.

    Returns
    -------
    ndarray
        (n, d), in the order of the samples, divided by the largest norm among them.

    Raises
    ------
    ValueError
        If the classes are one and the same, or one has no sample.
    """
    if first == second:
        raise ValueError(f"two different classes are needed, got {first} twice")
    for label in (first, second):
        if not np.any(labels == label):
            raise ValueError(f"there is no sample of class {label}")
    y = (labels == first).astype(np.float64) - (labels == second)
    z = y[y != 0, np.newaxis] * x[y != 0]
    return z / norm(z).max()
