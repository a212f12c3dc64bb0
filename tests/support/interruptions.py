"""Signals: to every stage while it writes, and to Snakemake while its jobs run."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import fault_files
from faults import Said, bash, surroundings
from toy_project import SNAKEMAKE, Project

PATIENCE = 600  # seconds until a run counts as hanging, also where much else runs

# Python imports this from PYTHONPATH, which is the project's `src/` in every stage. The signal
# comes when half of a file is written, once for each file of the chain.
_KILLER = """\
import os, sys
from pathlib import Path
fsync = os.fsync
def interrupted(handle):
    name = os.path.relpath(os.readlink(f"/proc/self/fd/{{handle}}")).rpartition(".")[0]
    marker = Path("interrupted", name.replace("/", " "))
    if not marker.exists():
        marker.touch()
        os.ftruncate(handle, os.fstat(handle).st_size // 2)
        os.kill(os.getpid(), {number})
    fsync(handle)
if "deeplimits" in sys.orig_argv:
    os.fsync = interrupted
"""


def each_stage(number: signal.Signals) -> Callable[[Project], Said]:
    """Every file's writer is interrupted once; the run is started again after each failure."""

    def happen(project: Project) -> Said:
        project.path("interrupted").mkdir()
        killer = project.path("src/sitecustomize.py")
        killer.write_text(_KILLER.format(number=int(number)))
        for _ in range(len(fault_files.ALL)):
            said = bash(project, "snakemake --keep-going")
            assert said.code == 1, "a run succeeded though a stage was interrupted"
            if len(list(project.path("interrupted").iterdir())) == len(fault_files.ALL):
                break
        else:
            raise AssertionError(f"not every stage was interrupted:\n{said.text}")
        killer.unlink()
        return said

    return happen


def snakemake(number: signal.Signals, *, jobs_too: bool = False) -> Callable[[Project], Said]:
    """Snakemake is interrupted while simulations run, and started again where it was killed.

    At a terminal Ctrl-C reaches the jobs too.
    """

    def happen(project: Project) -> Said:
        with running(project) as process:
            (os.killpg if jobs_too else os.kill)(process.pid, number)
            if number == signal.SIGKILL:
                process.wait()
                said = bash(project, "snakemake")
                project.path("failure").unlink()
                return said
            project.path("failure").unlink()
            text, _ = process.communicate(timeout=PATIENCE)
            return Said(process.returncode, text)

    return happen


def second_run(options: str, *, overlay: str = "") -> Callable[[Project], Said]:
    """A second run is started while the first one simulates; the first one must complete.

    Where there is an overlay, the second run makes the powers only, which do not wait.
    """

    def happen(project: Project) -> Said:
        project.path("overlay.yaml").write_text(overlay)
        target = "other/figures/toy2026/powers.pdf" if overlay else ""
        with running(project) as process:
            said = bash(project, f"snakemake {target} {options}")
            project.path("failure").unlink()
            text, _ = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, text
            return said

    return happen


@contextmanager
def running(project: Project) -> Iterator[subprocess.Popen]:
    """Snakemake, in a session of its own, while its simulations wait for `failure` to go."""
    project.path("failure").write_text("wait")
    process = subprocess.Popen(
        [str(SNAKEMAKE)],
        cwd=project.root,
        env=surroundings(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        while not project.path("waiting").exists():
            assert process.poll() is None, process.communicate()[0]
            time.sleep(0.01)
        yield process
    finally:
        project.path("failure").unlink(missing_ok=True)
        _wait_for_group(process)


def _wait_for_group(process: subprocess.Popen) -> None:
    """Until Snakemake and the jobs that it left behind have ended."""
    process.wait(timeout=PATIENCE)
    process.stdout.close()
    with suppress(ProcessLookupError):
        for _ in range(6000):
            os.killpg(process.pid, 0)
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        raise AssertionError("jobs were left behind")
