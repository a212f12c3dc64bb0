"""Share of the simulate stage's CPU time that is spent inside the kernels.

For the longest job of every experiment, the stage runs in a process of its own under cProfile.
Kernels are the functions that advance the dynamics (all of `model`, `pair`, `coupling`, `gaussian`,
`sphere`, `attention`, the activations and the kernel κ, with the numpy calls they make); the rest
is start-up, imports, what is recorded, tables and files. The shares are of the whole process's CPU
time, imports included; those of the profiler's own overhead fall on both sides.
"""

import cProfile
import json
import pstats
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ("model", "pair", "coupling", "gaussian", "sphere", "attention", "activations", "kernel",
           "closed_forms", "quadrature", "backward", "theory", "energy")  # fmt: skip


def main() -> None:
    """Print one line an experiment, weighted by its number of jobs at the end."""
    sys.path.insert(0, str(ROOT / "src"))
    from deeplimits import config, grid, plan

    steps = plan.Plan(config.validate(config.read_files([ROOT / "config.yaml"]))).steps["simulate"]
    longest = {}
    for (paper, experiment, _), step in steps.items():
        size = grid.size(step.specification["products"])
        if size >= longest.get((paper, experiment), (0, None))[0]:
            longest[paper, experiment] = size, step
    print("| experiment | jobs | CPU of one job, s | in kernels |\n|---|---|---|---|")
    total = inside = 0.0
    for (paper, experiment), (_, step) in longest.items():
        seconds, share = _profile(step.text)
        jobs = sum(name[:2] == (paper, experiment) for name in steps)
        total, inside = total + jobs * seconds, inside + jobs * seconds * share
        print(f"| {paper}/{experiment} | {jobs} | {seconds:.1f} | {share:.0%} |", flush=True)
    print(f"\nweighted by jobs: {inside / total:.0%} of {total:.0f} CPU seconds in kernels")


def _profile(specification: str) -> tuple[float, float]:
    """CPU seconds of one job's process, and the share of them inside kernels."""
    run = subprocess.run(
        [sys.executable, __file__, "job"], input=specification, capture_output=True, check=True,
        text=True,
    )  # fmt: skip
    seconds, kernels = json.loads(run.stdout)
    return seconds, kernels / seconds


def _job() -> None:
    """Run the simulate stage on standard input; print its CPU seconds and those in kernels."""
    sys.path.insert(0, str(ROOT / "src"))
    profiler = cProfile.Profile(time.process_time)
    from deeplimits.stages import simulate

    specification = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        profiler.enable()
        simulate.run(specification, Path(folder) / "job.parquet")
        profiler.disable()
    print(json.dumps([time.process_time(), _seconds_in_kernels(pstats.Stats(profiler))]))


def _seconds_in_kernels(stats: pstats.Stats) -> float:
    """Own time of the kernels' functions, and of the built-ins that they call."""
    files = {str(path) for path in (ROOT / "src").rglob("*.py") if path.stem in KERNELS}
    total = 0.0
    for (file, _, _), (_, _, own, _, callers) in stats.stats.items():
        if file in files:
            total += own
        else:
            total += sum(own for (caller, *_), (_, _, own, _) in callers.items() if caller in files)
    return total


if __name__ == "__main__":
    _job() if sys.argv[1:] == ["job"] else main()
