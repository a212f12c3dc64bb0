"""The configuration: what is wrong stops with one message that says what is allowed."""

from collections.abc import Callable
from typing import Any

import pytest

from deeplimits import config, grid
from deeplimits.errors import UserError

REMOVED = object()
WALKS, POWERS = "papers.toy2026.walks", "papers.toy2026.powers"
GRID = f"{WALKS}.grid.0"


def change(raw: dict[str, Any], path: str, value: Any) -> None:
    """Set the value at a path such as `papers.toy2026.walks.grid.0.drift`, or remove it."""
    *parents, last = (int(part) if part.isdigit() else part for part in path.split("."))
    for part in parents:
        raw = raw[part]
    if value is REMOVED:
        del raw[last]
    else:
        raw[last] = value


def overlapping(raw: dict[str, Any]) -> None:
    product = raw["papers"]["toy2026"]["walks"]["grid"][0]
    other = {**product, "kind": ["b", "c"], "drift": [1.0, 2.0]}
    raw["papers"]["toy2026"]["walks"]["grid"].append(other)


# (what is wrong, path, value there, the message)
WRONG: list[tuple[str, str | None, Any, str]] = [
    # the top level
    ("misspelt key", "sead", 5, "sead: unknown; did you mean 'seed'? (known: seed, scale, folders"),
    ("key like no other", "x", 5, "x: unknown (known: seed, scale, "),
    (
        "key that is no text",
        None,
        lambda raw: raw.update({5: 1}),
        "[5]: a key must be text; quote it",
    ),
    ("missing key", "seed", REMOVED, "seed: missing; root seed of all random streams"),
    ("text for a seed", "seed", "one", "seed: 'one' should be a valid integer"),
    ("float for a seed", "seed", 1.0, "seed: 1.0 should be a valid integer"),
    ("truth value for a seed", "seed", True, "seed: True should be a valid integer"),
    ("nothing for a seed", "seed", None, "seed: None should be a valid integer"),
    ("negative seed", "seed", -1, "seed: -1 should be greater than or equal to 0"),
    ("large seed", "seed", 2**63, f"seed: {2**63} does not fit into 64 bits;"),
    ("unknown scale", "scale", "full", "scale: 'full' should be 'paper' or 'reduced'"),
    ("text for a section", "limits", "many", "limits: 'many' should be a valid mapping"),
    ("misspelt limit", "limits.cell", 5, "limits.cell: unknown; did you mean 'cells'? (known: "),
    ("limit of zero", "limits.cells", 0, "limits.cells: 0 should be greater than or equal to 1"),
    ("missing resource", "resources.other.mem_mb", REMOVED, "resources.other.mem_mb: missing; mem"),
    ("resource that is text", "resources.other.runtime", "5h", "resources.other.runtime: '5h' sh"),
    # folders
    *(
        (f"folder {folder!r}", "folders.results", folder, f"folders.results: {folder!r} must be a")
        for folder in ("../out", "/tmp/out", "a/../b", "", ".", ".git", "a//b", "~/a", "a b", "a\n")
    ),
    ("folder that is a number", "folders.logs", 5, "folders.logs: 5 should be a valid string"),
    # papers and experiments
    ("no papers", "papers", {}, "papers: {} should have at least 1 item, not 0"),
    ("papers of nothing", "papers", None, "papers: None should be a valid mapping"),
    (
        "misspelt paper",
        "papers.toy2025",
        {},
        "papers.toy2025: unknown; did you mean 'toy2026'? (kn",
    ),
    ("number for a paper", None, lambda raw: raw["papers"].update({5: {}}), "papers[5]: a key mu"),
    (
        "unknown experiment",
        "papers.toy2026.walk",
        {"grid": [{}]},
        "papers.toy2026.walk: unknown; did you mean 'walks'? (known: powers, walks)",
    ),
    ("experiment left out", WALKS, REMOVED, f"{WALKS}: missing; every experiment of a configured"),
    ("experiment of nothing", WALKS, None, f"{WALKS}: None should be a valid mapping"),
    (
        "misspelt part",
        f"{WALKS}.spilt",
        [],
        f"{WALKS}.spilt: unknown; did you mean 'split'? (known",
    ),
    ("grid left out", f"{WALKS}.grid", REMOVED, f"{WALKS}.grid: missing; products of axes: each"),
    ("empty grid", f"{WALKS}.grid", [], f"{WALKS}.grid: [] should have at least 1 item"),
    ("grid that is no list", f"{WALKS}.grid", {"d": [1]}, f"{WALKS}.grid: {{'d': [1]}} should be"),
    # axes
    (
        "axis left out",
        f"{GRID}.drift",
        REMOVED,
        f"{WALKS}.grid[0].drift: missing; mean of one step",
    ),
    (
        "misspelt axis",
        f"{GRID}.drifts",
        [1],
        f"{WALKS}.grid[0].drifts: unknown; did you mean 'drif",
    ),
    ("axis without values", f"{GRID}.drift", [], f"{WALKS}.grid[0].drift: has no value"),
    (
        "value that is no list",
        f"{GRID}.drift",
        1.0,
        f"{WALKS}.grid[0].drift: 1.0 should be a valid",
    ),
    (
        "value twice",
        f"{GRID}.drift",
        [1, 2, 1.0],
        f"{WALKS}.grid[0].drift: 1.0 stands twice",
    ),
    ("zero twice", f"{GRID}.drift", [0.0, -0.0], f"{WALKS}.grid[0].drift: 0.0 stands twice"),
    ("value below", f"{GRID}.drift", [1, -11], f"{WALKS}.grid[0].drift[1]: -11 should be greater "),
    (
        "value at a bound",
        f"{GRID}.spread",
        [0],
        f"{WALKS}.grid[0].spread[0]: 0 should be greater t",
    ),
    (
        "NaN",
        f"{GRID}.drift",
        [float("nan")],
        f"{WALKS}.grid[0].drift[0]: nan should be a finite nu",
    ),
    (
        "infinity",
        f"{GRID}.drift",
        [float("inf")],
        f"{WALKS}.grid[0].drift[0]: inf should be a fini",
    ),
    (
        "text",
        f"{GRID}.drift",
        ["fast"],
        f"{WALKS}.grid[0].drift[0]: 'fast' should be a valid numbe",
    ),
    (
        "number for text",
        f"{GRID}.kind",
        [1],
        f"{WALKS}.grid[0].kind[0]: 1 should be a valid string",
    ),
    (
        "float for whole",
        f"{GRID}.replica",
        [1.5],
        f"{WALKS}.grid[0].replica[0]: 1.5 should be a va",
    ),
    (
        "truth for whole",
        f"{GRID}.replica",
        [True],
        f"{WALKS}.grid[0].replica[0]: True should be a ",
    ),
    ("truth for float", f"{GRID}.drift", [True], f"{WALKS}.grid[0].drift[0]: True should be a val"),
    (
        "nested list",
        f"{GRID}.drift",
        [[1]],
        f"{WALKS}.grid[0].drift[0]: [1] should be a valid numb",
    ),
    (
        "nothing",
        f"{GRID}.drift",
        [None],
        f"{WALKS}.grid[0].drift[0]: None should be a valid number",
    ),
    (
        "number that YAML reads as text",
        f"{GRID}.drift",
        ["1e-3"],
        f"{WALKS}.grid[0].drift[0]: '1e-3' should be a valid number; it was read as text, write "
        "0.001",
    ),
    (
        "small number that YAML reads as text",
        f"{GRID}.drift",
        ["1e-7"],
        f"{WALKS}.grid[0].drift[0]: '1e-7' should be a valid number; it was read as text, write "
        "1.0e-07",
    ),
    (
        "whole number that YAML reads as text",
        f"{GRID}.replica",
        ["1e3"],
        f"{WALKS}.grid[0].replica[0]: '1e3' should be a valid integer; it was read as text, write "
        "1000",
    ),
    (
        "broken number for a whole one",
        f"{GRID}.replica",
        ["1e-3"],
        f"{WALKS}.grid[0].replica[0]: '1e-3' should be a valid integer; it was read as text",
    ),
    # settings
    ("misspelt setting", f"{WALKS}.settings.step", 4, f"{WALKS}.settings.step: unknown; did you m"),
    (
        "setting left out",
        f"{WALKS}.settings.steps",
        REMOVED,
        f"{WALKS}.settings.steps: missing; num",
    ),
    (
        "setting out of range",
        f"{WALKS}.settings.steps",
        0,
        f"{WALKS}.settings.steps: 0 should be g",
    ),
    ("setting of NaN", f"{WALKS}.settings.scale", float("nan"), f"{WALKS}.settings.scale: nan sho"),
    (
        "setting as text",
        f"{WALKS}.settings.scale",
        "2e0",
        f"{WALKS}.settings.scale: '2e0' should b",
    ),
    ("settings as list", f"{WALKS}.settings", [1], f"{WALKS}.settings: [1] should be a valid map"),
    ("settings for none", f"{POWERS}.settings", {"a": 1}, f"{POWERS}.settings.a: unknown (known: "),
    ("resources in part", f"{WALKS}.resources", {"mem_mb": 5}, f"{WALKS}.resources.runtime: missi"),
    (
        "unknown resource",
        f"{WALKS}.resources",
        {"mem": 5},
        f"{WALKS}.resources.mem: unknown; did y",
    ),
    # split and paired
    (
        "unknown split",
        f"{WALKS}.split",
        ["drfit"],
        f"{WALKS}.split.drfit: unknown; did you mean 'd",
    ),
    (
        "split twice",
        f"{WALKS}.split",
        ["drift", "drift"],
        f"{WALKS}.split: 'drift' stands twice",
    ),
    (
        "unknown paired",
        f"{WALKS}.paired",
        ["spred"],
        f"{WALKS}.paired.spred: unknown; did you mean 's",
    ),
    ("split as text", f"{WALKS}.split", "drift", f"{WALKS}.split: 'drift' should be a valid list"),
    # grids as a whole
    (
        "huge grid",
        f"{GRID}.replica",
        list(range(500)),
        f"{WALKS}.grid: 4000 cells, at most limits.",
    ),
    ("many jobs", f"{WALKS}.split", ["replica", "drift"], f"{WALKS}.split: up to 6 jobs, at most"),
    (
        "products that share a cell",
        None,
        overlapping,
        f"{WALKS}.grid: two products share the cell {{",
    ),
    (
        "axes that do not go together",
        f"{POWERS}.grid.0.factor",
        [1, 60],
        f"{POWERS}.grid: cell {{'factor': 60, 'exponent': 1}}: factor times exponent must be at "
        "most 50",
    ),
]


@pytest.mark.parametrize(
    ("path", "value", "message"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG]
)
def test_what_is_wrong_is_named(
    toy: dict[str, Any], path: str | None, value: Any, message: str
) -> None:
    toy["limits"]["jobs"] = 5
    if path is None:
        value(toy)
    else:
        change(toy, path, value)
    with pytest.raises(UserError) as caught:
        config.validate(toy)
    text = str(caught.value)
    assert text.startswith(f"config key {message}")
    assert "\n" not in text
    assert "validation error" not in text


@pytest.mark.parametrize("text", ["nan", "inf", "x"])
def test_text_that_is_no_number_gets_no_advice(toy: dict[str, Any], text: str) -> None:
    change(toy, f"{GRID}.drift", [text])
    with pytest.raises(UserError, match=rf"\[0\]: '{text}' should be a valid number$"):
        config.validate(toy)


def test_one_message_counts_the_others(toy: dict[str, Any]) -> None:
    toy.update(seed=-1, scale="x", limits={"cells": 0, "jobs": 5})
    with pytest.raises(UserError, match=r"seed: -1 .* \(and 2 more\)$"):
        config.validate(toy)


@pytest.fixture
def typed(toy: dict[str, Any]) -> Callable[..., config.Experiment]:
    def validate(**changes: Any) -> config.Experiment:
        toy["papers"]["toy2026"]["walks"].update(changes)
        return config.validate(toy).experiments["toy2026"]["walks"]

    return validate


def test_values_are_typed_and_sorted(typed: Callable[..., config.Experiment]) -> None:
    product = {"replica": [2, 0], "spread": [1], "drift": [1, -0.0, 0.5], "kind": ["b", "a"]}
    experiment = typed(grid=[product], split=["spread", "drift"])
    assert experiment.products == [
        {"drift": [0.0, 0.5, 1.0], "kind": ["a", "b"], "replica": [0, 2], "spread": [1.0]}
    ]
    assert str(experiment.products[0]["drift"]) == "[0.0, 0.5, 1.0]"
    assert str(experiment.products[0]["spread"]) == "[1.0]"
    assert experiment.split == ["drift", "spread"]


def test_five_and_five_point_zero_give_one_seed(
    typed: Callable[..., config.Experiment],
) -> None:
    product = {"kind": ["a"], "drift": [5], "spread": [1], "replica": [0]}
    seeds = {
        grid.seed(
            1, "x", next(grid.cells(typed(grid=[{**product, "drift": [d]}]).products)), ()
        ).entropy
        for d in (5, 5.0)
    }
    assert len(seeds) == 1


def test_settings_get_their_defaults_and_types(typed: Callable[..., config.Experiment]) -> None:
    settings = typed(settings={"steps": 3, "scale": 2}).settings
    assert settings == {"steps": 3, "scale": 2.0, "offset": 1.0}
    assert isinstance(settings["scale"], float)


def test_an_experiment_may_ask_for_its_own_resources(
    toy: dict[str, Any], typed: Callable[..., config.Experiment]
) -> None:
    assert typed().resources.mem_mb == toy["resources"]["simulate"]["mem_mb"]
    assert typed(resources={"mem_mb": 7, "runtime": 1}).resources.mem_mb == 7


def test_without_split_the_limit_of_jobs_does_not_count_products(
    toy: dict[str, Any], typed: Callable[..., config.Experiment]
) -> None:
    toy["limits"]["jobs"] = 1
    product = {"kind": ["a"], "drift": [5], "spread": [1], "replica": [0]}
    assert len(typed(grid=[product, {**product, "kind": ["b"]}], split=[]).products) == 2


def test_a_huge_grid_is_refused_before_its_cells_are_made(
    toy: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Any) -> None:
        raise AssertionError("the cells were made")

    monkeypatch.setattr(grid, "cells", refuse)
    powers = toy["papers"]["toy2026"]["powers"]
    powers["grid"] = [{"factor": list(range(1, 1000)), "exponent": list(range(1000))}]
    with pytest.raises(UserError, match="999000 cells"):
        config.validate(toy)


def test_a_field_validator_of_an_axis_is_heard(
    toy: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pydantic import field_validator

    from deeplimits.toy2026.experiments import powers  # only there with the fixture

    class Even(powers.Cell):
        @field_validator("factor")
        @classmethod
        def _even(cls, value: int) -> int:
            if value % 2:
                raise ValueError("must be even")
            return value

    monkeypatch.setattr(powers, "Cell", Even)
    with pytest.raises(
        UserError, match=r"cell {'factor': 1, 'exponent': 1}.factor: 1 must be even"
    ):
        config.validate(toy)
