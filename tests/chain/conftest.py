"""Projects with the toy papers: one that is finished, and copies of it to be edited."""

from pathlib import Path

import pytest

from toy_project import Project


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with everything made. Not to be changed: `project` is a copy."""
    project = Project.assemble(tmp_path_factory.mktemp("finished") / "project")
    project.snakemake()
    return project


@pytest.fixture
def project(finished: Project, tmp_path: Path) -> Project:
    """A copy of the finished project."""
    return finished.copy(tmp_path / "project")
