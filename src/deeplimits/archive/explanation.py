"""`ARCHIVE.md`: what an archive is, for a reader who has nothing but the archive."""

from collections.abc import Iterable
from pathlib import Path

from deeplimits import __version__
from deeplimits.archive.citation import Citation
from deeplimits.archive.names import CHECKSUMS, CRATE, FOLDERS, described
from deeplimits.archive.source import Source

_TEMPLATE = Path(__file__).with_name("ARCHIVE.md")
_FILES = {
    "Snakefile": "where Snakemake starts",
    "config.yaml": "every number of every experiment",
    "requirements.lock": "the Python packages, pinned with hashes",
    CHECKSUMS: "the SHA-256 of every other file",
    CRATE: "the description for machines",
}


def text(citation: Citation, source: Source, names: Iterable[str], results: Iterable[str]) -> str:
    """The content of `ARCHIVE.md` for an archive with files of these names.

    Of the `results` of the run a reader is sent to the pages first.
    """
    known = set(names)
    pages = [f"`{name}`" for name in results if name.endswith((".html", ".md"))]
    files = [(f"`{name}`", what) for name, what in _FILES.items() if name in known]
    folders = [(f"`{name}/`", FOLDERS[name]) for name in described(known)]
    return _TEMPLATE.read_text(encoding="utf-8").format(
        title=citation.title,
        abstract=citation.abstract,
        version=__version__,
        commit=source.commit,
        date=source.date.date().isoformat(),
        contents="\n".join(f"| {name} | {what} |" for name, what in [*files, *folders]),
        checksums=CHECKSUMS,
        pages=" and ".join(pages),
    )
