"""What files cost to make, from the benchmark files of a finished run."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from deeplimits import benchmarks
from deeplimits.errors import UserError
from deeplimits.plan import Plan


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
    measured = [benchmarks.read(path) for path in _benchmarks(plan, files)]
    return Cost(
        len(measured),
        sum(job.wall for job in measured),
        sum(job.cpu for job in measured),
        max((job.memory or 0.0 for job in measured), default=0.0),
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
    return {benchmarks.place(results, stage, name) for stage, name in found}
