"""The workflow as a user meets it: targets, overlays, messages, lint and report."""

import subprocess
import sys
from pathlib import Path

import pytest

from deeplimits import tables
from toy_project import CHECKOUT, Project
from toy_steps import JUDGE, LAST, POWERS, WALKS, axes

OVERLAY = """\
scale: reduced
folders: {results: small/results, figures: small/figures, logs: small/logs}
papers: {toy2026: {powers: {grid: [{factor: [1], exponent: [1, 2]}]}}}
"""


@pytest.fixture
def fresh(tmp_path: Path) -> Project:
    """A project with nothing made."""
    return Project.assemble(tmp_path / "project")


@pytest.mark.chain
@pytest.mark.parametrize(
    ("targets", "steps"),
    [
        (("toy2026",), (WALKS | POWERS) - LAST),
        (("figures/toy2026/ends.pdf",), WALKS - JUDGE),
    ],
    ids=["one paper", "one figure"],
)
def test_a_target_asks_for_exactly_its_steps(
    fresh: Project, targets: tuple[str, ...], steps: set[str]
) -> None:
    assert fresh.planned(*targets) == steps


@pytest.mark.chain
def test_a_dry_run_writes_nothing(project: Project) -> None:
    def files() -> set[Path]:
        found = {path for path in project.root.rglob("*") if path.is_file()}
        return {path for path in found if not {".snakemake", "__pycache__"} & set(path.parts)}

    before = {path: path.stat().st_mtime_ns for path in files()}
    project.configure(lambda raw: axes(raw)["drift"].append(7))
    after = {path: path.stat().st_mtime_ns for path in files()}
    project.planned()
    assert {path: path.stat().st_mtime_ns for path in files()} == after
    assert after.keys() == before.keys()


@pytest.mark.matrix
def test_an_overlay_goes_into_folders_of_its_own(project: Project, finished: Project) -> None:
    project.path("overlay.yaml").write_text(OVERLAY)
    project.snakemake("small/figures/toy2026/powers.pdf", "--configfile", "overlay.yaml")
    assert sorted(project.made("small")) == [
        *(f"small/figures/toy2026/powers.{form}" for form in ("pdf", "png")),
        "small/logs/toy2026/aggregate/powers.log",
        "small/logs/toy2026/grid/powers.log",
        "small/logs/toy2026/plot/powers.log",
        *(f"small/logs/toy2026/simulate/powers/{path.stem}.log" for path in _jobs(project)),
        "small/results/toy2026/grids/powers.parquet",
        *(f"small/results/toy2026/jobs/powers/{path.name}" for path in _jobs(project)),
        "small/results/toy2026/powers.parquet",
    ]
    table = tables.read(project.path("small/results/toy2026/powers.parquet"))
    assert table["value"].to_pylist() == [2.5, 6.25]
    assert project.made() == finished.made()
    assert project.planned() == set()


def _jobs(project: Project) -> list[Path]:
    return sorted(project.path("small/results/toy2026/jobs/powers").iterdir())


@pytest.mark.chain
@pytest.mark.parametrize(
    ("overlay", "message"),
    [
        ("seed: 5\nseed: 6", "overlay.yaml: duplicate key 'seed'; keep one of the two"),
        (
            "papers: {toy2026: {walks: {settings: {scale: 1e-3}}}}",
            "deeplimits: config key papers.toy2026.walks.settings.scale: '1e-3' should be a valid "
            "number; it was read as text, write 0.001",
        ),
    ],
)
def test_a_wrong_configuration_stops_with_one_message(
    fresh: Project, overlay: str, message: str
) -> None:
    fresh.path("overlay.yaml").write_text(overlay)
    said = fresh.snakemake("--configfile", "overlay.yaml", expect=1)
    assert message in said
    assert said.splitlines()[-1].startswith("deeplimits: ")
    assert "Traceback" not in said
    assert not fresh.path("results").exists()


@pytest.mark.chain
def test_a_figure_that_declares_too_little_stops_with_one_message(fresh: Project) -> None:
    fresh.path("src/deeplimits/toy2026/figures/new.py").write_text("TABLES = ()")
    said = fresh.snakemake("--dry-run", expect=1)
    assert said.splitlines()[-1] == "deeplimits: deeplimits.toy2026.figures.new defines no CAPTION"


@pytest.mark.matrix
def test_a_specification_may_be_longer_than_a_command_line(fresh: Project) -> None:
    """Linux allows an argument 128 KiB."""

    def grow(raw: dict) -> None:
        axes(raw).update(kind=[letter * 50_000 for letter in "abc"], drift=[1], replica=[0])

    fresh.configure(grow)
    fresh.snakemake("results/toy2026/grids/walks.parquet")
    assert len(tables.read(fresh.path("results/toy2026/grids/walks.parquet"))) == 3 * 2


@pytest.mark.chain
def test_lint_is_clean(project: Project) -> None:
    assert "Congratulations, your workflow is in a good condition!" in project.snakemake("--lint")


@pytest.mark.chain
def test_snakefmt_is_clean() -> None:
    command = [sys.executable, "-m", "snakefmt", "--check", "Snakefile", "workflow"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.chain
def test_the_report_shows_the_figures_with_their_captions(project: Project) -> None:
    project.snakemake("--report", "report.html")
    page = project.path("report.html").read_text(encoding="utf-8")
    assert "Ends of the walks (ours)." in page
    assert "figures/toy2026/ends.png" in page
