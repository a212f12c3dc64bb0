"""The page: templates and what they are filled with."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from deeplimits.report import svg
from deeplimits.report.contents import PaperPart

DATA = (
    "templates/report.html.j2",
    "templates/paper.html.j2",
    "templates/parts.html.j2",
    "templates/style.css",
    "templates/script.js",
)
LONGEST = 12
"""Values of an axis that are written out; of more the page shows the ends and their number."""

_FOLDER = Path(__file__).parent / "templates"


def render(papers: Sequence[PaperPart], folder: Path, **about: Any) -> str:
    """The page as it lies in `folder`, relative to which it links to files of the project."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["values"] = values
    environment.globals.update(
        svg=lambda panel: Markup(svg.drawing(panel)),
        link=lambda path: os.path.relpath(path, folder).replace(os.sep, "/"),
        style=Markup((_FOLDER / "style.css").read_text(encoding="utf-8")),
        script=Markup((_FOLDER / "script.js").read_text(encoding="utf-8")),
    )
    return environment.get_template("report.html.j2").render(papers=papers, **about)


def values(listed: Sequence[Any]) -> str:
    """The values of an axis in words."""
    if len(listed) > LONGEST:
        return f"{listed[0]}, {listed[1]}, …, {listed[-1]} ({len(listed)} values)"
    return ", ".join(map(str, listed))
