"""Guides of `docs/` as programs: their code blocks, done in order as a reader would do them.

What a block is for stands in the line before it: "New file `F`:", "At the end of `F`:" (more words
may follow), "Above `T` in `F`:" or "Below `T` in `F`:", where T is how one line of F begins. Other
blocks of `sh` and `python` are run, and the output of the last one must hold the `text` block that
follows it. Blocks of `console` are left to the reader.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from toy_project import CHECKOUT

_BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
_EDITS = {
    "create": re.compile(r"New file `(?P<file>[^`]+)`:"),
    "append": re.compile(r"At the end of `(?P<file>[^`]+)`.*:"),
    "above": re.compile(r"Above `(?P<line>[^`]+)` in `(?P<file>[^`]+)`:"),
    "below": re.compile(r"Below `(?P<line>[^`]+)` in `(?P<file>[^`]+)`:"),
}
_RUN = {"sh": ("bash", "-euo", "pipefail", "-c"), "python": (sys.executable, "-c")}


class Block(NamedTuple):
    """A code block and the line before it."""

    before: str
    kind: str
    text: str


def blocks(page: str) -> list[Block]:
    """All code blocks of a page."""
    found = [Block(**match.groupdict()) for match in _BLOCK.finditer(page)]
    assert 2 * len(found) == len(re.findall("^```", page, re.MULTILINE))
    return found


def checkout(root: Path) -> Path:
    """Copy what a reader works on: the whole chain, nothing made yet."""
    ignore = shutil.ignore_patterns("__pycache__")
    for name in ("src", "workflow", "profiles"):
        shutil.copytree(CHECKOUT / name, root / name, ignore=ignore)
    for name in ("Snakefile", "config.yaml", "environment.yml", "pyproject.toml"):
        shutil.copy2(CHECKOUT / name, root)
    return root


def follow(page: str, root: Path) -> None:
    """Do what the blocks say, in order."""
    output = ""
    for block in blocks(page):
        if block.kind == "text":
            assert block.text in output, (block, output)
        elif edit := _edit(block.before):
            _change(root, block.text, *edit)
        elif block.kind != "console":
            output = _run(root, block)


def _edit(before: str) -> tuple[str, dict[str, str]] | None:
    for action, pattern in _EDITS.items():
        if found := pattern.fullmatch(before):
            return action, found.groupdict()
    return None


def _change(root: Path, text: str, action: str, where: dict[str, str]) -> None:
    path = root / where["file"]
    if action == "create":
        path.parent.mkdir(parents=True, exist_ok=True)
        assert not path.exists(), path
        path.write_text(text, encoding="utf-8")
        return
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    at = len(lines)
    if action != "append":
        (at,) = (n for n, line in enumerate(lines) if line.lstrip().startswith(where["line"]))
        at += action == "below"
    path.write_text("".join([*lines[:at], text, *lines[at:]]), encoding="utf-8")


def _run(root: Path, block: Block) -> str:
    """Output of a block of `sh` or `python`, with the tests' environment as the active one."""
    active = os.pathsep.join((str(Path(sys.executable).parent), os.defpath))
    done = subprocess.run(
        [*_RUN[block.kind], block.text],
        cwd=root,
        env={"PATH": active, "PYTHONPATH": str(root / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"{block.text}\n{done.stdout}"
    return done.stdout
