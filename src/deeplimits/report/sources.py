"""Where in the repository the code of a claim, a figure or a table stands."""

import re
from pathlib import Path

from deeplimits import digest
from deeplimits.errors import UserError

FOLDER = "src"  # of the package in the repository; the page links to its files


def module(*parts: str) -> str | None:
    """Path in the repository of a module of this package, or None where there is none."""
    path = digest.module_path(".".join((digest.PACKAGE, *parts)))
    return f"{FOLDER}/{path.relative_to(digest.SOURCE).as_posix()}" if path else None


def rule(paper: str, claim: str) -> str:
    """Path in the repository of the module that defines the rule of a claim.

    Raises
    ------
    UserError
        if not exactly one module among the paper's claims and verdicts defines it.
    """
    room = digest.SOURCE / digest.PACKAGE / paper
    definition = re.compile(rf"^def {re.escape(claim)}\(", re.MULTILINE)
    candidates = [room / "claims.py", *sorted((room / "verdicts").glob("*.py"))]
    found = [path for path in candidates if _defines(path, definition)]
    if len(found) != 1:
        raise UserError(f"{paper}: {len(found)} modules define the claim {claim}; it must be one")
    return f"{FOLDER}/{found[0].relative_to(digest.SOURCE).as_posix()}"


def _defines(path: Path, definition: re.Pattern[str]) -> bool:
    return path.is_file() and bool(definition.search(path.read_text(encoding="utf-8")))
