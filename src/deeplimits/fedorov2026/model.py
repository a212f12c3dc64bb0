"""The value-noise model on token vectors: by drawing V, and faster with the same law.

Tokens are rows: an array (R, n, d) holds n unit tokens of R replicas. `layer.evolve` runs a layer
over depth. Where only the Gram matrix of the tokens matters, `gram` costs nothing with d.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from deeplimits import gaussian, sphere
from deeplimits.fedorov2026.layer import TokenLayer

CHUNK = 131072
"""Entries of V drawn at a time (1 MiB: they stay in cache until they are used)."""


class ValueLayer(TokenLayer, ABC):
    """x_i ← LN(x_i + aΔt m_i + σ√Δt V m_i) on tokens (R, n, d)."""

    def __call__(self, rng: np.random.Generator, x: np.ndarray) -> np.ndarray:
        """Return the tokens after the layer."""
        means = self.weights(sphere.gram(x)) @ x
        y = x + self.drift * self.dt * means
        if self.sigma > 0:
            noise = self.noise(rng, means)
            noise *= self.amplitude
            y += noise
        return sphere.normalize(y, out=y)

    @abstractmethod
    def noise(self, rng: np.random.Generator, means: np.ndarray) -> np.ndarray:
        """V m_i for means m (R, n, d), with an independent V for each replica."""


@dataclass(frozen=True, kw_only=True)
class DirectLayer(ValueLayer):
    """The layer by drawing all entries of V: the reference in law.

    Attributes
    ----------
    entries
        Law of the entries of V: "gaussian" N(0, 1), or "rademacher", ±1 with equal probability,
        the paper's case of bounded entries.
    """

    entries: Literal["gaussian", "rademacher"] = "gaussian"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.entries not in ("gaussian", "rademacher"):
            raise ValueError(f'entries must be "gaussian" or "rademacher", got {self.entries}')

    def noise(self, rng: np.random.Generator, means: np.ndarray) -> np.ndarray:
        """V m_i for means m (R, n, d), with an independent V for each replica."""
        result = np.empty_like(means)
        d = means.shape[-1]
        size = max(1, CHUNK // d**2)
        for start in range(0, len(means), size):
            part = means[start : start + size]
            V = self._draw(rng, (len(part), d, d))
            np.matmul(part, np.swapaxes(V, -1, -2), out=result[start : start + size])
        return result

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        if self.entries == "gaussian":
            return rng.standard_normal(shape)
        return 2.0 * rng.integers(0, 2, shape, dtype=np.int8) - 1.0


@dataclass(frozen=True, kw_only=True)
class ReducedLayer(ValueLayer):
    """The layer with the law of `DirectLayer`, Gaussian entries, without V where that is cheaper.

    Given the tokens, the coordinates of the n vectors V m_i are d independent Gaussian vectors of
    R^n with the Gram matrix of the means as covariance (`gaussian.random_linear`).
    """

    _scratch: gaussian.Scratch = field(
        default_factory=gaussian.Scratch, init=False, repr=False, compare=False
    )

    def noise(self, rng: np.random.Generator, means: np.ndarray) -> np.ndarray:
        """Draw V m_i in law for means m (R, n, d), independently for each replica."""
        result = np.empty_like(means)
        gaussian.random_linear(rng, means, 0.0, result, self._scratch)
        return result
