"""Versions and commit."""

import re
import shutil
from importlib import metadata
from pathlib import Path

import pytest

import deeplimits
from checkouts import commit_all, git
from deeplimits import provenance


def test_versions_are_those_of_the_environment() -> None:
    versions = provenance.versions()
    assert versions["numpy"] == metadata.version("numpy")
    assert versions["deeplimits"] == deeplimits.__version__
    assert re.fullmatch(r"3\.\d+\.\d+\S*", versions["python"])
    assert set(provenance.LIBRARIES) | {"python", "deeplimits"} == set(versions)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that takes the place of this checkout, not under git."""
    module = tmp_path / "project" / "src" / "deeplimits" / "provenance.py"
    module.parent.mkdir(parents=True)
    module.touch()
    monkeypatch.setattr(provenance, "__file__", str(module))
    return tmp_path / "project"


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@needs_git
def test_the_commit_has_a_plus_where_tracked_files_differ(checkout: Path) -> None:
    head = commit_all(checkout)
    assert provenance.commit() == head
    (checkout / "untracked").touch()
    assert provenance.commit() == head
    (checkout / "src" / "deeplimits" / "provenance.py").write_text("# changed")
    assert provenance.commit() == f"{head}+"


@needs_git
def test_a_tag_does_not_hide_the_commit(checkout: Path) -> None:
    head = commit_all(checkout)
    git(checkout, "tag", "--annotate", "--message", "m", "v1")
    assert provenance.commit() == head


@needs_git
def test_a_repository_without_commits_is_unknown(checkout: Path) -> None:
    git(checkout, "init", "--quiet")
    assert provenance.commit() == "unknown"


@needs_git
def test_the_commit_of_a_repository_around_it_is_not_taken(checkout: Path) -> None:
    commit_all(checkout.parent)
    assert provenance.commit() == "unknown"


def test_without_git_the_commit_is_unknown(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert provenance.commit() == "unknown"
    (checkout / ".git").mkdir()
    monkeypatch.setenv("PATH", "")
    assert provenance.commit() == "unknown"
