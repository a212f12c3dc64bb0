"""The chain on a real SLURM: the same bytes, and what goes wrong there is made good."""

import re
import signal
import subprocess

import pytest

from cluster_project import IMPATIENT, ClusterProject
from toy_project import SNAKEMAKE, Project
from toy_steps import walks

pytestmark = pytest.mark.matrix

WALKS = "results/toy2026/walks.parquet"
DRIFTS, KINDS = (0.5, 1.0), ("a", "b")


def tell(project: ClusterProject, action: str) -> None:
    """Tell the toy's model what to do besides walking."""
    project.path("failure").write_text(action)


def job_files(project: ClusterProject) -> dict[str, int]:
    """The files of the jobs of the walks, and when they were written."""
    folder = project.path("results/toy2026/jobs/walks")
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*.parquet")}


def assert_like(project: ClusterProject, local: Project) -> None:
    """The walks are those of the local run, and nothing is left to do for them."""
    assert project.path(WALKS).read_bytes() == local.path(WALKS).read_bytes()
    assert "Nothing to be done" in project.submit(WALKS)


def test_the_cluster_makes_the_same_bytes_as_this_machine(
    project: ClusterProject, local: Project
) -> None:
    """Partition and account come from the environment; light stages are not submitted."""
    project.submit(SBATCH_PARTITION="long", SBATCH_ACCOUNT="theory")
    expected, made = local.made(), project.made()
    jobs = "results/toy2026/jobs/walks/"
    assert {name for name in made if not name.startswith(jobs)} == {
        name for name in expected if not name.startswith(jobs)
    }
    assert [name for name in expected.keys() & made.keys() if made[name] != expected[name]] == []
    assert len(job_files(project)) == len(DRIFTS) * len(KINDS)

    sent = project.jobs("P", "a", "T", "k")
    assert {tuple(row[:3]) for row in sent} == {("long", "theory", "COMPLETED")}
    stages = {comment.split("_")[1] for *_, comment in sent}
    assert stages == {"simulate", "aggregate", "estimate", "plot"}
    assert "Nothing to be done" in project.submit()


def test_a_job_killed_for_memory_gets_more_of_it(project: ClusterProject, local: Project) -> None:
    project.configure(lambda raw: walks(raw).update(resources={"mem_mb": 500, "runtime": 5}))
    tell(project, "hold 500 at 0.5")
    said = project.submit(WALKS)
    assert said.count("Trying to restart job") == len(KINDS)
    asked = sorted((memory, state) for memory, state in project.jobs("m", "T") if memory != "600M")
    done, killed = ("500M", "COMPLETED"), ("500M", "FAILED")
    assert asked == sorted([("1000M", "COMPLETED"), killed, done] * len(KINDS))
    assert_like(project, local)


def test_a_job_killed_for_time_gets_more_of_it(project: ClusterProject, local: Project) -> None:
    project.configure(lambda raw: walks(raw).update(resources={"mem_mb": 500, "runtime": 1}))
    tell(project, "sleep 12 at 1.0")  # six walks a job
    said = project.submit(WALKS)
    assert said.count("Trying to restart job") >= len(KINDS)
    limits = project.jobs("l", "T")
    assert limits.count(["1:00", "TIMEOUT"]) >= len(KINDS)
    assert limits.count(["2:00", "COMPLETED"]) >= len(KINDS)
    assert_like(project, local)


def test_a_node_drained_in_mid_run_is_done_without(project: ClusterProject, local: Project) -> None:
    tell(project, "sleep 1")
    controller = project.start(WALKS)
    project.wait_until(lambda: project.jobs("i", state="running"), "a job runs")
    project.cluster.run("scontrol", "update", "nodename=n1", "state=drain", "reason=test")
    try:
        assert controller.wait() == 0, project.said
    finally:
        project.cluster.run("scontrol", "update", "nodename=n1", "state=resume")
        project.cluster.wait_for("idle", "n1", "n2")
    assert project.jobs("N")[-1] == ["n2"]
    assert_like(project, local)


def test_a_cancelled_job_is_run_again(project: ClusterProject, local: Project) -> None:
    tell(project, "sleep 1")
    controller = project.start(WALKS)
    project.wait_until(lambda: project.jobs("i", state="running"), "a job runs")
    project.cluster.run("scancel", project.jobs("i", state="running")[0][0])
    assert controller.wait() == 0, project.said
    states = [state for (state,) in project.jobs("T")]
    assert states.count("CANCELLED") == 1
    assert project.said.count("Trying to restart job") == 1
    assert_like(project, local)


def test_jobs_that_all_failed_are_done_by_a_plain_restart(
    project: ClusterProject, local: Project
) -> None:
    tell(project, "raise")
    said = project.submit(WALKS, "--retries=0", expect=1)
    assert said.count("SLURM status is: 'FAILED'") == len(DRIFTS) * len(KINDS)
    assert "an injected failure" in said, "the log of a failed job is shown"
    assert not project.path(WALKS).exists()
    project.path("failure").unlink()
    project.submit(WALKS)
    assert_like(project, local)


def test_only_unfinished_work_is_done_after_the_controller_was_killed(
    project: ClusterProject, local: Project
) -> None:
    """Its jobs go on without it until they are cancelled, as docs/cluster.md says."""
    tell(project, "sleep 600 at 1.0")
    controller = project.start(WALKS)
    project.wait_until(lambda: project.said.count("Finished jobid") >= 3, "grid and two jobs")
    controller.send_signal(signal.SIGKILL)
    controller.wait()
    finished = job_files(project)
    assert len(finished) == len(KINDS)
    (log,) = project.path(".snakemake/log").glob("*.log")
    project.cluster.run("scancel", "--name", re.search(r"SLURM run ID: (\S+)", log.read_text())[1])
    project.wait_until(lambda: not project.jobs("i", state="running,completing"), "all jobs end")

    project.path("failure").unlink()
    assert "--unlock" in project.submit(WALKS, expect=1)
    project.submit("--unlock")
    said = project.submit(WALKS)
    assert said.count("rule simulate:") == len(KINDS)
    assert finished.items() <= job_files(project).items(), "finished jobs ran again"
    assert_like(project, local)


def test_an_interrupted_controller_cancels_its_jobs(
    project: ClusterProject, local: Project
) -> None:
    tell(project, "sleep 600")
    controller = project.start(WALKS)
    project.wait_until(lambda: project.jobs("i", state="running"), "a job runs")
    controller.send_signal(signal.SIGINT)
    assert controller.wait() != 0
    project.wait_until(lambda: not project.jobs("i", state="pending,running"), "all jobs end")
    project.path("failure").unlink()
    project.submit(WALKS)
    assert_like(project, local)


def test_a_run_that_can_not_submit_says_why(project: ClusterProject) -> None:
    said = project.submit(WALKS, "--retries=0", expect=1, SBATCH_PARTITION="nowhere")
    assert "invalid partition specified: nowhere" in said
    assert not project.path(WALKS).exists()


def test_the_controller_can_be_a_job_itself(project: ClusterProject, local: Project) -> None:
    environment = {**project.cluster.environment, "SNAKEMAKE": str(SNAKEMAKE)}
    sbatch = ("sbatch", "--wait", "--time=20", "profiles/slurm/controller.sh")
    subprocess.run([*sbatch, WALKS, *IMPATIENT], cwd=project.root, env=environment, check=True)
    assert "100%" in next(project.root.glob("deeplimits-*.log")).read_text()
    assert_like(project, local)
