"""A running cluster, and a toy project that is sent to it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import slurm_cluster
from cluster_project import ClusterProject
from toy_project import CHECKOUT, Project


@pytest.fixture(scope="session")
def cluster() -> Iterator[slurm_cluster.Cluster]:
    if absent := slurm_cluster.missing():
        pytest.skip(f"no SLURM on this machine: {', '.join(absent)} not found")
    with slurm_cluster.running() as running:
        yield running


@pytest.fixture(scope="session")
def unmade(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with nothing made, which on a cluster cuts its walks into four jobs, not two."""
    project = Project.assemble(tmp_path_factory.mktemp("unmade") / "project")
    shutil.copytree(CHECKOUT / "profiles" / "slurm", project.path("profiles/slurm"))
    project.path("workflow/config").mkdir()
    project.path("workflow/config/cluster.yaml").write_text(
        "papers: {toy2026: {walks: {split: [drift, kind]}}}\n", encoding="utf-8"
    )
    return project


@pytest.fixture(scope="session")
def local(unmade: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project, made without a cluster."""
    project = unmade.copy(tmp_path_factory.mktemp("local") / "project")
    project.snakemake()
    return project


@pytest.fixture
def project(
    cluster: slurm_cluster.Cluster, unmade: Project, tmp_path: Path
) -> Iterator[ClusterProject]:
    """A copy of the project with nothing made, to be made on the cluster."""
    project = ClusterProject(unmade.copy(tmp_path / "project").root, cluster)
    yield project
    project.stop()
