"""The plan: which steps there are, and which of their keys a change of the configuration moves."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deeplimits import config, digest, grid, registry
from deeplimits.errors import UserError
from deeplimits.plan import Plan

STAGES = ("grid", "simulate", "aggregate", "estimate", "plot", "typeset", "judge", "summarize")


def plan(raw: dict[str, Any]) -> Plan:
    return Plan(config.validate(raw))


def digests(planned: Plan, kind: str) -> dict[str, str]:
    return {
        " ".join((stage, *name)): getattr(step, kind)
        for stage, steps in planned.steps.items()
        for name, step in steps.items()
    }


def job(**fixed: Any) -> str:
    return f"simulate toy2026 walks {digest.key(fixed)[:12]}"


BEFORE_JOBS = {job(drift=0.5), job(drift=1.0)}
POWERS_JOB = f"simulate toy2026 powers {digest.key({})[:12]}"
AFTER_WALKS = {
    "aggregate toy2026 walks",
    "estimate toy2026 walks",
    "plot toy2026 ends",
    "judge toy2026",
    "summarize",
}
AFTER_POWERS = {
    "aggregate toy2026 powers",
    "plot toy2026 powers",
    "typeset toy2026 powers",
    "summarize",
}
WALKS = {"grid toy2026 walks", *BEFORE_JOBS, *AFTER_WALKS}
POWERS = {"grid toy2026 powers", POWERS_JOB, *AFTER_POWERS}


def test_every_step_of_the_toy_paper_is_there(toy: dict[str, Any]) -> None:
    planned = plan(toy)
    assert tuple(planned.steps) == STAGES
    assert set(digests(planned, "key")) == WALKS | POWERS


def test_every_output_has_one_step(toy: dict[str, Any]) -> None:
    outputs = [
        output
        for steps in plan(toy).steps.values()
        for step in steps.values()
        for output in step.outputs
    ]
    assert len(set(outputs)) == len(outputs)


def test_every_input_is_the_output_of_a_step(toy: dict[str, Any]) -> None:
    steps = [step for steps in plan(toy).steps.values() for step in steps.values()]
    made = {output for step in steps for output in step.outputs}
    assert {path for step in steps for path in step.inputs} <= made


def test_all_keys_and_identities_differ(toy: dict[str, Any]) -> None:
    planned = plan(toy)
    for kind in ("key", "identity"):
        found = digests(planned, kind)
        assert len(set(found.values())) == len(found)


def test_tables_figures_and_claims_are_targets(toy: dict[str, Any]) -> None:
    assert set(plan(toy).targets("toy2026")) == {
        "results/toy2026/walks.parquet",
        "results/toy2026/powers.parquet",
        "results/toy2026/walks_estimates.parquet",
        "results/toy2026/powers.csv",
        "results/toy2026/powers.tex",
        "results/toy2026/claims.parquet",
        *(
            f"figures/toy2026/{name}.{form}"
            for name in ("ends", "powers")
            for form in ("pdf", "png")
        ),
    }


def walks(raw: dict[str, Any]) -> dict[str, Any]:
    return raw["papers"]["toy2026"]["walks"]


def product(raw: dict[str, Any]) -> dict[str, list]:
    return walks(raw)["grid"][0]


def swap_settings(raw: dict[str, Any]) -> None:
    settings = walks(raw)["settings"]
    settings["scale"], settings["offset"] = settings["offset"], settings["scale"]


def swap_axes(raw: dict[str, Any]) -> None:
    axes = product(raw)
    axes["drift"], axes["spread"] = axes["spread"], axes["drift"]


def reorder(raw: dict[str, Any]) -> None:
    walks(raw)["grid"] = [{axis: values[::-1] for axis, values in reversed(product(raw).items())}]


def cut_in_two(raw: dict[str, Any]) -> None:
    """The same cells as two products."""
    whole = product(raw)
    walks(raw)["grid"] = [{**whole, "kind": ["b"]}, {**whole, "kind": ["a"]}]


def move_folders(raw: dict[str, Any]) -> None:
    raw["folders"]["logs"] = "other"


# change of the configuration → (what it moves, of the keys; whether also of the identities)
CHANGES: dict[str, tuple[Callable[[dict], Any], set[str]]] = {
    "nothing": (lambda raw: None, set()),
    "order of axes and values": (reorder, set()),
    "5 and 5.0": (lambda raw: product(raw).update(drift=[0.5, 1.0]), set()),
    "a default, written": (lambda raw: walks(raw).update(paired=[]), set()),
    "limits": (lambda raw: raw.update(limits={"cells": 500, "jobs": 50}), set()),
    "resources": (lambda raw: raw["resources"]["simulate"].update(mem_mb=7), set()),
    "resources of an experiment": (
        lambda raw: walks(raw).update(resources={"mem_mb": 7, "runtime": 7}),
        set(),
    ),
    "folder of the logs": (move_folders, set()),
    "seed": (lambda raw: raw.update(seed=2), WALKS | POWERS),
    "setting": (
        lambda raw: walks(raw)["settings"].update(steps=5),
        WALKS - {"grid toy2026 walks"},
    ),
    "settings that swap their values": (swap_settings, WALKS - {"grid toy2026 walks"}),
    "split value added": (
        lambda raw: product(raw).update(drift=[0.5, 0.7, 1]),
        {"grid toy2026 walks", job(drift=0.7), *AFTER_WALKS},
    ),
    "split value dropped": (
        lambda raw: product(raw).update(drift=[1]),
        {"grid toy2026 walks", *AFTER_WALKS},
    ),
    "inner value added": (lambda raw: product(raw)["replica"].append(3), WALKS),
    "axes that swap their values": (
        swap_axes,
        {"grid toy2026 walks", job(drift=0.1), job(drift=2.0), *AFTER_WALKS},
    ),
    "paired axis": (lambda raw: walks(raw).update(paired=["kind"]), WALKS),
    "scale": (lambda raw: raw.update(scale="reduced"), AFTER_WALKS | AFTER_POWERS),
}


@pytest.mark.parametrize(("change", "moved"), CHANGES.values(), ids=CHANGES)
def test_a_change_moves_exactly_these_keys_and_identities(
    toy: dict[str, Any], change: Callable[[dict], Any], moved: set[str]
) -> None:
    before = {kind: digests(plan(toy), kind) for kind in ("key", "identity", "text")}
    change(toy)
    planned = plan(toy)
    for kind, old in before.items():
        new = digests(planned, kind)
        assert {name for name in new if new[name] != old.get(name)} == moved, kind


@pytest.mark.parametrize("split", [[], ["kind"], ["drift", "replica"]])
def test_another_split_moves_keys_but_no_identity(toy: dict[str, Any], split: list[str]) -> None:
    before = plan(toy)
    walks(toy)["split"] = split
    after = plan(toy)
    for name in AFTER_WALKS:
        assert digests(after, "key")[name] != digests(before, "key")[name]
        assert digests(after, "identity")[name] == digests(before, "identity")[name]
    old, new = digests(before, "key"), digests(after, "key")
    unmoved = {"grid toy2026 walks"} | POWERS - {"summarize"}
    assert {name for name in unmoved if new[name] != old[name]} == set()


def test_cells_written_as_two_products_are_the_same_jobs_with_other_content(
    toy: dict[str, Any],
) -> None:
    before = plan(toy)
    cut_in_two(toy)
    after = plan(toy)
    assert set(digests(after, "key")) == set(digests(before, "key"))
    points = [
        sorted(
            str(cell)
            for cell in grid.cells(
                planned.step("grid", "toy2026", "walks").specification["products"]
            )
        )
        for planned in (before, after)
    ]
    assert points[0] == points[1]


def test_parameters_are_text(toy: dict[str, Any]) -> None:
    """Snakemake does not notice a change of numpy integers or of objects of our own."""
    for steps in plan(toy).steps.values():
        for step in steps.values():
            assert type(step.key) is str
            assert type(step.text) is str
            assert "\n" not in step.text


def test_a_specification_names_the_identity_of_each_input(toy: dict[str, Any]) -> None:
    planned = plan(toy)
    table = planned.step("aggregate", "toy2026", "walks")
    jobs = [step for name, step in planned.steps["simulate"].items() if name[1] == "walks"]
    assert table.specification["jobs"] == [
        {"path": job.outputs[0], "identity": job.identity} for job in jobs
    ]
    estimate = planned.step("estimate", "toy2026", "walks")
    assert estimate.specification["table"] == {
        "path": table.outputs[0],
        "identity": table.identity,
    }


def test_captions_are_read_from_the_figures(toy: dict[str, Any]) -> None:
    assert plan(toy).captions == {
        ("toy2026", "ends"): "Ends of the walks (ours).",
        ("toy2026", "powers"): "Powers.",
    }


@pytest.mark.parametrize(
    ("figure", "text", "message"),
    [
        ("uncaptioned", "TABLES = ()", " defines no CAPTION"),
        ("tableless", 'CAPTION = ""', " defines no TABLES"),
        (
            "misspelt",
            'CAPTION = ""\nTABLES = ("walk",)',
            ".TABLES: no table 'walk'; known: ['powers', 'walks', 'walks_estimates']",
        ),
        (
            "relative",
            'CAPTION = ""\nTABLES = ()\nfrom . import ends',
            ": relative imports are not followed; import deeplimits.…",
        ),
    ],
)
def test_a_figure_that_declares_too_little_is_named(
    toy: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    figure: str,
    text: str,
    message: str,
) -> None:
    name = registry.name("toy2026", "figures", figure)
    path = tmp_path / f"{figure}.py"
    path.write_text(text)
    members, module_path = registry.members, digest.module_path
    monkeypatch.setattr(
        registry, "members", lambda p, room: members(p, room) + [figure] * (room == "figures")
    )
    monkeypatch.setattr(digest, "module_path", lambda m: path if m == name else module_path(m))
    with pytest.raises(UserError) as caught:
        plan(toy)
    assert str(caught.value) == name + message
