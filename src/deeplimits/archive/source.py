"""What an archive is made of that nobody computed: the files of one commit."""

import hashlib
import json
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from deeplimits.archive.names import CHECKSUMS, CODE, CRATE, GENERATED, METADATA
from deeplimits.errors import UserError


@dataclass(frozen=True)
class Source:
    """A commit, its date, and its files, by paths relative to the folder of the project."""

    commit: str
    date: datetime
    files: tuple[str, ...]


def read(made: Iterable[str]) -> Source:
    """The source in the working folder, a checkout or an archive that was unpacked.

    `made` are the files that the run made, which an archive lists beside those of the source.

    Raises
    ------
    UserError
        if the folder is neither, or differs from the commit that it would be named by.
    """
    if Path(".git").exists():
        return _of_checkout()
    if Path(CHECKSUMS).exists():
        return _of_archive(set(made))
    raise UserError(
        f"neither .git nor {CHECKSUMS} is here, so what belongs to the source isn't known; "
        "work in a clone of the repository or in an unpacked archive"
    )


def _of_checkout() -> Source:
    commit, date = _git("log", "-1", "--no-show-signature", "--format=%H %cI").split()
    status = _git("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    entries = [(entry[:2], entry[3:]) for entry in status.split("\0") if entry]
    differing = [name for kind, name in entries if kind != "??" or _is_code(name)]
    _refuse_differing(differing, commit, "commit it, or take it back with git")
    files = _git("ls-files", "-z").split("\0")
    return Source(commit, datetime.fromisoformat(date).astimezone(UTC), tuple(filter(None, files)))


def _git(*arguments: str) -> str:
    try:
        run = subprocess.run(
            ["git", *arguments], capture_output=True, encoding="utf-8", check=False
        )
    except OSError as error:
        raise UserError(f"git can't be run ({error.strerror}); install it") from error
    if run.returncode:
        reason = run.stderr.strip().splitlines()[:1]
        raise UserError(f"git {arguments[0]}: {' '.join(reason)}; the archive is made of a commit")
    return run.stdout


def _of_archive(made: set[str]) -> Source:
    expected = _checksums()
    commit, date = _from_crate()
    ours = {
        name: digest
        for name, digest in expected.items()
        if name not in made and name not in GENERATED and not name.startswith(f"{METADATA}/")
    }
    differing = [name for name, digest in ours.items() if _digest(Path(name)) != digest]
    added = [name for name in _code_files() if name not in ours]
    _refuse_differing([*differing, *added], commit, "take it from the archive again")
    return Source(commit, date, tuple(ours))


def _checksums() -> dict[str, str]:
    try:
        lines = Path(CHECKSUMS).read_text(encoding="utf-8").splitlines()
        pairs = [line.split("  ", 1) for line in lines]
        return {name: digest for digest, name in pairs}
    except (OSError, ValueError) as error:
        raise UserError(f"{CHECKSUMS}: can't be read; take it from the archive again") from error


def _from_crate() -> tuple[str, datetime]:
    """The commit and its date, as `crate` wrote them."""
    try:
        graph = json.loads(Path(CRATE).read_text(encoding="utf-8"))["@graph"]
        entities = {entity["@id"]: entity for entity in graph}
        _, commit = entities["Snakefile"]["version"].split("+")
        return commit, datetime.fromisoformat(entities["./"]["datePublished"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{CRATE}: names no commit; take it from the archive again") from error


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def _code_files() -> Iterator[str]:
    for folder in CODE:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path.as_posix()


def _is_code(name: str) -> bool:
    """Whether a file that git doesn't know would still be read by the chain."""
    return name.split("/")[0] in CODE


def _refuse_differing(names: list[str], commit: str, remedy: str) -> None:
    if names:
        others = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
        raise UserError(f"{names[0]}{others}: not as in commit {commit[:12]}; {remedy}")
