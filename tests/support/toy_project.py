"""A project of its own, with the chain of this checkout and the toy papers, run by Snakemake."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

CHECKOUT = Path(__file__).parents[2]
TOY = CHECKOUT / "tests" / "toy"
PACKAGE = "src/deeplimits"
SNAKEMAKE = Path(sys.executable).with_name("snakemake")

_JOB = re.compile(r"^(?:local)?rule (\w+):\n((?:    .*\n)*)", re.MULTILINE)
_WILDCARDS = re.compile(r"^    wildcards: (.*)$", re.MULTILINE)
NOTHING = "Nothing to be done"


class Project:
    """A folder with a Snakefile, its configuration, its sources and what was made from them."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def assemble(cls, root: Path) -> "Project":
        """Copy the chain without the real papers, and the toy papers into it."""
        package = root / PACKAGE
        ignore = shutil.ignore_patterns("__pycache__")
        for name in ("archive", "stages", "verification"):
            shutil.copytree(CHECKOUT / PACKAGE / name, package / name, ignore=ignore)
        for path in (CHECKOUT / PACKAGE).glob("*.py"):
            shutil.copy2(path, package)
        for paper in TOY.glob("*20??"):
            shutil.copytree(paper, package / paper.name, ignore=ignore)
        for name in ("workflow/rules", "workflow/report", "profiles/default"):
            shutil.copytree(CHECKOUT / name, root / name)
        for path in (
            *(CHECKOUT / name for name in ("Snakefile", "environment.yml", "pyproject.toml")),
            TOY / "config.yaml",
        ):
            shutil.copy2(path, root)
        return cls(root)

    def copy(self, root: Path) -> "Project":
        """The same project elsewhere, with `.snakemake` and all times of modification."""
        shutil.copytree(self.root, root, symlinks=True)
        return Project(root)

    def path(self, name: str) -> Path:
        return self.root / name

    def snakemake(self, *arguments: str, expect: int = 0) -> str:
        """Run Snakemake from an empty environment; returns all that it says."""
        done = subprocess.run(
            [str(SNAKEMAKE), *arguments],
            cwd=self.root,
            env={},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == expect, done.stdout
        return done.stdout

    def planned(self, *arguments: str) -> set[str]:
        """The steps that a dry run lists, each as its rule and the values of its wildcards."""
        output = self.snakemake("--dry-run", *arguments)
        jobs = {
            " ".join((rule, *self._wildcards(details))) for rule, details in _JOB.findall(output)
        } - {"all", "toy2026", "tiny2027"}
        assert bool(jobs) != (NOTHING in output), output
        return jobs

    @staticmethod
    def _wildcards(details: str) -> list[str]:
        found = _WILDCARDS.search(details)
        return [pair.split("=")[1] for pair in found[1].split(", ")] if found else []

    def configure(self, change: Callable[[dict[str, Any]], Any]) -> None:
        """Change the configuration."""
        path = self.path("config.yaml")
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
        change(raw)
        path.write_text(yaml.safe_dump(raw, sort_keys=False), encoding="utf-8")

    def append(self, name: str, text: str = "\nEXTRA = 1\n") -> None:
        """Add text, a statement unless told otherwise, to the end of a file."""
        path = self.path(name)
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")

    def replace(self, name: str, old: str, new: str) -> None:
        """Replace text that is there once."""
        path = self.path(name)
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, (name, old)
        path.write_text(text.replace(old, new), encoding="utf-8")

    def made(self, *folders: str) -> dict[str, bytes]:
        """All files that were made, without logs and benchmarks, and their content."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for folder in folders or ("results", "figures")
            for path in self.path(folder).rglob("*")
            if path.is_file() and "benchmarks" not in path.parts
        }
