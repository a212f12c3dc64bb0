"""Runs: the same bytes from any run, and work that failed stays to be done."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from deeplimits import tables
from toy_project import PACKAGE, Project
from toy_steps import AFTER_WALKS, EVERY_AFTER, job, walks

MODEL = f"{PACKAGE}/toy2026/model.py"
JOBS = {job(drift=0.5), job(drift=1.0)}
MARK = "fail"  # a file; while it is there, the injected failure happens


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


@dataclass(frozen=True)
class Failure:
    """Code that fails while the file MARK is there, and what is left undone then."""

    module: str
    before: str
    condition: str
    statement: str
    options: tuple[str, ...]
    message: str
    undone: set[str]

    def inject(self, project: Project) -> None:
        lines = f"    if {self.condition} and os.path.exists('{MARK}'):\n        {self.statement}\n"
        project.replace(self.module, self.before, lines + self.before)
        project.append(self.module, "\nimport os\n")
        project.path(MARK).touch()


RAISE = "raise RuntimeError('an injected failure')"
FAILURES = {
    "one job": Failure(
        module=MODEL,
        before="    # the sum",
        condition="drift == 1",
        statement=RAISE,
        options=(),
        message="an injected failure",
        undone={job(drift=1.0), *AFTER_WALKS},
    ),
    "all jobs are killed": Failure(
        module=MODEL,
        before="    # the sum",
        condition="True",
        statement="os.kill(os.getpid(), 9)",
        options=("--keep-going",),
        message="Killed",
        undone=JOBS | AFTER_WALKS,
    ),
    "aggregation": Failure(
        module=f"{PACKAGE}/stages/aggregate.py",
        before="    table = _whole(",
        condition="True",
        statement=RAISE,
        options=(),
        message="an injected failure",
        undone=EVERY_AFTER,
    ),
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("one job", marks=pytest.mark.chain),
        pytest.param("all jobs are killed", marks=pytest.mark.matrix),
        pytest.param("aggregation", marks=pytest.mark.matrix),
    ],
)
def test_what_failed_stays_to_be_done(project: Project, name: str) -> None:
    failure, figures = FAILURES[name], project.made("figures")
    project.replace(MODEL, "np.cumsum(", "1 + np.cumsum(")
    failure.inject(project)

    assert failure.message in project.snakemake(*failure.options, expect=1)
    assert failure.undone <= project.planned()
    project.snakemake(*failure.options, expect=1)
    assert project.made("figures") == figures, "a figure was made from what is not there"
    assert not [step for step in failure.undone & JOBS if project.path(output(step)).exists()]
    assert not [path for path in project.path("results").rglob(".*") if path.is_file()]

    project.path(MARK).unlink()
    project.snakemake()
    assert project.planned() == set()
    new = project.made("figures")
    assert all(new[name] != figures[name] for name in new if "ends" in name)


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
    assert "results/toy2026/walks.parquet: damaged, or not a table of deeplimits; delete it" in said
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
