"""The part of the README that the gallery writes, between two marks."""

from collections.abc import Iterator
from pathlib import Path

from deeplimits import markdown
from deeplimits.claims import STATED_BY
from deeplimits.errors import UserError
from deeplimits.gallery.record import Record

START = "<!-- written by `make gallery` from a finished run; don't edit -->"
END = "<!-- end of the gallery -->"


def put(readme: str, block: str, path: Path) -> str:
    """The README with the block between its two marks.

    Raises
    ------
    UserError
        if the marks are not there, once each and in order.
    """
    before, start, rest = readme.partition(START)
    _, end, after = rest.partition(END)
    if not (start and end) or START in rest or END in after or END in before:
        raise UserError(f"{path}: needs the lines {START!r} and {END!r}, once each")
    return f"{before}{START}\n\n{block}\n{END}{after}"


def text(record: Record, seen: dict[str, dict[str, str]], folder: str) -> str:
    """Markdown of verdicts and pictures.

    Parameters
    ----------
    record
        What is shown.
    seen
        {paper: {figure: what is seen in it}}.
    folder
        Where the pictures lie, from the README's place.
    """
    parts = [*_verdicts(record), *_open(record)]
    for paper, figures in seen.items():
        parts += _pictures(paper, figures, folder)
    return "\n".join(parts).rstrip() + "\n"


def _verdicts(record: Record) -> list[str]:
    """How many claims were reproduced, by paper and by who states them."""
    head = ["claims reproduced", *(f"stated by {words}" for words in STATED_BY.values())]
    papers = list(dict.fromkeys(claim["paper"] for claim in record.claims))
    rows = [[f"`{paper}`", *_shares(record, {paper})] for paper in papers]
    rows.append(["all", *_shares(record, set(papers))])
    return [*map(markdown.row, (head, ["---"] * len(head), *rows)), ""]


def _shares(record: Record, papers: set[str]) -> Iterator[str]:
    """One cell for each origin: how many of its claims were reproduced."""
    for origin in STATED_BY:
        verdicts = [
            claim["joint_verdict"]
            for claim in record.claims
            if claim["paper"] in papers and claim["origin"] == origin
        ]
        yield f"{verdicts.count('reproduced')} of {len(verdicts)}" if verdicts else "none stated"


def _open(record: Record) -> list[str]:
    """The claims that were not reproduced, with the reason where two runs differ."""
    claims = [claim for claim in record.claims if claim["joint_verdict"] != "reproduced"]
    if not claims:
        return []
    lines = ["Not reproduced, or not decided:", ""]
    for claim in claims:
        verdict = claim["joint_verdict"]
        reason = claim["joint_reason"] if verdict != claim["verdict"] else ""
        said = f"**{verdict}** ({reason})" if reason else f"**{verdict}**"
        lines.append(f"- `{claim['paper']}`: {claim['statement']} {said}")
    return [*lines, ""]


def _pictures(paper: str, figures: dict[str, str], folder: str) -> list[str]:
    """A row of pictures, each with a line on what is seen."""
    if not figures:
        return []
    names = [
        f"[{paper}: {figure}](src/deeplimits/{paper}/figures/{figure}.py)" for figure in figures
    ]
    images = [
        f"![{paper}, {figure}: {seen}]({folder}/{paper}-{figure}.png)"
        for figure, seen in figures.items()
    ]
    rows = (names, ["---"] * len(figures), images, list(figures.values()))
    return [*map(markdown.row, rows), ""]
