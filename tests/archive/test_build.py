"""The archive of a finished toy project, built by `make`, unpacked elsewhere and checked there."""

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import crate_validation
import deeplimits
from checkouts import add_environment, commit_all, git
from deeplimits.archive.names import GENERATED
from toy_project import CHECKOUT, NOTHING, Project

pytestmark = [
    pytest.mark.chain,
    pytest.mark.skipif(
        not (shutil.which("git") and shutil.which("make")), reason="git or make is not installed"
    ),
]

NAME = f"deeplimits-{deeplimits.__version__}.zip"
BESIDE = ("Makefile", "README.md", "LICENSE", "CITATION.cff", "requirements.lock", ".gitignore")
# What the validator recommends and we can't have: an address of the workflow on the web (twice)
# and one of its developers.
NOT_TO_BE_HAD = {"process-run-crate-0.5_3.2", "process-run-crate-0.5_5.1", "ro-crate-1.1_31.2"}


def run(folder: Path, *command: str, source: str = "src", expect: int = 0) -> str:
    """Run a program in a folder, with the package of `source`; returns all that it says."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": source},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == expect, done.stdout
    return done.stdout


def archive(folder: Path, *arguments: str, **options: Any) -> str:
    return run(folder, sys.executable, "-m", "deeplimits", "archive", *arguments, **options)


@pytest.fixture(scope="module")
def made(finished: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A checkout with a finished run, a release, and the archive that `make archive` built."""
    project = finished.copy(tmp_path_factory.mktemp("archive") / "project")
    for name in BESIDE:
        shutil.copy2(CHECKOUT / name, project.root)
    run(project.root, sys.executable, "-m", "deeplimits", "release")
    commit_all(project.root)
    add_environment(project.root)
    assert NAME in run(project.root, "make", "archive")
    return project


@pytest.fixture(scope="module")
def contents(made: Project) -> dict[str, bytes]:
    with zipfile.ZipFile(made.path(NAME)) as opened:
        return {name: opened.read(name) for name in opened.namelist() if not name.endswith("/")}


@pytest.fixture(scope="module")
def unpacked(made: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The archive unpacked elsewhere, every file with a time that says nothing."""
    root = tmp_path_factory.mktemp("unpacked") / "elsewhere"
    with zipfile.ZipFile(made.path(NAME)) as opened:
        opened.extractall(root)
    paths = sorted(path for path in root.rglob("*") if path.is_file())
    random.Random(1).shuffle(paths)
    for age, path in enumerate(paths):
        os.utime(path, (1.6e9 + age, 1.6e9 + age))
    return Project(root)


def test_it_holds_the_commit_and_the_run(made: Project, contents: dict[str, bytes]) -> None:
    tracked = set(git(made.root, "ls-files").splitlines())
    found = {
        str(path.relative_to(made.root))
        for folder in ("results", "figures")
        for path in made.path(folder).rglob("*")
        if path.is_file()
    }
    outputs = {name for name in found if not name.endswith(".tsv")}
    assert len(outputs) > 10
    assert len(found - outputs) > 10
    records = {name for name in contents if name.startswith(".snakemake/metadata/")}
    assert len(records) == len(outputs)
    assert set(contents) == tracked | found | records | set(GENERATED)
    for name in contents.keys() - GENERATED:
        assert contents[name] == made.path(name).read_bytes(), name


def test_it_is_the_same_when_built_again(made: Project) -> None:
    before = made.path(NAME).read_bytes()
    said = archive(made.root, "--output", "again.zip")
    assert made.path("again.zip").read_bytes() == before
    digest = hashlib.sha256(before).hexdigest()
    assert said.startswith("again.zip: ")
    assert said.endswith(f" files, {len(before) / 1e6:.1f} MB, SHA-256 {digest}\n")


def test_the_checksums_are_those_of_all_other_files(contents: dict[str, bytes]) -> None:
    lines = contents["checksums.sha256"].decode().splitlines()
    found = dict(reversed(line.split("  ")) for line in lines)
    expected = {
        name: hashlib.sha256(content).hexdigest()
        for name, content in contents.items()
        if name != "checksums.sha256"
    }
    assert found == expected


def test_it_names_no_path_of_this_machine(made: Project, contents: dict[str, bytes]) -> None:
    places = {str(path).encode() for path in (made.root, CHECKOUT, sys.prefix, Path.home())}
    assert not [name for name, content in contents.items() if any(p in content for p in places)]


def test_it_explains_itself(made: Project, contents: dict[str, bytes]) -> None:
    text = contents["ARCHIVE.md"].decode()
    assert f"commit `{git(made.root, 'rev-parse', 'HEAD')}`" in text
    assert "Start with `results/claims.md`" in text
    assert "{" not in text
    tops = {name.split("/")[0] for name in contents if "/" in name}
    assert [top for top in tops if f"`{top}/`" not in text] == []


def test_elsewhere_nothing_is_to_be_done_and_it_verifies(unpacked: Project) -> None:
    assert NOTHING in unpacked.snakemake("--dry-run")
    add_environment(unpacked.root)
    said = run(unpacked.root, "make", "verify", "VERIFY=--cells 2")
    assert "2 cells" in said
    assert "no difference" in said


def test_elsewhere_the_same_archive_is_built(made: Project, unpacked: Project) -> None:
    archive(unpacked.root)
    assert unpacked.path(NAME).read_bytes() == made.path(NAME).read_bytes()


class TestCrate:
    @pytest.fixture
    def broken(self, made: Project, tmp_path: Path) -> Path:
        """The archive with a description that lacks two things."""
        path = tmp_path / "broken.zip"
        with zipfile.ZipFile(made.path(NAME)) as old, zipfile.ZipFile(path, "w") as new:
            for name in old.namelist():
                content = old.read(name)
                if name == "ro-crate-metadata.json":
                    crate = json.loads(content)
                    entities = {entity["@id"]: entity for entity in crate["@graph"]}
                    del entities["./"]["license"]
                    del entities["#run"]["instrument"]
                    content = json.dumps(crate).encode()
                new.writestr(name, content)
        return path

    def test_is_valid_and_a_broken_one_is_not(self, made: Project, broken: Path) -> None:
        valid, invalid = crate_validation.issues(made.path(NAME), broken)
        assert {severity for severity, *_ in valid} == {"RECOMMENDED"}
        assert {check for _, check, _ in valid} == NOT_TO_BE_HAD
        required = [text for severity, _, text in invalid if severity == "REQUIRED"]
        assert any("must specify a license" in text for text in required)
        assert any("instrument" in text for text in required)

    def test_says_what_was_made_from_what(self, contents: dict[str, bytes]) -> None:
        graph = json.loads(contents["ro-crate-metadata.json"])["@graph"]
        entities = {entity["@id"]: entity for entity in graph}
        assert len(entities) == len(graph)
        action = entities["#run"]
        assert action["object"] == {"@id": "config.yaml"}
        results = {reference["@id"] for reference in action["result"]}
        assert {"results/claims.md", "figures/toy2026/ends.pdf"} <= results <= set(contents)
        assert entities["figures/toy2026/ends.pdf"]["description"]
        assert action["startTime"] < action["endTime"]
        parts = {reference["@id"] for reference in entities["./"]["hasPart"]}
        described = {name for name, one in entities.items() if one["@type"] in ("File", "Dataset")}
        assert parts == described - {"./"} | {"Snakefile"}


class TestRefusals:
    @pytest.fixture
    def copy(self, made: Project, tmp_path: Path) -> Project:
        return made.copy(tmp_path / "project")

    def refused(self, project: Project, *arguments: str, **options: str) -> str:
        project.path(NAME).unlink()
        said = archive(project.root, *arguments, expect=1, **options)
        assert not project.path(NAME).exists()
        (line,) = said.splitlines()
        return line.removeprefix("deeplimits archive: ")

    def test_an_unfinished_run(self, copy: Project) -> None:
        copy.path("figures/toy2026/ends.pdf").unlink()
        line = self.refused(copy)
        assert line.startswith("the run is not finished (snakemake -n says what is left); run sna")

    def test_a_damaged_file(self, copy: Project) -> None:
        path = copy.path("figures/toy2026/ends.pdf")
        content = bytearray(path.read_bytes())
        content[100] ^= 1
        path.write_bytes(content)
        assert self.refused(copy).startswith("figures/toy2026/ends.pdf: damaged")

    def test_a_change_that_no_commit_has(self, copy: Project) -> None:
        copy.append("config.yaml", "# a remark\n")
        assert self.refused(copy).startswith("config.yaml: not as in commit")

    def test_an_overlay_that_no_commit_has(self, copy: Project) -> None:
        copy.path("mine.yaml").write_text("seed: 1\n")
        line = self.refused(copy, "--configfile", "mine.yaml")
        assert line.startswith("mine.yaml: not part of commit")

    def test_the_package_of_another_folder(self, copy: Project) -> None:
        shutil.copytree(copy.path("src"), copy.path("other/src"))
        line = self.refused(copy, source="other/src")
        assert line.startswith("the package that runs is not that of this folder but of ")
        assert line.endswith("other; work there, or run make env here")
