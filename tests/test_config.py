"""The configuration: what is wrong stops with one message that says what is allowed."""

import subprocess
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from deeplimits import config, grid
from deeplimits.errors import UserError

CHECKOUT = Path(__file__).parents[1]
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


def deep(depth: int) -> list:
    return [deep(depth - 1)] if depth else []


def endless() -> list:
    value: list = []
    value.append(value)
    return value


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
    ("unknown scale", "scale", "full", "scale: 'full' should be 'paper', 'reduced' or 'stress'"),
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
    *(
        (f"folder {folder!r}", "folders.figures", folder, f"folders.figures: {folder!r} must not l")
        for folder in (*config.SOURCES, "src/deeplimits", "docs/a/b", "Tests", "SRC")
    ),
    ("long folder", "folders.logs", "é" * 101, "folders.logs: 'éééééééééééééé"),
    *(
        (f"folders {folder!r} twice", "folders.logs", folder, "folders: {'results': 'results', ")
        for folder in ("results", "figures", "RESULTS")
    ),
    # what YAML reads as another type than was meant
    (
        "no in quotes",
        "scale",
        False,
        "scale: False should be 'paper', 'reduced' or 'stress'; if a word is",
    ),
    ("date for text", f"{GRID}.kind", [date(2020, 1, 1)], f"{WALKS}.grid[0].kind[0]: 2020-01-01 "),
    (
        "truth for text",
        f"{GRID}.kind",
        [True],
        f"{WALKS}.grid[0].kind[0]: True should be a valid string; if text is meant, put it in quot",
    ),
    ("date for a number", f"{GRID}.drift", [date(2020, 1, 1)], f"{WALKS}.grid[0].drift[0]: 2020-"),
    ("bytes", f"{GRID}.kind", [b"a"], f"{WALKS}.grid[0].kind[0]: b'a' should be a valid string"),
    ("key that is a truth value", f"{WALKS}.True", 1, f"{WALKS}.True: unknown (known: grid, spl"),
    (
        "key that YAML reads as truth",
        None,
        lambda raw: raw.update({True: 1}),
        "True: a key must be",
    ),
    ("key that is nothing", None, lambda raw: raw.update({None: 1}), "None: a key must be text"),
    (
        "key that is a date",
        None,
        lambda raw: raw["papers"].update({date(2020, 1, 1): {}}),
        "papers.2020-01-01: a key must be text; quote it",
    ),
    # what can't be printed, stored or shown in a line
    ("key of two lines", "a\nb", 1, r"'a\nb': unknown (known: seed, "),
    ("key from right to left", "\u202eseed", 1, r"'\u202eseed': unknown; did you mean 'seed'?"),
    ("empty key", "limits.", 1, "limits.'': unknown (known: cells, jobs)"),
    ("long key", "x" * 9999, 1, "'xxxxxxxxxxxxxx"),
    (
        "half a character",
        f"{GRID}.kind",
        ["\ud800"],
        rf"{WALKS}.grid[0].kind[0]: '\ud800' holds ha",
    ),
    ("half a character in a key", "\ud800", 1, r"'\ud800': '\ud800' holds half of a character"),
    ("huge number", f"{GRID}.replica", [10**18, 10**19], f"{WALKS}.grid[0].replica[1]: 1000000000"),
    (
        "number of a million bits",
        "limits.cells",
        1 << 10**6,
        "limits.cells: a whole number of 1000",
    ),
    ("deep nesting", f"{WALKS}.settings.steps", deep(30), f"{WALKS}.settings.steps[0][0][0]"),
    ("endless nesting", f"{WALKS}.settings.steps", endless(), f"{WALKS}.settings.steps[0][0][0]"),
    ("large wrong value", "scale", ["x" * 10**6] * 1000, "scale: ['xxxxxxxxx"),
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
        "whole number of 16 digits that YAML reads as text",
        f"{GRID}.replica",
        ["9007199254740993"],
        f"{WALKS}.grid[0].replica[0]: '9007199254740993' should be a valid integer; it was read as "
        "text, write 9007199254740993",
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
        f"{WALKS}.split[0]: 'drfit' unknown; did you mean 'd",
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
        f"{WALKS}.paired[0]: 'spred' unknown; did you mean 's",
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
    assert text.isprintable()
    assert len(text) < 1000
    assert "validation error" not in text


@pytest.mark.parametrize("text", ["nan", "inf", "x", "1e400", "-1e999999", "9" * 400, "", "\0"])
def test_text_that_is_no_number_gets_no_advice(toy: dict[str, Any], text: str) -> None:
    change(toy, f"{GRID}.drift", [text])
    with pytest.raises(UserError, match=r"\[0\]: '.*' should be a valid number$"):
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


@pytest.mark.parametrize(
    ("axis", "values", "message"),
    [
        ("replica", list(range(10**6)), "8000000 cells, at most limits.cells = 1000"),
        ("replica", [0] * 10**6, "8000000 cells, at most limits.cells = 1000"),
        ("kind", ["x" * 1000] * 10**5, "1200000 cells, at most limits.cells = 1000"),
    ],
    ids=["a million values", "a million times one value", "long texts"],
)
def test_a_huge_axis_is_refused_at_once(
    toy: dict[str, Any], axis: str, values: list, message: str
) -> None:
    change(toy, f"{GRID}.{axis}", values)
    start = time.process_time()
    with pytest.raises(UserError, match=message):
        config.validate(toy)
    assert time.process_time() - start < 5


def test_a_huge_axis_within_the_limit_names_what_stands_twice(toy: dict[str, Any]) -> None:
    toy["limits"]["cells"] = 10**6
    change(toy, f"{GRID}.replica", [*range(30_000), 29_999])
    with pytest.raises(UserError, match=r"grid\[0\]\.replica: 29999 stands twice$"):
        config.validate(toy)


def test_a_grid_of_few_axes_may_have_any_number_of_cells(toy: dict[str, Any]) -> None:
    for axis in ("drift", "spread", "replica"):
        change(toy, f"{GRID}.{axis}", list(range(1, 10_001)))
    with pytest.raises(UserError, match="2000000000000 cells, at most"):
        config.validate(toy)


@pytest.mark.parametrize("folder", ["out", "a/b.c/d-e", "Ergebnisse_Ä", "תוצאות", "srcs", "x/src"])
def test_folders_may_have_any_letters(toy: dict[str, Any], folder: str) -> None:
    toy["folders"]["results"] = folder
    assert config.validate(toy).top.folders.results == folder


def test_names_that_a_file_system_takes_for_one_are_one(toy: dict[str, Any]) -> None:
    toy["folders"] = {"results": "\u00c4x", "figures": "\u00e4x", "logs": "logs"}
    with pytest.raises(UserError, match="must be three different folders"):
        config.validate(toy)


def test_a_folder_may_be_a_link_to_another_place(
    toy: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scratch").mkdir()
    Path("results").symlink_to(tmp_path / "scratch")
    toy["folders"]["logs"] = "results/logs"
    assert config.validate(toy).top.folders.logs == "results/logs"


@pytest.mark.parametrize("folder", ["results", "results/deep/down"])
@pytest.mark.parametrize("kind", ["file", "dangling link", "link to itself"])
def test_what_stands_in_the_way_of_a_folder_is_named(
    toy: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if kind == "file":
        Path("results").touch()
    else:
        Path("results").symlink_to("nowhere" if kind == "dangling link" else "results")
    toy["folders"]["results"] = folder
    with pytest.raises(UserError, match="can't be made: 'results' is a file or a link to no fold"):
        config.validate(toy)


def test_folders_of_sources_are_those_of_the_checkout() -> None:
    command = ["git", "ls-files"]
    try:
        done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no checkout of git: {error}")
    tracked = {name.split("/")[0] for name in done.stdout.split() if "/" in name}
    visible = {name for name in tracked if not name.startswith(".")}
    assert visible - {"results", "figures"} == set(config.SOURCES)


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
