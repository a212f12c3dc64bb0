"""Training and evaluation of several networks at once, one thread, float32.

The recipe is AdamW (Loshchilov and Hutter 2019, "Decoupled weight decay regularization") with
clipped gradients, a linear warm-up and a cosine decay to zero. Weight decay acts on embedding and
head only: on the values it would itself suppress their noise. The whole training is one compiled
loop over batches, mapped over networks; the rate is an argument, so that one compilation serves
every rate and every noise level of a job.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax

from deeplimits.fedorov2026.ablation import network
from deeplimits.fedorov2026.ablation.draws import Network
from deeplimits.fedorov2026.ablation.network import Readout

CHUNK = 512
"""Images evaluated at a time, so that memory does not grow with the data set."""


@dataclass(frozen=True)
class Recipe:
    """How a network is trained, alike in all arms and at all noise levels.

    Attributes
    ----------
    beta
        β of the attention.
    steps
        Number of batches.
    warmup
        Number of them over which the rate rises linearly to its peak.
    weight_decay
        Of embedding and head.
    clip
        Largest norm of the gradient.
    train_values
        Whether V is trained or stays as drawn.
    """

    beta: float
    steps: int
    warmup: int
    weight_decay: float
    clip: float
    train_values: bool


class Networks(NamedTuple):
    """Parameters of several networks, stacked along the first axis of every array."""

    readout: Readout
    V: jax.Array


class Data(NamedTuple):
    """All images as patches (images, N, pixels), and their labels."""

    patches: jax.Array
    labels: jax.Array


def data(patches: np.ndarray, labels: np.ndarray) -> Data:
    """Images for JAX, in float32."""
    return Data(jnp.asarray(patches, jnp.float32), jnp.asarray(labels, jnp.int32))


def start(
    draws: Sequence[Network], *, a: float, noise: float, horizon: float, contrast: float
) -> Networks:
    """Networks before training: V_ℓ = a(T/L) I + λ√(T/L) G_ℓ/√d, and a readout of unit scale.

    Positions have a norm near one, embedded patches of standardized pixels one near `contrast`.
    """
    layers, d, _ = draws[0].values.shape
    dt = horizon / layers
    V = a * dt * np.eye(d) + noise * np.sqrt(dt / d) * np.stack([draw.values for draw in draws])
    pixels = len(draws[0].embedding)
    readout = Readout(
        embedding=contrast * np.stack([draw.embedding for draw in draws]) / np.sqrt(pixels * d),
        position=np.stack([draw.position for draw in draws]) / np.sqrt(d),
        head=np.stack([draw.head for draw in draws]) / np.sqrt(d),
        bias=np.zeros((len(draws), draws[0].head.shape[1])),
    )
    return jax.tree.map(partial(jnp.asarray, dtype=jnp.float32), Networks(readout, V))


def train(
    networks: Networks,
    rates: Sequence[float],
    orders: Sequence[np.ndarray],
    data: Data,
    recipe: Recipe,
) -> Networks:
    """Train each network at its peak rate on its batches, indices (steps, batch) of images."""
    rates = jnp.asarray(rates, jnp.float32)
    return _train(networks, rates, jnp.asarray(np.stack(orders), jnp.int32), data, recipe)


def accuracies(
    networks: Networks, images: Sequence[np.ndarray], data: Data, beta: float
) -> np.ndarray:
    """Accuracy of each network on its images, given by indices; as many for every network."""
    chosen = jnp.asarray(np.stack(images), jnp.int32)
    hits = _hits(networks, chosen, data, beta)
    return np.asarray(hits, dtype=np.int64) / chosen.shape[1]


def cosines(
    networks: Networks, images: Sequence[np.ndarray], data: Data, beta: float
) -> np.ndarray:
    """Mean cosine of each network's tokens by depth on its images: (networks, L + 1)."""
    chosen = jnp.asarray(np.stack(images)[:, :CHUNK], jnp.int32)
    return np.asarray(_cosines(networks, chosen, data, beta), dtype=np.float64)


def suppress(networks: Networks, mu: float) -> Networks:
    """The networks with V_ℓ ← V̄ + μ(V_ℓ − V̄), nothing else changed."""
    return networks._replace(V=jax.vmap(network.suppress, (0, None))(networks.V, mu))


def _optimizer(recipe: Recipe, rate: jax.Array) -> optax.GradientTransformation:
    shape = optax.warmup_cosine_decay_schedule(0.0, 1.0, recipe.warmup, recipe.steps)
    decayed = Readout(embedding=True, position=False, head=True, bias=False)
    mask = (decayed, False) if recipe.train_values else (decayed,)
    return optax.chain(
        optax.clip_by_global_norm(recipe.clip),
        optax.adamw(
            lambda step: rate * shape(step + 1), weight_decay=recipe.weight_decay, mask=mask
        ),
    )


@partial(jax.jit, static_argnames="recipe")
@partial(jax.vmap, in_axes=(0, 0, 0, None, None))
def _train(
    networks: Networks, rate: jax.Array, order: jax.Array, data: Data, recipe: Recipe
) -> Networks:
    optimizer = _optimizer(recipe, rate)
    fixed = () if recipe.train_values else (networks.V,)
    trained = tuple(networks) if recipe.train_values else (networks.readout,)

    def step(state: tuple, batch: jax.Array) -> tuple[tuple, None]:
        parameters, memory = state
        gradient = jax.grad(
            lambda p: network.loss(*p, *fixed, data.patches[batch], data.labels[batch], recipe.beta)
        )(parameters)
        update, memory = optimizer.update(gradient, memory, parameters)
        return (optax.apply_updates(parameters, update), memory), None

    (parameters, _), _ = lax.scan(step, (trained, optimizer.init(trained)), order)
    return Networks(*parameters, *fixed)


@jax.jit
@partial(jax.vmap, in_axes=(0, 0, None, None))
def _hits(networks: Networks, images: jax.Array, data: Data, beta: float) -> jax.Array:
    def hit(image: jax.Array) -> jax.Array:
        scores = network.logits(*networks, data.patches[image][None], beta)[0]
        return scores.argmax() == data.labels[image]

    return lax.map(hit, images, batch_size=CHUNK).sum()


@jax.jit
@partial(jax.vmap, in_axes=(0, 0, None, None))
def _cosines(networks: Networks, images: jax.Array, data: Data, beta: float) -> jax.Array:
    return network.cosines(*networks, data.patches[images], beta)
