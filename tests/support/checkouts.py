"""Folders under git, and an environment that `make` takes for its own."""

import subprocess
import sys
from pathlib import Path


def git(folder: Path, *arguments: str) -> str:
    """What git says about a folder."""
    command = ["git", "-C", str(folder), "-c", "user.name=n", "-c", "user.email=e", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def commit_all(folder: Path) -> str:
    """Put everything that is not ignored under git; returns the commit."""
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "all", "--no-gpg-sign")
    return git(folder, "rev-parse", "HEAD")


def add_environment(folder: Path) -> None:
    """What `make env` would make, from the environment of the tests.

    The stamps are newer than what they depend on, and say that they were made here.
    """
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nPYTHONPATH=src exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    for stamp in ("locked", "installed"):
        (folder / ".venv" / stamp).write_text(f"{folder.resolve()}\n")
