"""Where two tokens end: the rule that reads the outcome of a run off its last state.

A fixed distance from ρ = ±1 misleads: close to the transition a run at 1 + ρ = 1e-3 may still be
likely to end in consensus. So the rule asks for the probability p(ρ_T) to end antipodal from where
the run is. As p falls with ρ, the rule is two bounds on z = artanh ρ. Rule and method are ours.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from deeplimits.fedorov2026 import theory
from deeplimits.fedorov2026.pair import Pair

DOUBT = 0.01
"""Chance, at most, that a run called antipodal or consensus ends at the other end."""
GAP = 1e-3
"""1 − ρ of a run in consensus, at most."""

_DEEPEST = -345.0  # z of 1 + ρ = 1e-300, where the two-token chain stands still
_LAST = 40.0  # p is below 1e-30 from here on


class Outcomes(NamedTuple):
    """Bounds on z: antipodal up to the first, consensus from the second on, else undecided."""

    antipodal: float
    consensus: float

    def of(self, pairs: Pair) -> tuple[np.ndarray, np.ndarray]:
        """Return which pairs are antipodal and which are in consensus, in the shape of the pairs.

        (1+ρ)/(1−ρ) = e^{2z} is compared, which needs no logarithm.
        """
        return (
            pairs.one_plus <= math.exp(2 * self.antipodal) * pairs.one_minus,
            pairs.one_plus >= math.exp(2 * self.consensus) * pairs.one_minus,
        )


def rule(beta: float, d: int, doubt: float = DOUBT, gap: float = GAP) -> Outcomes:
    """Return the bounds: antipodal where p(ρ) ≥ 1 − doubt, consensus: p ≤ doubt and 1 − ρ ≤ gap.

    p is `theory.antipodal_probability`. The first bound is −∞ where −1 repels, and where it lies
    below 1 + ρ = 1e-300.

    Raises
    ------
    ValueError
        For d < 2, β negative or not finite, or doubt or gap outside (0, ½).
    """
    for name, value in (("doubt", doubt), ("gap", gap)):
        if not 0 < value < 0.5:
            raise ValueError(f"{name} must lie between 0 and 1/2, got {value}")
    near = 0.5 * (math.log(2 - gap) - math.log(gap))
    return Outcomes(_where(beta, d, 1 - doubt), max(_where(beta, d, doubt), near))


def _where(beta: float, d: int, share: float) -> float:
    """Return the z at which p = share, −∞ if p is less all the way down."""

    def excess(z: float) -> float:
        return float(theory.antipodal_probability_at(beta, d, z)) - share

    return brentq(excess, _DEEPEST, _LAST) if excess(_DEEPEST) > 0 else -math.inf
