"""The exact two-token chain of the discrete model at m = ∞, at O(1) random numbers a step.

At N = 2 the field G is isotropic and independent on the sum and the difference of the tokens, with
variances 2(κ(1) + κ(u)) and 2(κ(1) − κ(u)) per coordinate, so u = ⟨X¹, X²⟩ is a Markov chain whose
cost does not depend on d. It is carried as 1 − u and 1 + u, by formulas free of cancellation: log
slopes can be followed down to `FLOOR`. Our derivation, from the model of arXiv 2604.26898.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from deeplimits import attention, sphere
from deeplimits.agazzi2026.kernel import Kernel

FLOOR = 1e-300
"""A replica with 1 − u or 1 + u below this keeps its state from then on."""


class Pair(NamedTuple):
    """1 − u and 1 + u of replicas of two tokens, arrays of one shape."""

    one_minus: np.ndarray
    one_plus: np.ndarray


def near_synchrony(one_minus: np.ndarray) -> Pair:
    """Pairs with the given 1 − u ∈ [0, 2]."""
    one_minus = np.asarray(one_minus, dtype=np.float64)
    return Pair(one_minus, 2.0 - one_minus)


def near_antipodal(one_plus: np.ndarray) -> Pair:
    """Pairs with the given 1 + u ∈ [0, 2]."""
    return Pair(*near_synchrony(one_plus)[::-1])


def attention_step(pair: Pair, dt: float, scale: float, beta: float) -> Pair:
    """Y = LN(X + aΔt Attn(X)) for two tokens.

    Attention multiplies the sum of the tokens by 1 + aΔt and the difference by 1 + aΔtτ,
    τ = tanh(β(1 − u)/2). The two stay of equal length.
    """
    along_sum = 1.0 + scale * dt
    along_diff = 1.0 + scale * dt * attention.pair_contrast(pair.one_minus, beta)
    plus = pair.one_plus * along_sum**2
    minus = pair.one_minus * along_diff**2
    return Pair(2.0 * minus / (plus + minus), 2.0 * plus / (plus + minus))


def noise_step(rng: np.random.Generator, kernel: Kernel, pair: Pair, dt: float) -> Pair:
    """X = LN(Y + √Δt G(Y)) for two tokens and G the Gaussian field with covariance κ(u) I_d."""
    minus = kernel.gap(pair.one_minus)
    # κ(1) + κ(u): of an odd kernel it vanishes at u = −1, where 2κ(1) − gap would cancel.
    plus = kernel.gap(pair.one_plus) if kernel.odd else 2.0 * kernel.kappa1 - minus
    a, b, _, determinant = sphere.pair_gram(
        rng,
        np.sqrt(2.0 * pair.one_plus),
        np.sqrt(2.0 * pair.one_minus),
        np.sqrt(2.0 * dt * plus),
        np.sqrt(2.0 * dt * minus),
        kernel.d,
    )
    return Pair(*sphere.pair_cosine(a, b, determinant))


def evolve(
    rng: np.random.Generator,
    kernel: Kernel,
    pair: Pair,
    *,
    layers: int,
    dt: float,
    scale: float = 0.0,
    beta: float = 1.0,
    record: Callable[[int, Pair], None] | None = None,
) -> Pair:
    """Run independent pairs through `layers` layers, and return their last states.

    Parameters
    ----------
    rng
        Source of all draws.
    kernel
        κ, with the dimension d.
    pair
        States before layer 0.
    layers, dt
        L and Δt.
    scale, beta
        a and β of the attention.
    record
        Called as record(ℓ, state) before each layer ℓ = 0, …, L − 1 and as ℓ = L after the last.

    Notes
    -----
    A replica in which 1 − u or 1 + u has fallen below `FLOOR` is frozen.
    """
    for layer in range(layers):
        if record is not None:
            record(layer, pair)
        moving = np.minimum(pair.one_minus, pair.one_plus) >= FLOOR
        moved = noise_step(rng, kernel, attention_step(pair, dt, scale, beta), dt)
        pair = Pair(*(np.where(moving, new, old) for new, old in zip(moved, pair, strict=True)))
    if record is not None:
        record(layers, pair)
    return pair
