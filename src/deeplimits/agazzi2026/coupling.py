"""Couplings behind the convergence rates: chains on common noise, compared token by token.

The theorems of arXiv 2604.26898 bound the distance between the discrete model and its limits, but
the paper simulates none of them. Here are constructions for the three limits: L → ∞
(`depth_chains`), m → ∞ (`width_chains`) and N → ∞ (`populations`). Every chain alone has the law of
`model.evolve`; what the chains have in common is our choice.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from deeplimits import gaussian, sphere
from deeplimits.agazzi2026 import activations, model
from deeplimits.agazzi2026.kernel import Kernel


class Meeting(NamedTuple):
    """A chain beside the reference, at a depth that both have.

    Attributes
    ----------
    chain
        Position of the chain among those asked for.
    layer
        Layers that the reference has passed.
    x, reference
        Tokens (R, N, d) of the two: working arrays, valid until the next meeting.
    """

    chain: int
    layer: int
    x: np.ndarray
    reference: np.ndarray


def depth_chains(
    rng: np.random.Generator,
    x: np.ndarray,
    kernel: Kernel,
    *,
    depths: Sequence[int],
    reference: int,
    horizon: float,
    scale: float,
    beta: float,
) -> Iterator[Meeting]:
    """Run chains of several depths L, and a deep reference, on one field that is white in time.

    At m = ∞ the noise of a layer is the increment of a Gaussian field W(t, ·) over the layer, at
    the tokens after attention, which stay in place while it lasts. In each layer of the reference
    the increment is drawn jointly at the tokens of the reference and of every other chain; a chain
    of depth L adds up reference/L of them. Given its tokens the sum is Gaussian with covariance
    Δt κ(⟨x, y⟩) I_d, so each chain alone has the law of the model.

    Parameters
    ----------
    rng
        Source of all draws.
    x
        Unit tokens (R, N, d) at depth 0, the same for all chains.
    kernel
        κ.
    depths
        L of the chains.
    reference
        L of the reference, a multiple of all `depths`.
    horizon
        T; a chain has Δt = T/L.
    scale, beta
        a and β of the attention.

    Yields
    ------
    Each chain beside the reference, after each of its own layers.

    Raises
    ------
    ValueError
        If the reference is no multiple of a depth.
    """
    if odd := [depth for depth in depths if reference % depth]:
        raise ValueError(f"a reference of {reference} layers is no multiple of {odd[0]}")
    dt = horizon / reference
    strides = [1, *(reference // depth for depth in depths)]
    tokens = np.repeat(x[:, None], len(strides), axis=1)
    noise = _JointField(kernel, tokens)
    increments = np.zeros_like(tokens)
    for layer in range(1, reference + 1):
        for chain, stride in enumerate(strides):
            if (layer - 1) % stride == 0:
                y = model.attention_step(tokens[:, chain], stride * dt, scale, beta)
                noise.move(chain, y)
                increments[:, chain] = 0.0
        increments += noise.sample(rng)
        for chain, stride in enumerate(strides):
            if layer % stride == 0:
                y = noise.points[:, chain]
                tokens[:, chain] = model.noise_step(y, dt, increments[:, chain])
                if chain > 0:
                    yield Meeting(chain - 1, layer, tokens[:, chain], tokens[:, 0])


class _JointField:
    """A Gaussian field with covariance κ(⟨x, y⟩) I_d at the tokens of several chains.

    The chains move at different times, so the covariance is kept, as the gaps κ(1) − κ, and renewed
    only where a chain has moved.

    Attributes
    ----------
    points
        Where the field is drawn, (R, chains, N, d).
    """

    def __init__(self, kernel: Kernel, points: np.ndarray):
        self._kernel = kernel
        self.points = points.copy()
        replicas, chains, n, _ = points.shape
        self._gaps = np.empty((replicas, chains, n, chains, n))
        for chain in range(chains):
            self.move(chain, points[:, chain])

    def move(self, chain: int, y: np.ndarray) -> None:
        """Put one chain at y (R, N, d)."""
        self.points[:, chain] = y
        distances = sphere.one_minus_cosine(y[:, :, None, None], self.points[:, None])
        gaps = self._kernel.gap(distances)
        self._gaps[:, chain] = gaps
        self._gaps[:, :, :, chain] = np.moveaxis(gaps, 1, -1)

    def sample(self, rng: np.random.Generator) -> np.ndarray:
        """Draw the field at all points: (R, chains, N, d)."""
        replicas, chains, n, d = self.points.shape
        gaps = self._gaps.reshape(replicas, chains * n, chains * n)
        factor = gaussian.gap_factor(self._kernel.kappa1, gaps)
        field = factor @ rng.standard_normal((replicas, chains * n, d))
        return field.reshape(self.points.shape)


def width_chains(
    rng: np.random.Generator,
    x: np.ndarray,
    kernel: Kernel,
    *,
    widths: Sequence[int],
    layers: int,
    horizon: float,
    scale: float,
    beta: float,
) -> Iterator[Meeting]:
    """Run chains of several widths m, and the reference m = ∞, on the same output normals.

    Given the hidden values H at its tokens, the noise of a chain is Gaussian with covariance
    K_m = H Hᵀ/m + σ_W² between tokens; at m = ∞ it is K_ij = κ(⟨y_i, y_j⟩). In each layer every
    chain takes G = √K Z, with one Z of N × d independent normals for all and the symmetric root of
    its own K at its own tokens. The hidden weights are independent between chains.

    Parameters
    ----------
    rng
        Source of all draws.
    x
        Unit tokens (R, N, d) at depth 0, the same for all chains.
    kernel
        κ, which also names the activation, d and the deviations of the biases.
    widths
        m of the chains.
    layers, horizon
        L and T of all chains; Δt = T/L.
    scale, beta
        a and β of the attention.

    Yields
    ------
    Each chain beside the reference, after each layer.
    """
    dt = horizon / layers
    activation = activations.get(kernel.activation)
    mlps = [model.ReducedMlp(activation, m, kernel.sigma_u, kernel.sigma_w) for m in widths]
    tokens = np.repeat(x[:, None], 1 + len(mlps), axis=1)
    for layer in range(1, layers + 1):
        y = model.attention_step(tokens, dt, scale, beta)
        covariances = [kernel.kappa1 - kernel.gap(sphere.gaps(y[:, 0]))]
        for chain, mlp in enumerate(mlps, start=1):
            hidden = mlp.hidden(rng, y[:, chain])
            covariances.append(sphere.gram(hidden) / mlp.width + kernel.sigma_w**2)
        roots = symmetric_root(np.stack(covariances, axis=1))
        normals = rng.standard_normal((len(x), 1, *x.shape[1:]))
        tokens = model.noise_step(y, dt, roots @ normals)
        for chain in range(len(mlps)):
            yield Meeting(chain, layer, tokens[:, chain + 1], tokens[:, 0])


def symmetric_root(covariance: np.ndarray) -> np.ndarray:
    """√K of covariances (..., N, N), itself symmetric; negative eigenvalues are rounding: 0."""
    values, vectors = np.linalg.eigh(covariance)
    roots = np.sqrt(np.maximum(values, 0.0))
    return (vectors * roots[..., None, :]) @ np.swapaxes(vectors, -1, -2)


def mean_square(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(1/N) Σ_i |x_i − y_i|² of unit tokens (R, N, d): an array of length R."""
    return 2.0 * sphere.one_minus_cosine(x, y).mean(axis=-1)


def populations(
    rng: np.random.Generator,
    x: Sequence[np.ndarray],
    noise: model.Noise,
    *,
    layers: int,
    dt: float,
    scale: float,
    beta: float,
) -> Iterator[Sequence[np.ndarray]]:
    """Run populations of tokens through the same layers, each attending to itself alone.

    The layer's field is drawn once for all, at the tokens of all populations, so that given the
    noise of all layers the populations are independent if they start so.

    Parameters
    ----------
    rng
        Source of all draws.
    x
        Unit tokens at depth 0, one array (R, N, d) a population; N may differ.
    noise
        Simulator of G.
    layers, dt
        L and Δt.
    scale, beta
        a and β of the attention.

    Yields
    ------
    The tokens before the first layer and after each layer, in the form of `x`.
    """
    yield x
    ends = np.cumsum([population.shape[1] for population in x])[:-1]
    for _ in range(layers):
        steps = [model.attention_step(population, dt, scale, beta) for population in x]
        y = np.concatenate(steps, axis=1)
        x = np.split(model.noise_step(y, dt, noise.sample(rng, y)), ends, axis=1)
        yield x


def squared_distance(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """W₂² of two empirical measures: min over permutations π of (1/N) Σ_i |x_i − y_π(i)|².

    Parameters
    ----------
    x, y
        Unit tokens (R, N, d). The distance between points is that of R^d; that along the sphere is
        larger by a factor of at most π/2.

    Returns
    -------
    Array of length R.
    """
    distances = np.empty(len(x))
    for replica, (ours, theirs) in enumerate(zip(x, y, strict=True)):
        costs = 2.0 * sphere.one_minus_cosine(ours[:, None], theirs[None])
        distances[replica] = costs[linear_sum_assignment(costs)].mean()
    return distances
