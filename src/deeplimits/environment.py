"""Whether the environment has what `pyproject.toml` asks for; said before anything is imported."""

import importlib.metadata
import re
import tomllib
from pathlib import Path

from deeplimits.errors import UserError

_PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


def refuse_old(project: Path = _PROJECT) -> None:
    """Compare the installed versions with the minimums of a `pyproject.toml`.

    There is one in a checkout; where pip installed the package, pip has looked.

    Raises
    ------
    UserError
        naming each library that is older than its minimum or missing, and the remedy.
    """
    if not project.is_file():
        return
    from packaging.requirements import Requirement  # Snakemake and matplotlib need it

    with project.open("rb") as stream:
        needed = map(Requirement, tomllib.load(stream)["project"]["dependencies"])
    complaints = []
    for requirement in needed:
        try:
            found = _version(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            complaints.append(f"{requirement.name} is not installed")
            continue
        if not requirement.specifier.contains(found, prereleases=True):
            complaints.append(
                f"{requirement.name} {found} is installed, {requirement.specifier} is needed"
            )
    if complaints:
        raise UserError(f"{'; '.join(complaints)}: run make env, or install requirements.lock")


def _version(name: str) -> str:
    """The installed version; `importlib.metadata.version` takes six times as long."""
    installed = importlib.metadata.distribution(name)
    notes = installed.read_text("METADATA") or installed.read_text("PKG-INFO") or ""
    return re.search(r"^Version: *(\S+)", notes, re.MULTILINE)[1]
