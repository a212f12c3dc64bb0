"""Time and memory of jobs, from the benchmark files that Snakemake writes beside their results."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from deeplimits import benchmarks


@dataclass(frozen=True)
class Cost:
    """What jobs took together: seconds of time and of CPU, and MB of the largest one.

    `memory` is None where no job ran long enough to be looked at; `measured` of `jobs` have a
    benchmark file, the others were made without Snakemake.
    """

    jobs: int
    measured: int
    wall: float
    cpu: float
    memory: float | None

    @property
    def words(self) -> str:
        """The cost in one line."""
        if not self.measured:
            return "not measured (made without Snakemake)"
        words = f"{_time(self.wall)} ({_time(self.cpu)} of CPU)"
        if self.jobs > 1:
            some = "" if self.measured == self.jobs else f", {self.measured} measured"
            words += f" in {self.jobs} jobs{some}"
        if self.memory is None:
            return words
        return f"{words}, {'largest ' if self.jobs > 1 else ''}{self.memory / 1000:.2f} GB"


def total(paths: Iterable[Path]) -> Cost:
    """Sum over the jobs that have these benchmark files.

    Raises
    ------
    UserError
        if a file is there but is no benchmark.
    """
    wanted = list(paths)
    jobs = [benchmarks.read(path) for path in wanted if path.is_file()]
    return Cost(
        jobs=len(wanted),
        measured=len(jobs),
        wall=sum(job.wall for job in jobs),
        cpu=sum(job.cpu for job in jobs),
        memory=max((job.memory for job in jobs if job.memory is not None), default=None),
    )


def _time(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 100 else f"{minutes / 60:.1f} h"
