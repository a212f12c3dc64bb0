"""The stages without Snakemake: the same files, from no more code than their digest covers."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deeplimits import cli, config, digest
from deeplimits.plan import Plan
from toy_project import Project
from toy_steps import job

pytestmark = pytest.mark.chain

STEPS = {
    "grid": ("toy2026", "walks"),
    "simulate": ("toy2026", "walks", job(drift=0.5).split()[-1]),
    "aggregate": ("toy2026", "walks"),
    "estimate": ("toy2026", "walks"),
    "plot": ("toy2026", "ends"),
    "typeset": ("toy2026", "powers"),
    "judge": ("toy2026",),
    "summarize": (),
}

# Runs a subcommand and then prints the modules of this package that were imported.
PROBE = """
import json, sys
from deeplimits import cli
status = cli.main(sys.argv[1:])
print(json.dumps([name for name in sys.modules if name.split(".")[0] == "deeplimits"]))
sys.exit(status)
"""


@pytest.fixture
def covered(toy: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> tuple[Plan, dict[str, set]]:
    """The plan, and the closures of all modules that it digested, by stage and name."""
    closures: dict[str, set[str]] = {}
    original = digest.code

    def code(modules: list[str]) -> str:
        stage, name = modules[0].split(".")[-1], modules[-1].split(".")[-1]
        closures[f"{stage} {name}"] = set(digest.closure(modules))
        return original(modules)

    monkeypatch.setattr(digest, "code", code)
    return Plan(config.validate(toy)), closures


def run(project: Project, code: list[str], **options: Any) -> str:
    done = subprocess.run(
        [sys.executable, *code],
        cwd=project.root,
        env={"PYTHONPATH": "src"},
        capture_output=True,
        text=True,
        check=False,
        **options,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("stage", STEPS)
def test_a_stage_by_hand_makes_the_same_files_from_the_digested_code(
    finished: Project, tmp_path: Path, covered: tuple[Plan, dict[str, set]], stage: str
) -> None:
    plan, closures = covered
    step = plan.step(stage, *STEPS[stage])
    outputs = [tmp_path / Path(name).name for name in step.outputs]
    options = [
        argument
        for name, path in zip(cli.STAGES[stage][1], outputs, strict=True)
        for argument in (f"--{name}", str(path))
    ]
    imported = set(json.loads(run(finished, ["-c", PROBE, stage, *options], input=step.text)))

    for path, name in zip(outputs, step.outputs, strict=True):
        assert path.read_bytes() == finished.path(name).read_bytes(), name

    name = {"simulate": "walks", "judge": "claims", "summarize": "summarize"}.get(
        stage, STEPS[stage][-1] if STEPS[stage] else ""
    )
    assert f"deeplimits.stages.{stage}" in imported
    assert imported - {"deeplimits.cli"} <= closures[f"{stage} {name}"]


def test_the_report_by_hand_is_the_same_where_the_costs_are(
    project: Project, covered: tuple[Plan, dict[str, set]]
) -> None:
    """In its place, because the page links to what lies around it."""
    plan, closures = covered
    step = plan.step("report")
    (name,) = step.outputs
    before = project.path(name).read_bytes()
    code = ["-c", PROBE, "report", "--output", name]
    imported = set(json.loads(run(project, code, input=step.text)))
    assert project.path(name).read_bytes() == before
    assert "deeplimits.report.page" in imported
    assert imported - {"deeplimits.cli"} <= closures["report ends"]


def test_a_specification_can_be_piped_into_its_stage(finished: Project, tmp_path: Path) -> None:
    output = tmp_path / "powers.parquet"
    command = f"{sys.executable!r} -m deeplimits"
    subprocess.run(
        f"{command} spec aggregate toy2026 powers | {command} aggregate --output '{output}'",
        shell=True,
        cwd=finished.root,
        env={"PYTHONPATH": "src", "PATH": os.defpath},
        check=True,
    )
    assert output.read_bytes() == finished.path("results/toy2026/powers.parquet").read_bytes()


def test_the_record_of_a_figure_can_be_shown(finished: Project) -> None:
    for form in ("png", "pdf"):
        shown = run(finished, ["-m", "deeplimits", "show", f"figures/toy2026/ends.{form}"])
        assert shown.startswith("toy2026 ends\n\nEnds of the walks (ours).\n\n{")
        assert '"walks_estimates"' in shown
