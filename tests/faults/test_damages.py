"""A damaged file is named by the check and by what reads it, and never used."""

import io
import sys
from pathlib import Path
from typing import Any

import pytest

import fault_files
from deeplimits import cli, config
from deeplimits.plan import Plan
from fault_files import DAMAGES
from faults import Damage, bash
from toy_project import Project

pytestmark = pytest.mark.matrix


@pytest.fixture
def damaged(
    project: Project,
    finished: Project,
    toy: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    damage: Damage,
) -> Plan:
    """The plan of a project, with one of its files damaged."""
    fault_files.damage(project, name, damage, finished)
    monkeypatch.chdir(project.root)
    return Plan(config.validate(toy))


def cases(names: tuple[str, ...]) -> pytest.MarkDecorator:
    """Each of the files with each of the damages that can happen to it."""
    return pytest.mark.parametrize(
        ("name", "damage"),
        [
            pytest.param(name, damage, id=f"{name} {damage.name}")
            for name in names
            for damage in DAMAGES
            if Path(name).suffix in damage.formats
        ],
    )


@cases((*fault_files.READ, *fault_files.UNREAD))
def test_the_check_names_a_damaged_file(
    damaged: Plan, name: str, damage: Damage, capsys: pytest.CaptureFixture
) -> None:
    assert cli.main(["check"]) == 1
    out, err = capsys.readouterr()
    assert f"{name}: {damage.says}" in out
    others = [line for line in out.splitlines() if not line.startswith(f"{name}: ")]
    # the CSV can't be checked without the file that has its digest
    assert all(line.endswith(out.splitlines()[-1]) for line in others)
    assert err == f"deeplimits check: {1 + len(others)} of 21 files can't be used\n"


@cases(tuple(fault_files.READ))
def test_a_stage_refuses_a_damaged_file(
    damaged: Plan,
    name: str,
    damage: Damage,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:
    stage, *step = fault_files.READ[name]
    outputs = [argument for kind in cli.STAGES[stage][1] for argument in (f"--{kind}", kind)]
    monkeypatch.setattr(sys, "stdin", io.StringIO(damaged.step(stage, *step).text))
    assert cli.main([stage, *outputs]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"deeplimits {stage}: {name}: {damage.says}")
    assert line.endswith("delete it and run again")
    assert not any(Path(kind).exists() for kind in cli.STAGES[stage][1])


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
def test_what_the_check_names_is_deleted_and_made_again(
    project: Project, finished: Project, damage: Damage
) -> None:
    """All files at once."""
    names = [name for name in fault_files.ALL if Path(name).suffix in damage.formats]
    for name in names:
        fault_files.damage(project, name, damage, finished)
    said = bash(project, "snakemake")
    assert said.code == 1, said.text
    assert damage.says in said.text

    checked = bash(project, "python -m deeplimits check")
    assert checked.code == 1
    *lines, summary = checked.text.splitlines()
    assert summary.startswith("deeplimits check: ")
    named = [line.split(": ")[0] for line in lines]
    present = [name for name in names if project.path(name).exists()]
    assert set(present) <= set(named)
    for name in named:
        project.path(name).unlink()

    said = bash(project, "snakemake")
    assert said.code == 0, said.text
    made = project.made()
    assert made.items() <= finished.made().items()
    assert bash(project, "python -m deeplimits check").code == 0


def test_the_check_of_a_finished_project_is_one_line(project: Project) -> None:
    said = bash(project, "python -m deeplimits check")
    assert (said.code, said.text) == (0, "21 files are whole and up to date\n")


def test_the_check_of_a_changed_configuration_names_everything(project: Project) -> None:
    project.configure(lambda raw: raw.update(seed=2))
    said = bash(project, "python -m deeplimits check")
    assert said.code == 1
    assert said.text.count("made from another code or specification") == 21
    assert bash(project, "snakemake").code == 0
    said = bash(project, "python -m deeplimits check")
    assert (said.code, said.text) == (0, "21 files are whole and up to date\n")
