"""What to cite, read from the one BibTeX file: the project and the papers."""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

DATA = ("references.bib",)
PROJECT = "deeplimits"
"""Key of this project's own entry; those of the papers are their names here."""

_ENTRY = re.compile(r"^@misc\{(\w+),\n((?:  .*\n)+)\}$", re.MULTILINE)
_FIELD = re.compile(r"^  (\w+) = \{?(.*?)\}?,$", re.MULTILINE)
_ACCENT = re.compile(r"\{\\(['`])\\?(\w)\}")
_COMBINING = {"'": "\N{COMBINING ACUTE ACCENT}", "`": "\N{COMBINING GRAVE ACCENT}"}


@dataclass(frozen=True)
class Reference:
    """An entry: what a reader sees of it, and its BibTeX; `arxiv` is "" where it has no number."""

    title: str
    authors: str
    arxiv: str
    bibtex: str


def references() -> dict[str, Reference]:
    """All entries by key."""
    text = Path(__file__).with_name(DATA[0]).read_text(encoding="utf-8")
    return {found[1]: _reference(found) for found in _ENTRY.finditer(text)}


def _reference(entry: re.Match[str]) -> Reference:
    fields = {name: _plain(value) for name, value in _FIELD.findall(entry[2])}
    authors = fields["author"].replace(" and ", ", ")
    return Reference(fields["title"], authors, fields.get("eprint", ""), entry[0])


def _plain(text: str) -> str:
    """Letters as a reader sees them, without the braces that are for BibTeX."""
    letters = _ACCENT.sub(lambda found: found[2] + _COMBINING[found[1]], text)
    return unicodedata.normalize("NFC", re.sub(r"[{}]", "", letters))
