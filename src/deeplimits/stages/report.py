"""Report stage: figures, claims and what they were made with → one page that needs no other file.

The page also says how long each job took, from Snakemake's benchmark files. These differ from run
to run, so of all that the chain makes this page alone has other bytes each time.
"""

from pathlib import Path
from typing import Any

from deeplimits import provenance, seal
from deeplimits.files import write_whole
from deeplimits.report import contents, page


def run(specification: dict[str, Any], output: Path) -> None:
    """Write the page."""
    reader = contents.Reader(specification)
    text = page.render(
        reader.papers(),
        reader.citations(),
        output.parent,
        scale=specification["scale"],
        versions=provenance.versions(),
        commit=provenance.commit(),
    )
    remark = f"<!-- {seal.note(specification['identity'])} -->\n"
    write_whole(output, seal.sealed(f"{text}\n{remark}".encode()))
