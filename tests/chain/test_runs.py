"""Runs: the same bytes from any run, and work that failed stays to be done."""

import shutil
from pathlib import Path

import pytest

from deeplimits import tables
from toy_project import PACKAGE, Project
from toy_steps import AFTER_WALKS, EVERY_AFTER, JUDGE, job, walks

JOBS = {job(drift=0.5), job(drift=1.0)}


def output(step: str) -> str:
    """The file of a job of the walks."""
    return f"results/toy2026/jobs/walks/{step.split()[-1]}.parquet"


@pytest.mark.chain
def test_two_runs_make_the_same_bytes_with_any_cores_at_any_path(
    finished: Project, tmp_path: Path
) -> None:
    """The finished project used all cores; its path is plain."""
    other = Project.assemble(tmp_path / "päth wíth λ and 'quotes'")
    other.snakemake("--cores", "1")
    made, expected = other.made(), finished.made()
    assert made.keys() == expected.keys()
    assert [name for name in made if made[name] != expected[name]] == []
    assert len([name for name in made if name.endswith((".pdf", ".png"))]) == 4
    assert other.planned() == set()


@pytest.mark.chain
def test_a_copy_with_new_times_and_its_metadata_has_nothing_to_do(
    finished: Project, tmp_path: Path
) -> None:
    copy = Project(tmp_path / "elsewhere")
    shutil.copytree(finished.root, copy.root, copy_function=shutil.copyfile)
    assert copy.planned() == set()


def fail(project: Project, how: str) -> None:
    """Tell the toy's model to fail."""
    project.path("failure").write_text(how)


FIGURE = "figures/toy2026/ends.pdf"
AFTER_JOBS = AFTER_WALKS - JUDGE  # what the figure asks for

# what happens → (how to bring it about, options of Snakemake, what it says, what is left undone)
FAILURES = {
    "all jobs fail": ("raise", ("--keep-going",), "an injected failure", JOBS | AFTER_JOBS),
    "all jobs are killed": ("kill", ("--keep-going",), "Killed", JOBS | AFTER_JOBS),
    "one job fails": ("raise at 1.0", (), "an injected failure", {job(drift=1.0), *AFTER_JOBS}),
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("all jobs fail", marks=pytest.mark.chain),
        pytest.param("all jobs are killed", marks=pytest.mark.matrix),
        pytest.param("one job fails", marks=pytest.mark.matrix),
    ],
)
def test_simulations_that_failed_stay_to_be_done(project: Project, name: str) -> None:
    """Grids and settings stay as they are, so nothing but keys tells that old tables are stale."""
    how, options, message, undone = FAILURES[name]
    figures = project.made("figures")
    project.append(f"{PACKAGE}/stages/simulate.py")
    fail(project, how)

    assert message in project.snakemake(FIGURE, *options, expect=1)
    assert undone <= project.planned(FIGURE) <= JOBS | AFTER_JOBS
    project.snakemake(FIGURE, *options, expect=1)
    assert project.made("figures") == figures, "a figure was made from what is not there"
    assert not [step for step in undone & JOBS if project.path(output(step)).exists()]
    assert no_half_written(project)

    project.path("failure").unlink()
    project.snakemake(FIGURE)
    assert project.planned(FIGURE) == set()
    assert project.made("figures")[FIGURE] != figures[FIGURE]


@pytest.mark.matrix
def test_an_aggregation_that_failed_stays_to_be_done(project: Project) -> None:
    stage, line = f"{PACKAGE}/stages/aggregate.py", "    table = _whole("
    failure = (
        "    if Path('failure').exists():\n        raise RuntimeError('an injected failure')\n"
    )
    project.replace(stage, line, failure + line)
    fail(project, "in aggregation")
    figures = project.made("figures")

    assert "an injected failure" in project.snakemake(expect=1)
    assert project.planned() == EVERY_AFTER
    project.snakemake(expect=1)
    assert project.made("figures") == figures
    assert no_half_written(project)

    project.path("failure").unlink()
    project.snakemake()
    assert project.planned() == set()
    new = project.made("figures")
    assert all(new[name] != figures[name] for name in figures)


def no_half_written(project: Project) -> bool:
    return not [path for path in project.path("results").rglob(".*") if path.is_file()]


@pytest.mark.matrix
def test_another_split_makes_the_same_bytes(project: Project, finished: Project) -> None:
    project.configure(lambda raw: walks(raw).update(split=["kind", "replica"]))
    project.snakemake()
    jobs = "results/toy2026/jobs/walks/"
    made = project.made()
    assert len([name for name in made if name.startswith(jobs)]) == 2 + 6, "the old ones stay"
    for name, content in finished.made().items():
        assert made[name] == content, name


@pytest.mark.matrix
def test_old_rows_keep_their_bits_when_values_are_added(
    project: Project, finished: Project
) -> None:
    def add(raw: dict) -> None:
        walks(raw)["grid"][0].update(drift=[-2, 1, 0.5, 0.7], replica=[3, 0, 1, 2])

    project.configure(add)
    project.snakemake()
    paths = [either.path("results/toy2026/walks.parquet") for either in (finished, project)]
    old, new = ({tuple(row.values()) for row in tables.read(path).to_pylist()} for path in paths)
    assert len(new) == len(old) * 2 * 4 // 3
    assert old < new


@pytest.mark.matrix
def test_a_damaged_table_stops_what_reads_it(project: Project) -> None:
    table = project.path("results/toy2026/walks.parquet")
    content = bytearray(table.read_bytes())
    content[len(content) // 2] ^= 1
    table.write_bytes(content)
    said = project.snakemake(expect=1)
    assert "results/toy2026/walks.parquet: damaged, or not made by deeplimits; delete it" in said
    table.unlink()
    project.snakemake()
    assert project.planned() == set()


@pytest.mark.matrix
def test_outputs_of_another_specification_are_not_taken_for_ours(project: Project) -> None:
    """Snakemake is told to overlook the changed key; the stages still look at the identity."""
    project.configure(lambda raw: raw.update(seed=2))
    table = project.path("results/toy2026/walks.parquet")
    table.unlink()
    said = project.snakemake("--rerun-triggers", "mtime", expect=1)
    assert "made from another code or specification" in said
    assert not table.exists()
