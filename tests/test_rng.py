"""Random streams: derived from what is simulated, block by block."""

import numpy as np
import pytest

from deeplimits import rng


def draws(seed: int, replicas: int, block: int) -> list[np.ndarray]:
    streams = rng.blocks(np.random.SeedSequence(seed), replicas, block)
    return [generator.standard_normal(size) for generator, size in streams]


@pytest.mark.parametrize(("replicas", "block"), [(10, 3), (9, 3), (2, 5), (1, 1)])
def test_blocks_hold_every_replica_once(replicas: int, block: int) -> None:
    sizes = [len(part) for part in draws(1, replicas, block)]
    assert sum(sizes) == replicas
    assert all(size == block for size in sizes[:-1])
    assert 1 <= sizes[-1] <= block


def test_adding_replicas_keeps_the_blocks_before() -> None:
    few, many = draws(1, 6, 3), draws(1, 12, 3)
    assert all(np.array_equal(a, b) for a, b in zip(few, many, strict=False))


def test_a_block_does_not_depend_on_which_were_drawn_before_it() -> None:
    seed = np.random.SeedSequence(1)
    in_turn = draws(1, 9, 3)
    last = list(rng.blocks(seed, 9, 3))[-1][0].standard_normal(3)
    assert np.array_equal(last, in_turn[-1])
    again = list(rng.blocks(seed, 9, 3))[-1][0].standard_normal(3)
    assert np.array_equal(again, last), "blocks() must not change the seed it is given"


def test_blocks_have_different_streams() -> None:
    parts = np.array(draws(1, 300, 3))
    assert len(np.unique(parts)) == 300
    assert not np.array_equal(draws(2, 3, 3)[0], parts[0])


def test_blocks_of_a_spawned_seed_are_its_own() -> None:
    one, other = np.random.SeedSequence(1).spawn(2)
    first = [next(rng.blocks(seed, 3, 3))[0].standard_normal() for seed in (one, other)]
    assert first[0] != first[1]


def test_the_streams_are_what_they_always_were() -> None:
    """Golden: another generator would change every stored table."""
    seed = np.random.SeedSequence(rng.derive(1, "paper/experiment", {"d": 5}))
    assert rng.generator(seed).integers(2**63, size=2).tolist() == [
        8984502534272195972,
        5009989563411849310,
    ]


def test_a_seed_refuses_what_is_not_a_number() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        rng.derive(1, "paper/experiment", {"sigma": float("nan")})
