"""A SLURM cluster on this machine, for tests: a controller and nodes, as any user, in one folder.

    python tests/slurm/slurm_cluster.py COMMAND ARGUMENT …   # runs a command on a new cluster
    python tests/slurm/slurm_cluster.py                      # opens a shell on it

Needs the programs of SLURM and MUNGE (on Debian and Ubuntu: apt install slurm-wlm munge) and
nothing of their configuration: keys, sockets, ports, state and logs are the cluster's own. Every
process is a child of this one and ends with it; no other is touched.
"""

import contextlib
import ctypes
import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
CLIENTS = ("sbatch", "srun", "squeue", "scancel", "scontrol", "sinfo")
NODES = ("n1", "n2")
CPUS = 2  # of one node
MEMORY = 3000  # of one node, MB

CONFIGURATION = """\
ClusterName=deeplimits
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
MinJobAge=600
KillWait=2
InactiveLimit=0
# A job that holds more memory than it asked for is killed, seen at every second.
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
{nodes}
PartitionName=long Nodes=ALL MaxTime=60 State=UP
PartitionName=short Nodes=ALL Default=YES MaxTime=30 State=UP
"""


def missing() -> list[str]:
    """The programs that a cluster needs and this machine has not."""
    return [name for name in (*DAEMONS, *CLIENTS) if _program(name) is None]


class Cluster:
    """A controller and two nodes; `environment` makes SLURM's commands talk to them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "SLURM_CONF": str(folder / "slurm.conf"),
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        }
        self._processes: dict[str, subprocess.Popen] = {}

    def start(self) -> None:
        """Bring up every process and wait until all nodes are idle."""
        self._write_configuration()
        self._write_commands()
        self._spawn_munge()
        self._spawn("slurmctld", "-D", "-c")
        for node in NODES:
            self._spawn("slurmd", "-D", "-N", node, name=node)
        self.wait_for("idle", *NODES)

    def stop(self) -> None:
        """End the jobs, then the processes that were started here, the last one first."""
        try:
            self.run("scancel", "--user", getpass.getuser())
            self._wait(lambda: not self.run("squeue", "--noheader"), "the jobs to end")
        except (subprocess.CalledProcessError, RuntimeError):
            pass  # a cluster that never came up, or lost a process, has no jobs to wait for
        finally:
            self._end_processes()

    def _end_processes(self) -> None:
        for process in reversed(self._processes.values()):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def run(self, *command: str) -> str:
        """The output of a command of SLURM."""
        return subprocess.run(
            command, env=self.environment, check=True, capture_output=True, text=True
        ).stdout

    def wait_for(self, state: str, *nodes: str) -> None:
        """Wait until the nodes are in a state."""

        def arrived() -> bool:
            command = ("sinfo", "--noheader", "--partition", "long", "--Node", "--format", "%N %T")
            found = dict(line.split() for line in self.run(*command).splitlines())
            return all(found.get(node) == state for node in nodes)

        self._wait(arrived, f"{', '.join(nodes)} to be {state}")

    def _wait(self, arrived, what: str, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while True:
            for name, process in self._processes.items():
                if process.poll() is not None:
                    raise RuntimeError(f"{name} ended:\n{self._log(name).read_text()[-2000:]}")
            with contextlib.suppress(subprocess.CalledProcessError):  # not listening yet
                if arrived():
                    return
            if time.monotonic() > end:
                logs = "\n".join(self._log(name).read_text()[-1000:] for name in self._processes)
                raise TimeoutError(f"waited {seconds:.0f} s for {what}:\n{logs}")
            time.sleep(0.2)

    def _write_configuration(self) -> None:
        host = socket.gethostname().split(".")[0]
        ports = _free_ports(1 + len(NODES))
        nodes = "\n".join(
            f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} "
            f"CPUs={CPUS} RealMemory={MEMORY} State=UNKNOWN"
            for node, port in zip(NODES, ports[1:], strict=True)
        )
        text = CONFIGURATION.format(
            host=host, ports=ports, user=getpass.getuser(), folder=self.folder, nodes=nodes
        )
        (self.folder / "state").mkdir()
        (self.folder / "slurm.conf").write_text(text)
        (self.folder / "cgroup.conf").write_text("CgroupAutomount=no\n")

    def _write_commands(self) -> None:
        """Put commands in front of SLURM's own that know this cluster also without SLURM_CONF.

        A job step of Snakemake's executor drops the variables of SLURM.
        """
        folder = self.folder / "bin"
        folder.mkdir()
        for name in CLIENTS:
            path = folder / name
            path.write_text(
                f'#!/bin/sh\nSLURM_CONF="{self.folder}/slurm.conf" exec {_program(name)} "$@"\n'
            )
            path.chmod(0o755)

    def _spawn_munge(self) -> None:
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        options = {
            "key-file": "munge.key",
            "socket": "munge.socket",
            "pid-file": "munge.pid",
            "log-file": "munge.log",
            "seed-file": "munge.seed",
        }
        arguments = [f"--{name}={self.folder / file}" for name, file in options.items()]
        self._spawn("munged", "--foreground", "--force", *arguments)
        self._wait((self.folder / "munge.socket").exists, "munged to listen")

    def _spawn(self, program: str, *arguments: str, name: str | None = None) -> None:
        name = name or program
        with self._log(name).open("wb") as log:
            self._processes[name] = subprocess.Popen(
                [_program(program), *arguments],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=_end_with_parent,
            )

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.out"


@contextlib.contextmanager
def running() -> Iterator[Cluster]:
    """A cluster in a folder of its own, which goes with it."""
    # Not where pytest would put it: the path of a socket may have 107 bytes.
    folder = Path(tempfile.mkdtemp(prefix="slurm-"))
    cluster = Cluster(folder)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _end_with_parent() -> None:
    """Have the kernel send SIGTERM when the parent is gone, however it went (prctl(2))."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def _program(name: str) -> str | None:
    """A program's path; daemons stand where ordinary users don't look."""
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"))
    return shutil.which(name, path=path)


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def main(command: Sequence[str]) -> int:
    """Run a command on a new cluster and return its exit code."""
    if absent := missing():
        print(f"not on this machine: {', '.join(absent)} (see {__file__})", file=sys.stderr)
        return 1
    with running() as cluster:
        shell = [os.environ.get("SHELL", "/bin/sh")]
        return subprocess.run(command or shell, env=cluster.environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
