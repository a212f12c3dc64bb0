"""Benchmark files: where the rules have Snakemake write them, and what they say."""

import csv
from dataclasses import dataclass
from pathlib import Path

from deeplimits.errors import UserError

_NOT_SEEN = ("NA", "-")  # of a job that ended before Snakemake looked at it


@dataclass(frozen=True)
class Measured:
    """Wall and CPU time of a job in seconds, its memory in MB; None where it was too short."""

    wall: float
    cpu: float
    memory: float | None


def place(results: Path, stage: str, name: tuple[str, ...]) -> Path:
    """The benchmark file of a step by its name, which begins with the paper if it has one."""
    paper, rest = name[:1], name[1:]
    return results.joinpath(*paper, "benchmarks", stage, *rest).with_suffix(".tsv")


def read(path: Path) -> Measured:
    """What a benchmark file says.

    Raises
    ------
    UserError
        if it is missing, or not that of one job.
    """
    try:
        (row,) = rows(path)
        cpu, memory = (
            None if row[name] in _NOT_SEEN else float(row[name]) for name in ("cpu_time", "max_rss")
        )
        return Measured(float(row["s"]), cpu or 0.0, memory)
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such benchmark; run snakemake to make it") from error
    except (ValueError, TypeError, KeyError) as error:
        raise UserError(
            f"{path}: no benchmark of one job ({error}); delete what it was made with and run again"
        ) from error


def rows(path: Path) -> list[dict[str, str]]:
    """The lines of a benchmark file, one a job that was measured; OSError where there is none."""
    text = path.read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t"))
