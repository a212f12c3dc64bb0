"""Random streams: a seed is a value derived from what is simulated, never from when or where.

A cell's seed comes from its own identity (`derive`), a replica's stream from its block within the
cell (`blocks`); neither the position in the grid, the job, nor the number of workers enters.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping

import numpy as np


def derive(root: int, experiment: str, values: Mapping[str, float | int | str | bool]) -> int:
    """128-bit seed of a cell: BLAKE2 of the root seed, the experiment's name and the axis values.

    The values must already have been typed by the experiment's schema, so that 5 and 5.0 agree.
    """
    identity = json.dumps([root, experiment, dict(values)], sort_keys=True, allow_nan=False)
    return int.from_bytes(hashlib.blake2b(identity.encode(), digest_size=16).digest(), "big")


def generator(seed: np.random.SeedSequence) -> np.random.Generator:
    """The project's bit generator (PCG64DXSM) started from `seed`."""
    return np.random.Generator(np.random.PCG64DXSM(seed))


def blocks(
    seed: np.random.SeedSequence, replicas: int, block: int
) -> Iterator[tuple[np.random.Generator, int]]:
    """Split `replicas` into blocks of at most `block`, each with a stream of its own.

    Yields (generator, size). Block k always draws from child k of `seed`, so the first blocks keep
    their bits when replicas are added.
    """
    for k, start in enumerate(range(0, replicas, block)):
        child = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, k))
        yield generator(child), min(block, replicas - start)
