"""What an archive takes from a checkout, and from an archive that was unpacked."""

import hashlib
import json
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from checkouts import commit_all, git
from deeplimits.archive import names, source
from deeplimits.errors import UserError

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

FILES = {
    "Snakefile": "rule all:\n",
    "config.yaml": "seed: 1\n",
    "src/deeplimits/plan.py": "PLAN = 1\n",
    "docs/ä b.md": "# A page\n",
    ".gitignore": "/results/\n",
}
MADE = {"results/table.csv": "x\n1\n"}


def fill(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A checkout with what a run made, as the working folder; its commit."""
    monkeypatch.chdir(tmp_path)
    fill(tmp_path, FILES)
    commit = commit_all(tmp_path)
    fill(tmp_path, MADE)
    return commit


@pytest.fixture
def unpacked(commit: str, tmp_path: Path) -> str:
    """The same without git, with the files of an archive that the source is read from."""
    origin = source.read(MADE)
    shutil.rmtree(tmp_path / ".git")
    graph = [
        {"@id": "./", "datePublished": origin.date.isoformat()},
        {"@id": "Snakefile", "version": f"1.0+{commit}"},
    ]
    crate = json.dumps({"@graph": graph})
    files = FILES | MADE | {names.CRATE: crate, f"{names.METADATA}/abc": "{}"}
    fill(tmp_path, files)
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items()}
    lines = "".join(f"{digest}  {name}\n" for name, digest in digests.items())
    fill(tmp_path, {names.CHECKSUMS: lines})
    return commit


def refused(message: str) -> None:
    with pytest.raises(UserError, match=message):
        source.read(MADE)


def test_a_checkout_is_the_files_of_its_commit(commit: str) -> None:
    found = source.read(MADE)
    assert (found.commit, set(found.files)) == (commit, set(FILES))
    assert found.date.utcoffset().total_seconds() == 0
    assert found.date == datetime.fromisoformat(git(Path(), "log", "-1", "--format=%cI"))


def test_an_unpacked_archive_is_the_same_source(unpacked: str) -> None:
    found = source.read(MADE)
    assert (found.commit, set(found.files)) == (unpacked, set(FILES))


def test_files_that_differ_from_the_commit_are_named(commit: str) -> None:
    fill(Path(), {"notes.txt": "not read by the chain\n"})
    assert set(source.read(MADE).files) == set(FILES)
    fill(Path(), {"src/deeplimits/new.py": ""})
    refused(rf"^src/deeplimits/new\.py: not as in commit {commit[:12]}; commit it, or take it back")
    fill(Path(), {"config.yaml": "seed: 2\n"})
    refused(r"^config\.yaml \(and 1 more\): not as in commit")


@pytest.mark.parametrize("name", ["config.yaml", "docs/ä b.md", "workflow/rules/new.smk"])
def test_files_that_differ_from_the_archive_are_named(unpacked: str, name: str) -> None:
    fill(Path(), {name: "changed\n"})
    refused(rf"^{name}: not as in commit {unpacked[:12]}; take it from the archive again")


def test_a_file_that_the_archive_had_is_missed(unpacked: str) -> None:
    Path("config.yaml").unlink()
    refused(r"^config\.yaml: not as in commit")


def test_neither_git_nor_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refused(r"^neither \.git nor checksums\.sha256 is here.*; work in a clone")


def test_a_repository_without_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "--quiet")
    refused(r"^git log: fatal: .*; the archive is made of a commit$")


def test_git_is_not_installed(commit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    refused(r"^git can't be run \(No such file or directory\); install it")


@pytest.mark.parametrize("crate", ["{", "[]", '{"@graph": []}'])
def test_a_crate_that_names_no_commit(unpacked: str, crate: str) -> None:
    fill(Path(), {names.CRATE: crate})
    refused(r"^ro-crate-metadata\.json: names no commit; take it from the archive again")


@pytest.mark.parametrize("text", ["abc", "a  b\n\n", "\udcff"])
def test_checksums_that_cannot_be_read(unpacked: str, text: str) -> None:
    Path(names.CHECKSUMS).write_bytes(text.encode(errors="surrogateescape"))
    refused(r"^checksums\.sha256: can't be read; take it from the archive again")


def test_every_tracked_folder_is_described() -> None:
    checkout = Path(__file__).parents[2]
    if not (checkout / ".git").exists():
        pytest.skip("no checkout of git")
    tracked = {name.split("/")[0] for name in git(checkout, "ls-files").split() if "/" in name}
    assert tracked | {".snakemake"} == set(names.FOLDERS)
