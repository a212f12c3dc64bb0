"""Grids, cells, jobs and seeds: every cell in one job, and nothing that depends on position."""

import itertools
import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deeplimits import grid

AXES = ("d", "kind", "sigma")
VALUES = {"d": [2, 5, 64], "kind": ["relu", "λ"], "sigma": [0.0, 0.1, 1e-30]}

PRODUCTS = [
    {"d": [2, 5], "kind": ["relu"], "sigma": [0.0, 0.1]},
    {"d": [2], "kind": ["λ"], "sigma": [0.1]},
    {"d": [64], "kind": ["relu", "λ"], "sigma": [0.0]},
]


@st.composite
def grids(draw: st.DrawFn) -> list[dict[str, list[Any]]]:
    """Products that share no cell: the `kind` and `d` values are dealt to one product each."""
    pairs = list(itertools.product(VALUES["d"], VALUES["kind"]))
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    return [
        {"d": [d], "kind": [kind], "sigma": draw(st.lists(sigmas, min_size=1, unique=True))}
        for d, kind in chosen
    ]


sigmas = st.sampled_from(VALUES["sigma"])
splits = st.lists(st.sampled_from(AXES), unique=True)


def points(products: Any) -> list[tuple]:
    return sorted(tuple(cell[axis] for axis in AXES) for cell in grid.cells(products))


@given(grids(), splits)
def test_the_jobs_hold_each_cell_exactly_once(products: list, split: list[str]) -> None:
    jobs = grid.jobs(products, split)
    assert points(part for job in jobs for part in job.products) == points(products)
    assert len({job.name for job in jobs}) == len(jobs)


@given(grids(), splits)
def test_a_job_is_the_cells_that_share_the_split_values(products: list, split: list[str]) -> None:
    shared = []
    for job in grid.jobs(products, split):
        values = {tuple(cell[axis] for axis in split) for cell in grid.cells(job.products)}
        assert len(values) == 1
        shared.append(values.pop())
    assert len(set(shared)) == len(shared)


@given(grids(), splits, st.randoms(use_true_random=False))
def test_the_order_of_writing_means_nothing(
    products: list, split: list[str], order: random.Random
) -> None:
    shuffled = [
        {axis: order.sample(product[axis], len(product[axis])) for axis in order.sample(AXES, 3)}
        for product in order.sample(products, len(products))
    ]
    assert grid.ordered(shuffled) == grid.ordered(products)
    jobs, others = grid.jobs(products, split), grid.jobs(shuffled, split)
    assert {job.name: job for job in jobs} == {job.name: job for job in others}


def test_adding_a_split_value_adds_jobs_and_leaves_the_others() -> None:
    before = grid.jobs([{"d": [2, 5], "sigma": [0.0, 0.1]}], ["d"])
    after = grid.jobs([{"d": [2, 3, 5], "sigma": [0.0, 0.1]}], ["d"])
    assert len(after) == len(before) + 1
    assert all(job in after for job in before)


def test_adding_an_inner_value_keeps_the_names_of_the_jobs() -> None:
    before = grid.jobs([{"d": [2, 5], "sigma": [0.0]}], ["d"])
    after = grid.jobs([{"d": [2, 5], "sigma": [0.0, 0.1]}], ["d"])
    assert [job.name for job in after] == [job.name for job in before]
    assert all(one != other for one, other in zip(before, after, strict=True))


def test_without_split_there_is_one_job() -> None:
    (job,) = grid.jobs(PRODUCTS, [])
    assert points(job.products) == points(PRODUCTS)


def test_job_names_fit_the_wildcard_of_the_rule() -> None:
    for split in ([], ["d"], ["kind", "sigma"]):
        assert all(re.fullmatch("[0-9a-f]{12}", job.name) for job in grid.jobs(PRODUCTS, split))


def test_the_order_of_the_split_axes_means_nothing() -> None:
    assert grid.jobs(PRODUCTS, ["d", "kind"]) == grid.jobs(PRODUCTS, ["kind", "d"])


def test_size_counts_the_cells() -> None:
    assert grid.size(PRODUCTS) == len(list(grid.cells(PRODUCTS))) == 4 + 1 + 2


@pytest.mark.parametrize(
    ("other", "cell"),
    [
        ({"d": [5, 7], "kind": ["relu", "x"], "sigma": [0.1]}, {"d": 5, "kind": "relu"}),
        ({"d": [5, 7], "kind": ["x"], "sigma": [0.1]}, None),
        ({"d": [5], "kind": ["relu"], "sigma": [0.2]}, None),
    ],
)
def test_overlap_is_a_cell_that_two_products_share(other: dict, cell: dict | None) -> None:
    expected = cell and {**cell, "sigma": 0.1}
    assert grid.overlap([*PRODUCTS, other]) == expected
    assert grid.overlap([other, *PRODUCTS]) == expected


@given(
    st.lists(
        st.fixed_dictionaries(
            {axis: st.lists(st.integers(0, 3), min_size=1, unique=True) for axis in "abc"}
        ),
        min_size=1,
        max_size=6,
    )
)
def test_overlap_finds_a_repeated_cell_where_there_is_one(products: list) -> None:
    cells = list(grid.cells(products))
    repeated = [cell for cell in cells if cells.count(cell) > 1]
    assert (grid.overlap(products) in repeated) if repeated else grid.overlap(products) is None


def test_overlap_of_many_products_takes_no_time() -> None:
    """Pair by pair it would take minutes."""
    products = [{"a": [i], "b": [i % 7, -1], "c": [0.5]} for i in range(10_000)]
    assert grid.overlap(products) is None
    assert grid.overlap([*products, products[7]]) == {"a": 7, "b": -1, "c": 0.5}


def entropy(cell: dict[str, Any], paired: tuple[str, ...] = (), root: int = 1) -> int:
    return grid.seed(root, "paper/experiment", cell, paired).entropy


def test_seeds_depend_on_root_experiment_and_values() -> None:
    cell = {"d": 5, "sigma": 0.1}
    seeds = {
        entropy(cell),
        entropy(cell, root=2),
        grid.seed(1, "paper/other", cell, ()).entropy,
        entropy({"d": 6, "sigma": 0.1}),
        entropy({"d": 5, "sigma": 0.1 + 1e-16}),
        entropy({"sigma": 5, "d": 0.1}),
        entropy({"d": 5, "sigma": 0.1, "kind": "x"}),
    }
    assert len(seeds) == 7
    assert all(0 <= seed < 2**128 for seed in seeds)


def test_seeds_are_what_they_always_were() -> None:
    """Golden: another seed would change every stored table."""
    assert (
        f"{entropy({'d': 5, 'sigma': 0.1, 'kind': 'λ'}):032x}" == "bc4898ebc01e994414cf6a9726b6ec04"
    )


def test_seeds_do_not_depend_on_the_order_of_the_axes() -> None:
    assert entropy({"d": 5, "sigma": 0.1}) == entropy({"sigma": 0.1, "d": 5})


def test_cells_that_differ_in_a_paired_axis_share_their_seed() -> None:
    assert entropy({"d": 5, "a": 1}, ("a",)) == entropy({"d": 5, "a": -1}, ("a",))
    assert entropy({"d": 5, "a": 1}, ("a",)) != entropy({"d": 6, "a": 1}, ("a",))
    assert entropy({"d": 5, "a": 1}, ()) != entropy({"d": 5, "a": -1}, ())


def test_the_seeds_of_a_grown_grid_contain_the_old_ones() -> None:
    grown = [{**product, "sigma": [*product["sigma"], 7.0]} for product in reversed(PRODUCTS)]
    old = {str(sorted(cell.items())): entropy(cell) for cell in grid.cells(PRODUCTS)}
    new = {str(sorted(cell.items())): entropy(cell) for cell in grid.cells(grown)}
    assert old.items() <= new.items()
    assert len(set(new.values())) == len(new)
