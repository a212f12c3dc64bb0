"""Time and memory of jobs, from the benchmark files that Snakemake writes beside their results."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from deeplimits.errors import UserError


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
    rows = [row for path in wanted if path.is_file() for row in [_row(path)]]
    memory = [row[2] for row in rows if row[2] is not None]
    return Cost(
        jobs=len(wanted),
        measured=len(rows),
        wall=sum(row[0] for row in rows),
        cpu=sum(row[1] for row in rows),
        memory=max(memory, default=None),
    )


def _row(path: Path) -> tuple[float, float, float | None]:
    """Seconds, seconds of CPU, MB; Snakemake writes NA for what it could not look at."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    try:
        (row,) = rows
        wall = float(row["s"])
        cpu, memory = (_number(row[name]) for name in ("cpu_time", "max_rss"))
    except (KeyError, TypeError, ValueError):
        raise UserError(f"{path}: no benchmark of Snakemake; delete it and run again") from None
    return wall, cpu or 0.0, memory


def _number(text: str) -> float | None:
    return None if text in ("NA", "-") else float(text)


def _time(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 100 else f"{minutes / 60:.1f} h"
