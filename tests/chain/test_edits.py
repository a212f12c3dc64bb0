"""After each kind of edit Snakemake plans exactly the steps whose result may change.

The edits are tried two at a time, each in its own copy of the finished project, because Snakemake
uses one core for most of its time.
"""

import ast
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from toy_project import PACKAGE, Project
from toy_steps import (
    AFTER_ENDS,
    AFTER_POWERS,
    AFTER_WALKS,
    CHANGES,
    EVERY_AFTER,
    EVERYTHING,
    JUDGE,
    LAST,
    POWERS,
    WALKS,
    job,
    walks,
)

TOY = f"{PACKAGE}/toy2026"
PLOTS = {"plot toy2026 ends", "plot toy2026 powers", "report"}
GRIDS = {step for step in EVERYTHING if step.startswith("grid")}


def modules(project: Project) -> Iterator[Path]:
    return project.path(PACKAGE).rglob("*.py")


def comment_everywhere(project: Project) -> None:
    for path in modules(project):
        path.write_text(f"# a comment\n{path.read_text()}\n# another\n")
    for name in ("Snakefile", "workflow/rules/chain.smk", "config.yaml", "environment.yml"):
        project.append(name, "\n# a comment\n")


def document_everywhere(project: Project) -> None:
    for path in modules(project):
        path.write_text(path.read_text().replace('"""', '"""In other words: ', 1))


def lay_out_everywhere(project: Project) -> None:
    for path in modules(project):
        path.write_text(ast.unparse(ast.parse(path.read_text())))


def touch_everywhere(project: Project) -> None:
    for path in project.root.rglob("*"):
        if path.is_file() and not path.is_relative_to(project.path(".snakemake")):
            os.utime(path)


def change_all_that_means_nothing(project: Project) -> None:
    lay_out_everywhere(project)
    comment_everywhere(project)
    other_environment(project)
    for name in ("order of axes and values", "resources", "limits"):
        project.configure(CHANGES[name][0])
    touch_everywhere(project)


def other_environment(project: Project) -> None:
    project.replace("environment.yml", "  - pip\n", "  - pip\n  - numpy\n")


def add_figure(project: Project) -> None:
    shutil.copy(project.path(f"{TOY}/figures/ends.py"), project.path(f"{TOY}/figures/new.py"))


def add_experiment(project: Project) -> None:
    folder = project.path(f"{TOY}/experiments")
    shutil.copy(folder / "powers.py", folder / "new.py")
    project.configure(
        lambda raw: raw["papers"]["toy2026"].update(new=raw["papers"]["toy2026"]["powers"])
    )


def add_paper(project: Project) -> None:
    shutil.copytree(project.path(f"{PACKAGE}/tiny2027"), project.path(f"{PACKAGE}/new2028"))
    project.configure(lambda raw: raw["papers"].update(new2028=raw["papers"]["tiny2027"]))


def new_steps(paper: str, experiment: str) -> set[str]:
    return {
        f"grid {paper} {experiment}",
        f"simulate {paper} {experiment} {job().split()[-1]}",
        f"aggregate {paper} {experiment}",
        *LAST,
    }


def extend(*names: str) -> Callable[[Project], None]:
    """Add a statement to each of the modules."""

    def edit(project: Project) -> None:
        for name in names:
            project.append(name)

    return edit


def delete(*names: str) -> Callable[[Project], None]:
    def edit(project: Project) -> None:
        for name in names:
            project.path(name).unlink()

    return edit


def split(*axes: str) -> Callable[[Project], None]:
    return lambda project: project.configure(lambda raw: walks(raw).update(split=list(axes)))


@dataclass(frozen=True)
class Edit:
    """An edit and the steps that it makes necessary."""

    apply: Callable[[Project], None]
    steps: set[str]


EDITS = {
    "nothing": Edit(lambda project: None, set()),
    # the code of a paper
    "figure module": Edit(extend(f"{TOY}/figures/ends.py"), {"plot toy2026 ends", "report"}),
    "caption": Edit(
        lambda project: project.replace(f"{TOY}/figures/ends.py", "(ours)", "(our choice)"),
        {"plot toy2026 ends", "report"},
    ),
    "typeset module": Edit(
        extend(f"{TOY}/typeset/powers.py"), {"typeset toy2026 powers", "report"}
    ),
    "model": Edit(extend(f"{TOY}/model.py"), WALKS),
    "experiment": Edit(extend(f"{TOY}/experiments/powers.py"), POWERS),
    "data file": Edit(
        lambda project: project.append(f"{TOY}/experiments/constant.txt", "\n"), POWERS
    ),
    "estimates": Edit(extend(f"{TOY}/estimates/walks.py"), {"estimate toy2026 walks", *AFTER_ENDS}),
    "claims of a paper": Edit(extend(f"{TOY}/claims.py"), JUDGE),
    "package of a paper": Edit(extend(f"{TOY}/__init__.py"), WALKS | POWERS),
    "module that nothing imports": Edit(
        lambda project: project.path(f"{TOY}/spare.py").write_text("x = 1"), set()
    ),
    # shared code
    "plotstyle": Edit(extend(f"{PACKAGE}/plotstyle.py"), PLOTS),
    "vocabulary of claims": Edit(extend(f"{PACKAGE}/claims.py"), JUDGE),
    "tables": Edit(extend(f"{PACKAGE}/tables.py"), EVERYTHING),
    "rng": Edit(extend(f"{PACKAGE}/rng.py"), EVERYTHING),
    "what only makes the plan": Edit(
        extend(
            *(f"{PACKAGE}/{name}.py" for name in ("config", "messages", "plan", "session", "cli"))
        ),
        set(),
    ),
    "what only looks at results": Edit(
        extend(*(f"{PACKAGE}/{name}.py" for name in ("checking", "reference"))), set()
    ),
    "what reads a figure's caption": Edit(extend(f"{PACKAGE}/inspection.py"), {"report"}),
    "grid stage": Edit(extend(f"{PACKAGE}/stages/grid.py"), GRIDS | EVERY_AFTER),
    "simulate stage": Edit(extend(f"{PACKAGE}/stages/simulate.py"), EVERYTHING - GRIDS),
    "aggregate stage": Edit(extend(f"{PACKAGE}/stages/aggregate.py"), EVERY_AFTER),
    "plot stage": Edit(extend(f"{PACKAGE}/stages/plot.py"), PLOTS),
    "report stage": Edit(extend(f"{PACKAGE}/stages/report.py"), {"report"}),
    "template of the report": Edit(
        lambda project: project.append(f"{PACKAGE}/report/templates/style.css", "\n"), {"report"}
    ),
    "interactive plot": Edit(extend(f"{TOY}/interactive/ends.py"), {"report"}),
    "summarize stage": Edit(extend(f"{PACKAGE}/stages/summarize.py"), LAST),
    # what is no code
    "comment in every file": Edit(comment_everywhere, set()),
    "docstring in every module": Edit(document_everywhere, set()),
    "layout of every module": Edit(lay_out_everywhere, set()),
    "touch of every file": Edit(touch_everywhere, set()),
    "all that means nothing": Edit(change_all_that_means_nothing, set()),
    "version number": Edit(
        lambda project: project.path(f"{PACKAGE}/__init__.py").write_text('__version__ = "99"\n'),
        set(),
    ),
    "environment": Edit(other_environment, set()),
    "profile": Edit(
        lambda project: project.replace("profiles/default/config.yaml", "keep-going: false", ""),
        set(),
    ),
    # the configuration
    **{
        name: Edit(lambda project, change=change: project.configure(change), steps)
        for name, (change, steps) in CHANGES.items()
    },
    "split": Edit(split("kind"), {job(kind="a"), job(kind="b"), *AFTER_WALKS}),
    "no split": Edit(split(), {job(), *AFTER_WALKS}),
    # additions
    "new figure": Edit(add_figure, {"plot toy2026 new", "report"}),
    "new experiment": Edit(add_experiment, new_steps("toy2026", "new")),
    "new paper": Edit(add_paper, new_steps("new2028", "squares")),
    # files that were made
    "deleted table whose figures are there": Edit(
        delete("results/toy2026/walks.parquet"), AFTER_WALKS
    ),
    "deleted table of a printed one": Edit(delete("results/toy2026/powers.parquet"), AFTER_POWERS),
    "deleted estimates": Edit(
        delete("results/toy2026/walks_estimates.parquet"), {"estimate toy2026 walks", *AFTER_ENDS}
    ),
    "deleted claims": Edit(delete("results/toy2026/claims.parquet"), JUDGE),
    "deleted summary": Edit(delete("results/claims.md"), LAST),
    # A PDF is no input of anything, so Snakemake looks at its presence only.
    "truncated figure": Edit(
        lambda project: project.path("figures/toy2026/ends.pdf").write_bytes(b""), set()
    ),
    "deleted figure": Edit(delete("figures/toy2026/ends.pdf"), {"plot toy2026 ends", "report"}),
    "deleted jobs and grid of a table that is there": Edit(
        delete(
            "results/toy2026/grids/walks.parquet",
            f"results/toy2026/jobs/walks/{job(drift=0.5).split()[-1]}.parquet",
        ),
        set(),
    ),
}


# Tried in `make test`, without the runs; the configuration has more tests in test_plan.py.
CORE = (
    *("figure module", "model", "data file", "estimates"),
    *("plotstyle", "tables", "rng", "all that means nothing"),
    *("split value added", "split value dropped"),
    *("settings that swap their values", "axes that swap their values"),
    *("block of the other paper", "split", "new figure"),
    *("deleted table whose figures are there", "deleted jobs and grid of a table that is there"),
)


@dataclass(frozen=True)
class Outcome:
    """The edited project, and what a dry run lists before and after a run."""

    project: Project
    before: set[str]
    after: set[str]


@pytest.fixture(scope="module")
def attempts(
    finished: Project, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[dict[tuple[str, bool], Future[Outcome]]]:
    """For each (edit, whether to run) that was asked for, its outcome to come."""
    folder = tmp_path_factory.mktemp("edits")

    def attempt(name: str, run: bool) -> Outcome:
        project = finished.copy(folder / f"{len(list(folder.iterdir()))} {name}")
        EDITS[name].apply(project)
        before = after = project.planned()
        if run and before:
            project.snakemake("--cores", "1")
            after = project.planned()
        return Outcome(project, before, after)

    wanted = [
        (item.callspec.params["name"], item.get_closest_marker("matrix") is not None)
        for item in request.session.items
        if item.path == request.path
    ]
    with ThreadPoolExecutor(2) as pool:
        yield {key: pool.submit(attempt, *key) for key in wanted}
        pool.shutdown(cancel_futures=True)


@pytest.mark.chain
@pytest.mark.parametrize("name", CORE)
def test_an_edit_plans_exactly_its_steps(attempts: dict, name: str) -> None:
    assert attempts[name, False].result().before == EDITS[name].steps


@pytest.mark.matrix
@pytest.mark.parametrize("name", EDITS)
def test_one_run_does_what_an_edit_asks_for(attempts: dict, name: str) -> None:
    outcome = attempts[name, True].result()
    assert outcome.before == EDITS[name].steps
    assert outcome.after == set()
