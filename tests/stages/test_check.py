"""The check of a toy project: what is whole, missing, of other columns, or of another seed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from deeplimits import checking


@pytest.fixture
def whole(chain: Any) -> Any:
    """Everything but the figures, which take longer than all the rest, and the report of them."""
    for stage in chain.plan.steps:
        if stage not in ("plot", "report"):
            chain.make(stage)
    return chain


def test_what_was_made_is_whole_and_the_rest_is_counted(whole: Any) -> None:
    report = checking.check(whole.plan)
    assert (report.whole, report.missing, report.problems) == (16, 5, [])
    assert report.summary == "16 files are whole and up to date; 5 not made"


def test_nothing_made_is_no_problem(chain: Any) -> None:
    assert checking.check(chain.plan).summary == "0 files are whole and up to date; 21 not made"


# one table of each stage that writes one
TABLES = (
    "results/toy2026/grids/walks.parquet",
    "results/toy2026/powers.parquet",
    "results/toy2026/walks_estimates.parquet",
    "results/toy2026/claims.parquet",
    "results/claims.parquet",
)
CHANGES: dict[str, Callable[[pa.Table], pa.Table]] = {
    "a column less": lambda table: table.drop_columns(table.schema.names[-1]),
    "other order": lambda table: table.select(table.schema.names[::-1]),
    "another name": lambda table: table.rename_columns([*table.schema.names[:-1], "odd"]),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", TABLES)
def test_other_columns_under_the_right_identity_are_named(
    whole: Any, rewrite: Any, name: str, change: str
) -> None:
    rewrite(Path(name), CHANGES[change])
    report = checking.check(whole.plan)
    (problem,) = report.problems
    assert problem.startswith(f"{name}: columns [")
    assert problem.endswith("delete it and run again")
    assert report.summary == "1 of 16 files can't be used; 5 not made"


def test_a_table_of_another_seed_is_named(toy: dict[str, Any], whole: Any) -> None:
    other = type(whole)(toy | {"seed": 2})
    problems = checking.check(other.plan).problems
    assert len(problems) == 16
    assert all(": made from another code or specification" in problem for problem in problems)


@pytest.mark.parametrize("lost", [True, False])
def test_a_csv_can_not_be_checked_without_its_latex_file(whole: Any, lost: bool) -> None:
    tex = Path("results/toy2026/powers.tex")
    if lost:
        tex.unlink()
    else:
        tex.write_bytes(b"")
    first, *others = checking.check(whole.plan).problems
    assert first.startswith(f"results/toy2026/powers.csv: can't be checked, because of {tex}: ")
    assert len(others) == (0 if lost else 1)


def test_a_folder_in_place_of_a_file_is_named(whole: Any) -> None:
    path = Path("results/claims.md")
    path.unlink()
    path.mkdir()
    (problem,) = checking.check(whole.plan).problems
    assert problem == "results/claims.md: can't be read (Is a directory); delete it and run again"
