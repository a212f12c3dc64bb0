"""The plan: which steps there are, and which of their keys a change of the configuration moves."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deeplimits import config, digest, grid, registry
from deeplimits.errors import UserError
from deeplimits.plan import Plan
from toy_steps import AFTER_WALKS, CHANGES, EVERYTHING, LAST, POWERS, SQUARES, axes, walks

STAGES = (
    *("grid", "simulate", "aggregate", "estimate", "plot", "typeset", "judge"),
    *("summarize", "report"),
)


def plan(raw: dict[str, Any]) -> Plan:
    return Plan(config.validate(raw))


def digests(planned: Plan, kind: str) -> dict[str, str]:
    return {
        " ".join((stage, *name)): getattr(step, kind)
        for stage, steps in planned.steps.items()
        for name, step in steps.items()
    }


def test_every_step_of_the_toy_paper_is_there(toy: dict[str, Any]) -> None:
    planned = plan(toy)
    assert tuple(planned.steps) == STAGES
    assert set(digests(planned, "key")) == EVERYTHING


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


def cut_in_two(raw: dict[str, Any]) -> None:
    """The same cells as two products."""
    whole = axes(raw)
    walks(raw)["grid"] = [{**whole, "kind": ["b"]}, {**whole, "kind": ["a"]}]


@pytest.mark.parametrize(("change", "moved"), CHANGES.values(), ids=CHANGES)
def test_a_change_moves_exactly_these_keys_and_identities(
    toy: dict[str, Any], change: Callable[[dict], Any], moved: set[str]
) -> None:
    before = {kind: digests(plan(toy), kind) for kind in ("key", "identity", "text")}
    change(toy)
    planned = plan(toy)
    for kind, old in before.items():
        new = digests(planned, kind)
        expected = moved
        if kind != "key" and "judge toy2026" not in moved:
            expected = moved - {"summarize"}  # which reads the versions of all tables, not more
        assert {name for name in new if new[name] != old.get(name)} == expected, kind


@pytest.mark.parametrize("split", [[], ["kind"], ["drift", "replica"]])
def test_another_split_moves_keys_but_no_identity(toy: dict[str, Any], split: list[str]) -> None:
    before = plan(toy)
    walks(toy)["split"] = split
    after = plan(toy)
    for name in AFTER_WALKS:
        assert digests(after, "key")[name] != digests(before, "key")[name]
        assert digests(after, "identity")[name] == digests(before, "identity")[name]
    old, new = digests(before, "key"), digests(after, "key")
    unmoved = {"grid toy2026 walks"} | (POWERS | SQUARES) - LAST
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
