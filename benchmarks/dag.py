"""Cost of planning: time and memory of `snakemake -n`, by numbers of cells and of jobs.

Each row is two dry runs with nothing made yet, in processes of their own: one that plans, and one
that finds the plan kept by the first, as every job on a cluster does. First the sweep of
`workflow/config/sweep.yaml`, then `transition` of fedorov2026 on ever more cells in 250 jobs and on
10⁵ cells in ever more jobs. The other experiments, which are planned too, are those of config.yaml.
A slope is that of log cost against log number, from the row above. On a busy machine trust the CPU
time. Run as `python benchmarks/dag.py`.
"""

import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "results" / "bench_dag.md"
SWEEP = ROOT / "workflow" / "config" / "sweep.yaml"
SWEEP_TARGET = "sweep/figures/fedorov2026/phase_diagram.pdf"
GRID_TARGET = "dag/figures/fedorov2026/transition.pdf"

# Numbers of values of d (one job each), of β and of ρ₀.
MORE_CELLS = ((250, 2, 2), (250, 5, 8), (250, 20, 20), (250, 50, 80))
MORE_JOBS = ((10, 100, 100), (100, 25, 40), (1000, 10, 10), (10000, 2, 5))


class Cost(NamedTuple):
    """What a dry run took."""

    wall: float
    cpu: float
    megabytes: float


class Costs(NamedTuple):
    """The number of steps that are planned, and the costs of planning and of finding the plan."""

    steps: int
    first: Cost
    again: Cost


def main() -> None:
    """Measure one grid after the other and write a Markdown table."""
    lines = [
        "| grid | cells | jobs | steps | first: wall, s | CPU, s | MB "
        "| again: wall, s | CPU, s | MB | slopes of first CPU, MB |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
        _row("`sweep.yaml`", "101,727", "127", dry_runs(SWEEP, SWEEP_TARGET), ""),
        *_series("more cells", MORE_CELLS, varied=lambda cells, jobs: cells),
        *_series("more jobs", MORE_JOBS, varied=lambda cells, jobs: jobs),
    ]
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


def dry_runs(configuration: Path, target: str) -> Costs:
    """Plan `target` twice, in a folder of its own, `configuration` laid over config.yaml."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / "config.yaml", folder)
        steps, first = _dry_run(Path(folder), configuration, target)
        _, again = _dry_run(Path(folder), configuration, target)
    return Costs(steps, first, again)


def _dry_run(folder: Path, configuration: Path, target: str) -> tuple[int, Cost]:
    """Number of steps, and cost.

    Raises
    ------
    RuntimeError
        with what Snakemake said, if it fails.
    """
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "-n"]
    command += [target, "--cores", "1", "--quiet", "rules", "--configfile", str(configuration)]
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=said)
        _, status, used = os.wait4(process.pid, 0)  # the peak memory of this process alone
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - start
        said.seek(0)
        output = said.read()
    steps = re.search(r"^total +(\d+)$", output, re.MULTILINE)
    if process.returncode or not steps:
        raise RuntimeError(output)
    return int(steps[1]), Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def _series(
    name: str, sizes: Iterable[tuple[int, int, int]], varied: Callable[[int, int], int]
) -> list[str]:
    """A row for each grid, with the slopes from the row before."""
    lines: list[str] = []
    before: tuple[int, Cost] | None = None
    for size in sizes:
        cells, jobs = math.prod(size), size[0]
        costs, number = _costs_of_grid(*size), varied(cells, jobs)
        slopes = _slopes(*before, number, costs.first) if before else ""
        lines.append(_row(name, f"{cells:,}", f"{jobs:,}", costs, slopes))
        before = number, costs.first
    return lines


def _slopes(old_number: int, old: Cost, number: int, cost: Cost) -> str:
    grown = math.log(number / old_number)
    cpu = math.log(cost.cpu / old.cpu) / grown
    memory = math.log(cost.megabytes / old.megabytes) / grown
    return f"{cpu:.2f}, {memory:.2f}"


def _costs_of_grid(jobs: int, betas: int, cosines: int) -> Costs:
    axes = {
        "d": [str(2 + index) for index in range(jobs)],
        "beta": [f"{4 * index / betas:.6f}" for index in range(betas)],
        "rho0": [f"{(2 * index + 1) / cosines - 1:.6f}" for index in range(cosines)],
        "epsilon": ["0.1"],
    }
    product = ", ".join(f"{axis}: [{', '.join(values)}]" for axis, values in axes.items())
    text = (
        "folders: {results: dag/results, figures: dag/figures, logs: dag/logs}\n"
        f"papers: {{fedorov2026: {{transition: {{grid: [{{{product}}}], split: [d]}}}}}}\n"
    )
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as overlay:
        overlay.write(text)
        overlay.flush()
        return dry_runs(Path(overlay.name), GRID_TARGET)


def _row(grid: str, cells: str, jobs: str, costs: Costs, slopes: str) -> str:
    taken = " | ".join(
        f"{cost.wall:.1f} | {cost.cpu:.1f} | {cost.megabytes:.0f}"
        for cost in (costs.first, costs.again)
    )
    return f"| {grid} | {cells} | {jobs} | {costs.steps:,} | {taken} | {slopes} |"


if __name__ == "__main__":
    main()
