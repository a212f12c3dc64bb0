"""The sample of cells: decided by its seed, every experiment in it, dear cells less often."""

import numpy as np

from deeplimits.verification import sampling
from deeplimits.verification.sampling import Priced

EXPERIMENTS = {
    ("p", "cheap"): [Priced({"x": x}, 0.5) for x in range(40)],
    ("p", "dear"): [Priced({"x": x}, 1000.0) for x in range(3)],
    ("q", "mixed"): [Priced({"x": x}, 0.1 if x < 5 else 4.0) for x in range(10)],
}


def test_every_experiment_is_represented_within_its_share() -> None:
    chosen = sampling.within(EXPERIMENTS, seed=0, budget=30.0)
    assert {name: len(cells) for name, cells in chosen.items()} == {
        **{("p", "cheap"): 20, ("p", "dear"): 1},
        ("q", "mixed"): len(chosen["q", "mixed"]),
    }
    for name, cells in chosen.items():
        assert sum(priced.seconds for priced in cells) <= 10.0 or len(cells) == 1
        assert all(priced in EXPERIMENTS[name] for priced in cells)


def test_the_seed_decides() -> None:
    first, again, other = (sampling.within(EXPERIMENTS, seed, 30.0) for seed in (0, 0, 1))
    assert first == again
    assert first["p", "cheap"] != other["p", "cheap"]


def test_cheap_cells_come_first_as_often_as_they_are_cheaper() -> None:
    cells = {("q", "two"): [Priced({"x": 0}, 1.0), Priced({"x": 1}, 3.0)]}
    first = [sampling.of_number(cells, seed, 1)["q", "two"][0].seconds for seed in range(800)]
    share = np.mean(np.array(first) == 1.0)
    assert abs(share - 0.75) < 4 * np.sqrt(0.75 * 0.25 / 800)


def test_the_order_of_the_cells_means_nothing() -> None:
    backwards = {name: cells[::-1] for name, cells in EXPERIMENTS.items()}
    assert sampling.within(backwards, 3, 30.0) == sampling.within(EXPERIMENTS, 3, 30.0)


def test_a_number_of_cells_is_taken_in_turn() -> None:
    sizes = [
        [len(cells) for cells in sampling.of_number(EXPERIMENTS, 0, number).values()]
        for number in (1, 3, 7, 1000)
    ]
    assert sizes == [[1, 0, 0], [1, 1, 1], [3, 2, 2], [40, 3, 10]]
