"""The discrete model: attention, MLP noise and normalisation, batched over independent runs.

Tokens are rows: an array (R, N, d) holds N unit tokens of R replicas. A layer is
Y = LN(X + aΔt Attn(X)), then X ← LN(Y + √Δt G(Y)), with the MLP
G(y) = m^{−1/2} W φ(d^{−1/2} U y + b_U) + b_W drawn afresh at each layer and shared by the tokens of
a replica (arXiv 2604.26898). Three simulators of G: `DirectMlp` draws the weights, `ReducedMlp` is
equal to it in law and faster, `GaussianField` is the limit m = ∞.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from deeplimits import attention, gaussian, sphere
from deeplimits.agazzi2026.activations import Activation
from deeplimits.agazzi2026.kernel import Kernel

Recorder = Callable[[int, np.ndarray], None]

CHUNK = 65536
"""Hidden values worked on at a time (512 KiB: the working set of a chunk stays in cache)."""


class Noise(Protocol):
    """The random field G of one layer."""

    def sample(self, rng: np.random.Generator, y: np.ndarray) -> np.ndarray:
        """Draw G at the unit tokens y (R, N, d): one independent field per replica."""
        ...


@dataclass(frozen=True)
class DirectMlp:
    """G by drawing all weights of the MLP, as the paper defines it: the reference in law.

    Attributes
    ----------
    activation
        φ.
    width
        m.
    sigma_u, sigma_w
        Standard deviations of the biases b_U (per hidden unit) and b_W (per output); the weights
        have unit variance.
    """

    activation: Activation
    width: int
    sigma_u: float
    sigma_w: float

    def sample(self, rng: np.random.Generator, y: np.ndarray) -> np.ndarray:
        """Draw G at the unit tokens y (R, N, d): one independent field per replica."""
        return np.concatenate([self._sample(rng, part) for part in _chunks(y, self.width)])

    def _sample(self, rng: np.random.Generator, y: np.ndarray) -> np.ndarray:
        replicas, _, d = y.shape
        U = rng.standard_normal((replicas, self.width, d))
        b_U = self.sigma_u * rng.standard_normal((replicas, 1, self.width))
        W = rng.standard_normal((replicas, d, self.width))
        b_W = self.sigma_w * rng.standard_normal((replicas, 1, d))
        hidden = self.activation.phi(y @ np.swapaxes(U, -1, -2) / np.sqrt(d) + b_U)
        return hidden @ np.swapaxes(W, -1, -2) / np.sqrt(self.width) + b_W


@dataclass(frozen=True)
class ReducedMlp:
    """G with the law of `DirectMlp`, without the weight matrices where that is cheaper.

    Given the tokens, the rows of U Yᵀ/√d + b_U are independent Gaussian vectors with covariance
    Y Yᵀ/d + σ_U²; given the hidden values H, the outputs are so with covariance H Hᵀ/m + σ_W².
    `gaussian.random_linear` draws both. The attributes are those of `DirectMlp`.
    """

    activation: Activation
    width: int
    sigma_u: float
    sigma_w: float
    _scratch: gaussian.Scratch = field(
        default_factory=gaussian.Scratch, init=False, repr=False, compare=False
    )

    def sample(self, rng: np.random.Generator, y: np.ndarray) -> np.ndarray:
        """Draw G at the unit tokens y (R, N, d): one independent field per replica."""
        G = np.empty_like(y)
        for part, out in zip(_chunks(y, self.width), _chunks(G, self.width), strict=True):
            hidden = self.hidden(rng, part)
            # Dividing G by √m costs less than dividing the hidden values.
            gaussian.random_linear(
                rng, hidden, self.sigma_w * np.sqrt(self.width), out, self._scratch
            )
        G /= np.sqrt(self.width)
        return G

    def hidden(self, rng: np.random.Generator, y: np.ndarray) -> np.ndarray:
        """Draw the hidden values φ(d^{−1/2} U y + b_U): tokens (R, N, d) to (R, N, m).

        The result is a working array, valid until the next call.
        """
        replicas, n, d = y.shape
        hidden = self._scratch("hidden", (replicas, n, self.width))
        gaussian.random_linear(rng, y / np.sqrt(d), self.sigma_u, hidden, self._scratch)
        _apply(self.activation.phi, hidden)
        return hidden


@dataclass(frozen=True)
class GaussianField:
    """G at m = ∞: a centred Gaussian field with covariance κ(⟨x, y⟩) I_d (σ_W² is in κ).

    Raises
    ------
    ValueError
        If κ ≡ 0: the model without MLP has no field.
    """

    kernel: Kernel

    def __post_init__(self) -> None:
        if self.kernel.kappa1 == 0:
            raise ValueError("κ(1) = 0: the model without MLP has no field; use noise=None")

    def sample(self, rng: np.random.Generator, y: np.ndarray) -> np.ndarray:
        """Draw G at the unit tokens y (R, N, d): one independent field per replica."""
        if not self.kernel.odd:
            return self._sample(rng, y)
        # G(−y) = −G(y): reflecting the tokens that are far from token 0 makes one cluster of two
        # antipodal ones, where the gaps lose nothing.
        sign = np.where(y @ y[:, 0, :, None] < 0, -1.0, 1.0)
        return sign * self._sample(rng, sign * y)

    def _sample(self, rng: np.random.Generator, y: np.ndarray) -> np.ndarray:
        factor = gaussian.gap_factor(self.kernel.kappa1, self.kernel.gap(sphere.gaps(y)))
        return factor @ rng.standard_normal(y.shape)


def attention_step(x: np.ndarray, dt: float, scale: float, beta: float) -> np.ndarray:
    """Y = LN(X + aΔt Attn(X)); for a = 0, X itself."""
    if scale == 0:
        return x
    y = attention.means(x, beta)
    y *= scale * dt
    y += x
    return sphere.normalize(y, out=y)


def noise_step(y: np.ndarray, dt: float, G: np.ndarray) -> np.ndarray:
    """X = LN(Y + √Δt G); works in the memory of `G`."""
    G *= np.sqrt(dt)
    G += y
    return sphere.normalize(G, out=G)


def evolve(
    rng: np.random.Generator,
    x: np.ndarray,
    *,
    layers: int,
    dt: float,
    noise: Noise | None,
    scale: float = 0.0,
    beta: float = 1.0,
    record: Recorder | None = None,
) -> np.ndarray:
    """Run the model through `layers` layers from the tokens `x`, and return the last tokens.

    Parameters
    ----------
    rng
        Source of all draws.
    x
        Unit tokens (R, N, d) before layer 0; not changed.
    layers, dt
        L and Δt = T/L.
    noise
        Simulator of G; None for the model without MLP.
    scale, beta
        a and β of the attention.
    record
        Called as record(ℓ, X) with the tokens before layer ℓ = 0, …, L − 1, and with those after
        the last one as ℓ = L. It must copy what it wants to keep.

    Notes
    -----
    Every simulator follows a collapsing cluster until its tokens agree to rounding: energies and
    gaps down to about 1e−30 have the law of the model, below that they are noise of float64.
    """
    for layer in range(layers):
        if record is not None:
            record(layer, x)
        x = attention_step(x, dt, scale, beta)
        if noise is not None:
            x = noise_step(x, dt, noise.sample(rng, x))
    if record is not None:
        record(layers, x)
    return x


def _chunks(y: np.ndarray, width: int) -> Iterator[np.ndarray]:
    """Split replicas so that the hidden values of a part are about `CHUNK` in number."""
    size = max(1, CHUNK // (y.shape[1] * width))
    return (y[start : start + size] for start in range(0, len(y), size))


def _apply(phi: Callable[[np.ndarray], np.ndarray], values: np.ndarray, block: int = 8192) -> None:
    """Replace `values` (contiguous) by φ of them, in blocks whose temporaries stay in cache."""
    flat = values.reshape(-1)
    for start in range(0, flat.size, block):
        part = flat[start : start + block]
        part[...] = phi(part)
