"""The page: templates and what they are filled with."""

import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import jinja2
from markupsafe import Markup, escape

from deeplimits.claims import STATED_BY, Verdict
from deeplimits.report import svg
from deeplimits.report.contents import PaperPart
from deeplimits.report.references import Reference

DATA = (
    "templates/report.html.j2",
    "templates/paper.html.j2",
    "templates/parts.html.j2",
    "templates/style.css",
    "templates/script.js",
)
LONGEST = 12
"""Values of an axis that are written out; of more the page shows the ends and their number."""

_INDEX = re.compile(
    r"(?<!\w)(sup|min|max|[A-Za-zα-ωΑ-Ω])_(?:\{([^{}]+)\}|(max|min|[A-Za-z0-9α-ω∞])(?!\w))"
)
_POWER = re.compile(r"\^(?:\{([^{}]+)\}|\(([^()]+)\)|([−-]?[A-Za-z0-9]+))")
_FOLDER = Path(__file__).parent / "templates"


def render(
    papers: Sequence[PaperPart], citations: Sequence[Reference], folder: Path, **about: Any
) -> str:
    """The page as it lies in `folder`, relative to which it links to files of the project."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(values=values, maths=maths, short=short)
    environment.globals.update(
        svg=lambda panel: Markup(svg.drawing(panel)),
        link=lambda path: os.path.relpath(path, folder).replace(os.sep, "/"),
        style=Markup((_FOLDER / "style.css").read_text(encoding="utf-8")),
        script=Markup((_FOLDER / "script.js").read_text(encoding="utf-8")),
    )
    template = environment.get_template("report.html.j2")
    counts = {name: sum(paper.count(name) for paper in papers) for name in get_args(Verdict)}
    return template.render(
        papers=papers, citations=citations, counts=counts, by_origin=_by_origin(papers), **about
    )


def _by_origin(papers: Sequence[PaperPart]) -> dict[str, Counter[Verdict]]:
    """Numbers of verdicts on the claims of all papers, by who states them, in words."""
    claims = [claim for paper in papers for claim in paper.claims]
    return {
        words: Counter(claim.verdict for claim in claims if claim.row.origin == origin)
        for origin, words in STATED_BY.items()
    }


def values(listed: Sequence[Any]) -> str:
    """The values of an axis in words."""
    if len(listed) > LONGEST:
        return f"{listed[0]}, {listed[1]}, …, {listed[-1]} ({len(listed)} values)"
    return ", ".join(map(str, listed))


def maths(text: str) -> Markup:
    """A text with its indices (`u_t`) and powers (`N^{−1/2}`) set low and high.

    Names of several letters, such as `phase_diagram`, stay as they are.
    """
    lowered = _INDEX.sub(
        lambda found: f"{found[1]}<sub>{found[found.lastindex]}</sub>", escape(text)
    )
    return Markup(_POWER.sub(lambda found: f"<sup>{found[found.lastindex]}</sup>", lowered))


def short(commit: str) -> str:
    """The first twelve digits of a commit, and the "+" where files differed from it."""
    return commit[:12] + ("+" if commit.endswith("+") else "")
