"""What a cell costs, from the benchmarks of a finished run."""

from pathlib import Path

from deeplimits import benchmarks, grid
from deeplimits.config import Experiment
from deeplimits.verification.sampling import Priced


def priced(experiment: Experiment, results: Path, unknown: float) -> list[Priced]:
    """Every cell with the mean seconds of a cell of its job.

    Jobs without a benchmark, as after another split, cost what the others do on average, and
    `unknown` seconds a cell where there is no benchmark at all.
    """
    jobs = [
        (list(grid.cells(job.products)), _seconds(results, experiment, job.name))
        for job in grid.jobs(experiment.products, experiment.split)
    ]
    known = [(len(cells), seconds) for cells, seconds in jobs if seconds is not None]
    mean = sum(s for _, s in known) / sum(n for n, _ in known) if known else unknown
    return [
        Priced(cell, mean if seconds is None else seconds / len(cells))
        for cells, seconds in jobs
        for cell in cells
    ]


def _seconds(results: Path, experiment: Experiment, job: str) -> float | None:
    """The wall time of a job as Snakemake measured it."""
    name = (experiment.paper, experiment.name, job)
    try:
        return float(benchmarks.rows(benchmarks.place(results, "simulate", name))[-1]["s"])
    except (OSError, IndexError, KeyError, ValueError):
        return None  # nothing measured, and only the sample's size hangs on it
