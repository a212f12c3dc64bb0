"""What grows with a grid: never the number of steps or files, nor what planning does a cell."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deeplimits import config, config_files, digest, grid
from deeplimits.plan import Plan
from toy_steps import axes, walks

ROOT = Path(__file__).parents[1]
SWEEP = ROOT / "workflow" / "config" / "sweep.yaml"
SWEPT = ("fedorov2026", "phase_diagram")


def plan(raw: dict[str, Any]) -> Plan:
    return Plan(config.validate(raw))


@pytest.fixture(scope="module")
def full() -> Plan:
    return plan(config_files.read_files([ROOT / "config.yaml"]))


@pytest.fixture(scope="module")
def sweep() -> Plan:
    return plan(config_files.read_files([ROOT / "config.yaml", SWEEP]))


@pytest.fixture(scope="module")
def swept(sweep: Plan) -> config.Experiment:
    paper, name = SWEPT
    return sweep.configuration.experiments[paper][name]


def jobs_of(planned: Plan, *experiment: str) -> list[str]:
    """The specifications of an experiment's jobs."""
    return [step.text for name, step in planned.steps["simulate"].items() if name[:2] == experiment]


def test_the_sweep_is_large_and_its_jobs_are_few(sweep: Plan, swept: config.Experiment) -> None:
    assert grid.size(swept.products) >= 100_000
    assert len(jobs_of(sweep, *SWEPT)) <= 500


def test_the_sweep_has_folders_of_its_own(sweep: Plan, full: Plan) -> None:
    folders = [set(p.configuration.top.folders.model_dump().values()) for p in (sweep, full)]
    assert not folders[0] & folders[1]


def test_the_sweep_changes_one_experiment(sweep: Plan, full: Plan) -> None:
    changed = [
        (paper, name)
        for paper, experiments in full.configuration.experiments.items()
        for name, experiment in experiments.items()
        if sweep.configuration.experiments[paper][name] != experiment
    ]
    assert changed == [SWEPT]


def test_the_sweep_covers_the_map_of_the_paper(full: Plan, swept: config.Experiment) -> None:
    paper, name = SWEPT
    (coarse,) = full.configuration.experiments[paper][name].products
    (fine,) = swept.products
    for axis, values in coarse.items():
        assert set(values) <= set(fine[axis]), axis


def test_specifications_of_the_sweep_are_as_small_as_its_axes(
    sweep: Plan, swept: config.Experiment
) -> None:
    listed = sum(len(values) for product in swept.products for values in product.values())
    assert max(map(len, jobs_of(sweep, *SWEPT))) < 1000 + 10 * listed


def grow(raw: dict[str, Any], factor: int) -> None:
    """So many times the values on each of three axes along which the walks are not cut."""
    product = axes(raw)
    product["kind"] = [f"k{index}" for index in range(2 * factor)]
    product["spread"] = [0.1 + index / 8 for index in range(2 * factor)]
    product["replica"] = list(range(3 * factor))
    raw["limits"] = {"cells": 10**7, "jobs": 100}


SPLITS = ([], ["drift"])


@pytest.mark.parametrize("split", SPLITS)
def test_steps_and_files_do_not_grow_with_the_cells(toy: dict[str, Any], split: list[str]) -> None:
    walks(toy)["split"] = split
    before = plan(toy)
    grow(toy, 20)
    after = plan(toy)
    for stage, steps in before.steps.items():
        assert {name: step.outputs for name, step in steps.items()} == {
            name: step.outputs for name, step in after.steps[stage].items()
        }


@pytest.mark.parametrize("split", SPLITS)
def test_specifications_grow_with_the_axes_and_not_with_the_cells(
    toy: dict[str, Any], split: list[str]
) -> None:
    walks(toy)["split"] = split
    sizes = {}
    for factor in (1, 20):
        grow(toy, factor)
        planned = plan(toy)
        sizes[factor] = {
            (stage, *name): len(step.text)
            for stage, steps in planned.steps.items()
            for name, step in steps.items()
        }
    listed = 19 * (2 + 2 + 3)
    for name, size in sizes[20].items():
        assert size - sizes[1][name] < 10 * listed, name


@pytest.fixture
def visited(monkeypatch: pytest.MonkeyPatch) -> Counter:
    """Counts the cells that are gone through one by one, and the values that are digested."""
    count: Counter = Counter()
    cells, canonical = grid.cells, digest.canonical

    def counted(products: Any) -> Iterator[grid.Point]:
        for cell in cells(products):
            count["cells"] += 1
            yield cell

    def measured(value: Any) -> str:
        count["digests"] += 1
        return canonical(value)

    monkeypatch.setattr(grid, "cells", counted)
    monkeypatch.setattr(digest, "canonical", measured)
    return count


@pytest.mark.parametrize("split", SPLITS)
def test_planning_looks_at_no_cell(toy: dict[str, Any], visited: Counter, split: list[str]) -> None:
    """Beyond the schemas that relate axes, which have to see them; the walks' one does not."""
    walks(toy)["split"] = split
    plan(toy)
    small = visited.copy()
    visited.clear()
    grow(toy, 20)
    plan(toy)
    assert visited == small


def test_planning_grows_in_proportion_to_the_jobs(toy: dict[str, Any], visited: Counter) -> None:
    work = []
    for jobs in (10, 20, 40):
        axes(toy)["drift"] = [index / 8 for index in range(jobs)]
        visited.clear()
        plan(toy)
        work.append(visited.copy())
    first, second = work[1] - work[0], work[2] - work[1]
    assert first["cells"] == 10
    assert first["digests"] > 0
    assert second == Counter({what: 2 * count for what, count in first.items()})
