"""The network: patches to unit tokens, L attention layers on the sphere, mean pooling, a head.

With unit tokens as rows and A = softmax(β⟨x_i,x_j⟩), layer ℓ is x_i ← LN(x_i + V_ℓ Σ_j A_ij x_j):
the working form of the value-noise model (arXiv 2601.21942; QᵀK = βI fixed, no feed-forward block)
with matrices V_ℓ that are given, random or trained. Embedding, positions, pooling and head are our
choice. Everything is float32, one network and a batch of images at a time; `training` maps it over
networks.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import lax


class Readout(NamedTuple):
    """What surrounds the layers and is always trained.

    Attributes
    ----------
    embedding
        (pixels of a patch, d), shared by all patches.
    position
        (N, d), added to the embedded patches.
    head
        (d, classes).
    bias
        (classes,).
    """

    embedding: jax.Array
    position: jax.Array
    head: jax.Array
    bias: jax.Array


def normalize(x: jax.Array) -> jax.Array:
    """LN(x) = x/|x| along the last axis."""
    return x * lax.rsqrt(jnp.sum(x * x, axis=-1, keepdims=True))


def embed(readout: Readout, patches: jax.Array) -> jax.Array:
    """Unit tokens (B, N, d) of patches (B, N, pixels)."""
    return normalize(patches @ readout.embedding + readout.position)


def layer(x: jax.Array, V: jax.Array, beta: float) -> jax.Array:
    """x_i ← LN(x_i + V Σ_j A_ij x_j) for unit tokens (B, N, d) and V (d, d)."""
    weights = jax.nn.softmax(beta * jnp.einsum("bid,bjd->bij", x, x), axis=-1)
    means = jnp.einsum("bij,bjd->bid", weights, x)
    return normalize(x + means @ V.T)


def logits(readout: Readout, V: jax.Array, patches: jax.Array, beta: float) -> jax.Array:
    """Logits (B, classes) through the layers V (L, d, d).

    The mean token is scaled by √d, so that its coordinates are of order one as those of the head.
    """
    x, _ = lax.scan(lambda x, V_l: (layer(x, V_l, beta), None), embed(readout, patches), V)
    return jnp.sqrt(x.shape[-1]) * x.mean(axis=1) @ readout.head + readout.bias


def loss(
    readout: Readout, V: jax.Array, patches: jax.Array, labels: jax.Array, beta: float
) -> jax.Array:
    """Mean cross-entropy of a batch."""
    scores = logits(readout, V, patches, beta)
    return optax.softmax_cross_entropy_with_integer_labels(scores, labels).mean()


def accuracy(
    readout: Readout, V: jax.Array, patches: jax.Array, labels: jax.Array, beta: float
) -> jax.Array:
    """Share of images whose largest logit is their label's."""
    return jnp.mean(logits(readout, V, patches, beta).argmax(axis=-1) == labels)


def cosines(readout: Readout, V: jax.Array, patches: jax.Array, beta: float) -> jax.Array:
    """Mean of ⟨x_i, x_j⟩ over i ≠ j and images, before each layer and after the last: (L + 1,)."""
    start = embed(readout, patches)
    last, means = lax.scan(lambda x, V_l: (layer(x, V_l, beta), _mean_cosine(x)), start, V)
    return jnp.append(means, _mean_cosine(last))


def _mean_cosine(x: jax.Array) -> jax.Array:
    """(|Σ_i x_i|² − N)/(N(N − 1)), averaged over images."""
    n = x.shape[1]
    squared = jnp.sum(x.sum(axis=1) ** 2, axis=-1)
    return jnp.mean((squared - n) / (n * (n - 1)))


def suppress(V: jax.Array, mu: jax.Array) -> jax.Array:
    """V_ℓ ← V̄ + μ(V_ℓ − V̄), V̄ the mean over the layers of V (L, d, d)."""
    mean = V.mean(axis=0)
    return mean + mu * (V - mean)
