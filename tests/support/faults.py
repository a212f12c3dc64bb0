"""Faults: how each is brought about, what is then said, and what the user does and types.

A `Fault` is a row of the table in `docs/faults.md` and a test in `tests/faults`; both come from
the lists in `fault_rows`, so the page says nothing that is not tried.
"""

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

from toy_project import SNAKEMAKE, Project

COMPLETES = "completes; every file has the same bytes as without the fault"


@dataclass(frozen=True)
class Said:
    """How a command ended and all that it said."""

    code: int
    text: str


@dataclass(frozen=True)
class Fault:
    """One fault of a run.

    Attributes
    ----------
    name:
        what happens, in words.
    happen:
        brings it about in a project; returns what the command that met it said.
    says:
        what that command must say before it stops; nothing where it must complete.
    mend:
        what the user does besides typing, in words, and how the test does it.
    types:
        the commands that then complete everything.
    fresh:
        whether nothing is made yet when it happens.
    needs:
        option of `unshare` that the machine must allow.
    """

    name: str
    happen: Callable[[Project], Said]
    says: str = ""
    mend: tuple[str, Callable[[Project], object]] | None = None
    types: tuple[str, ...] = ()
    fresh: bool = True
    needs: str = ""

    @property
    def outcome(self) -> str:
        """What happens then, in words."""
        return f"stops and says `{self.says}`" if self.says else COMPLETES

    @property
    def remedy(self) -> str:
        """What the user does, in words."""
        words = [self.mend[0]] if self.mend else []
        return ", then ".join([*words, *(f"`{command}`" for command in self.types)]) or "nothing"


@dataclass(frozen=True)
class Damage:
    """One way to damage a file that was made.

    Attributes
    ----------
    name:
        what happens to the file, in words.
    apply:
        the content after it, from the content before it and another file of the same format.
    says:
        what is said of the file.
    formats:
        suffixes of the files that it can happen to.
    """

    name: str
    apply: Callable[[bytes, bytes], bytes]
    says: str
    formats: tuple[str, ...] = (".parquet", ".pdf", ".png", ".csv", ".tex", ".md", ".html")


def bash(project: Project, command: str, **environment: str) -> Said:
    """Run a command as a user would type it, in the project's folder."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=project.root,
        env=surroundings(**environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return Said(done.returncode, done.stdout)


def surroundings(**environment: str) -> dict[str, str]:
    """An environment with the installed programs and this project's package, and no more."""
    return {"PATH": f"{SNAKEMAKE.parent}:{os.defpath}", "PYTHONPATH": "src", **environment}
