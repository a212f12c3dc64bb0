"""What files cost to make, from the benchmark files of a finished run."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from deeplimits.errors import UserError
from deeplimits.plan import Plan

_COLUMNS = {"s": "wall", "cpu_time": "cpu", "max_rss": "memory"}


@dataclass(frozen=True)
class Cost:
    """Number of jobs, their wall and CPU time in seconds, and the largest job's memory in MB."""

    jobs: int
    wall: float
    cpu: float
    memory: float


def of(plan: Plan, files: Iterable[str]) -> Cost:
    """What it took to make these outputs of the plan, and all that they are made from.

    Raises
    ------
    UserError
        if a file is no output of the plan, or a benchmark file is missing or not Snakemake's.
    """
    measured = [_row(path) for path in _benchmarks(plan, files)]
    return Cost(
        len(measured),
        sum(row["wall"] for row in measured),
        sum(row["cpu"] for row in measured),
        max((row["memory"] for row in measured), default=0.0),
    )


def _benchmarks(plan: Plan, files: Iterable[str]) -> set[Path]:
    """The benchmark file of every step that these files need; the rules write them there."""
    makers = {
        output: (stage, name)
        for stage, steps in plan.steps.items()
        for name, step in steps.items()
        for output in step.outputs
    }
    found: set[tuple[str, tuple[str, ...]]] = set()
    waiting = list(files)
    while waiting:
        path = waiting.pop()
        if path not in makers:
            raise UserError(f"{path}: nothing in the plan makes it; see `deeplimits plan`")
        maker = makers[path]
        if maker not in found:
            found.add(maker)
            stage, name = maker
            waiting.extend(plan.step(stage, *name).inputs)
    results = Path(plan.configuration.top.folders.results)
    return {benchmark(results, stage, name) for stage, name in found}


def benchmark(results: Path, stage: str, name: tuple[str, ...]) -> Path:
    """Where the rules have Snakemake write the benchmark of a step."""
    paper, rest = name[:1], name[1:]
    return results.joinpath(*paper, "benchmarks", stage, *rest).with_suffix(".tsv")


def rows(path: Path) -> list[dict[str, str]]:
    """The lines of a benchmark file, one a job that was measured; OSError where there is none."""
    text = path.read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t"))


def _row(path: Path) -> dict[str, float]:
    try:
        (row,) = rows(path)
        return {name: float(row[column]) for column, name in _COLUMNS.items()}
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such benchmark; run snakemake to make it") from error
    except (ValueError, TypeError, KeyError) as error:
        raise UserError(
            f"{path}: no benchmark of one job ({error}); delete what it was made with and run again"
        ) from error
