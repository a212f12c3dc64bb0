"""Exponents of the discrete models at a finite step Δt, which tend to those of `theory`.

At an end ρ = ±1 the moves of log(1 ∓ ρ) in different layers are independent and have one law, so an
exponent is the mean of one move, over Δt. Our derivation.
"""

import math
from typing import NamedTuple

import numpy as np

from deeplimits import separation
from deeplimits.fedorov2026 import checks


class Exponents(NamedTuple):
    """Slopes in depth t of log(1 + ρ) as ρ → −1 and of log(1 − ρ) as ρ → 1."""

    antipodal: float
    consensus: float


def exponent_antipodal(beta: float, d: int, dt: float, sigma: float = 1.0) -> float:
    """Return the slope of log(1 + ρ) near ρ = −1 of the two-token chain with Gaussian V.

    The sum and the difference of the tokens have the noises σ√Δt and σ√Δt tanh β beside unit
    vectors (`pair`), and 1 + ρ′ = (1 + ρ)|P S|²/|D|² to first order, P the projection orthogonal to
    D: twice the logarithm of `separation.mean_log_growth`, of the difference as the token. To first
    order it is `theory.exponent_antipodal` + ½σ⁴Δt[(d²−4d+1)τ⁴ + 2(d−3)τ² − (d−3)(d−5)], with
    τ = tanh β.

    Raises
    ------
    ValueError
        For d < 2, β or σ negative or not finite, or Δt not positive.
    """
    checks.dimension(d)
    checks.not_negative("beta", beta)
    checks.not_negative("sigma", sigma)
    checks.positive("dt = T/L", dt)
    variance = sigma**2 * dt
    return 2.0 * separation.mean_log_growth(d, math.tanh(beta) ** 2 * variance, variance) / dt


def hybrid_exponents(beta: float, epsilon: float, dt: float) -> Exponents:
    """Return both exponents of the hybrid chain: means over ξ = ±1, in closed form.

    A layer multiplies the sum of the tokens by |1 + η(a+b)| and their difference by |1 + η(a−b)|,
    with η = Δt + ε√Δt ξ, a = ½e^β and b = ½e^{βρ}; at an end one of the two is infinitely small.

    Raises
    ------
    ValueError
        For β or ε negative or not finite, or Δt not positive.
    """
    checks.not_negative("beta", beta)
    checks.not_negative("epsilon", epsilon)
    checks.positive("dt = T/L", dt)
    eta = dt + epsilon * math.sqrt(dt) * np.array([-1.0, 1.0])
    # (a + b, a − b) is (cosh β, sinh β) at ρ = −1 and (e^β, 0) at ρ = 1.
    ratio = (1.0 + eta * math.cosh(beta)) / (1.0 + eta * math.sinh(beta))
    grown = 1.0 + eta * math.exp(beta)
    # The mean over two signs of 2 log|…|.
    return Exponents(*(float(np.log(np.abs(f)).sum()) / dt for f in (ratio, 1.0 / grown)))
