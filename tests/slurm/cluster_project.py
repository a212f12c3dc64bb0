"""A project whose Snakemake submits to a cluster."""

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from slurm_cluster import Cluster
from toy_project import SNAKEMAKE, Project

PROFILE = ("--workflow-profile", "profiles/slurm")
# Jobs of tests take seconds, and their files are on a local disk.
IMPATIENT = (
    "--slurm-init-seconds-before-status-checks=2",
    "--seconds-between-status-checks=2",
    "--latency-wait=10",
)


class ClusterProject(Project):
    """A project whose Snakemake submits to a cluster; what it says is in the file `said`."""

    def __init__(self, root: Path, cluster: Cluster) -> None:
        super().__init__(root)
        self.cluster = cluster
        self._controllers: list[subprocess.Popen] = []

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen:
        """Start Snakemake in a session of its own."""
        with self.path("said").open("wb") as said:
            controller = subprocess.Popen(
                [SNAKEMAKE, *arguments, *PROFILE, *IMPATIENT],
                cwd=self.root,
                env={**self.cluster.environment, **environment},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._controllers.append(controller)
        return controller

    def submit(self, *arguments: str, expect: int = 0, **environment: str) -> str:
        """Run Snakemake on the cluster; returns all that it says."""
        status = self.start(*arguments, **environment).wait()
        assert status == expect, self.said
        return self.said

    @property
    def said(self) -> str:
        return self.path("said").read_text(encoding="utf-8")

    def jobs(self, *columns: str, state: str = "all") -> list[list[str]]:
        """Columns, in squeue's letters, of this project's jobs, those that ended included."""
        form = "|".join(("%Z", *(f"%{letter}" for letter in columns)))
        said = self.cluster.run("squeue", "--states", state, "--noheader", "--format", form)
        rows = [line.split("|") for line in said.splitlines()]
        return [row[1:] for row in rows if row[0] == str(self.root)]

    def wait_until(self, condition: Callable[[], object], what: str, seconds: float = 240) -> None:
        """Wait for something that the cluster does."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"{what}: not within {seconds} s\n{self.said}"
            time.sleep(0.2)

    def stop(self) -> None:
        """End whatever of this project still runs."""
        for controller in self._controllers:
            if controller.poll() is None:
                controller.send_signal(signal.SIGKILL)
                controller.wait()
        for (number,) in self.jobs("i", state="pending,running"):
            self.cluster.run("scancel", number)
