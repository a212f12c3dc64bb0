"""The page of all verdicts (`docs/verdicts.md`): what was measured, without a run."""

from deeplimits import markdown
from deeplimits.claims import STATED_BY
from deeplimits.gallery.record import Record

_HEAD = """\
# Verdicts of the full run

Written by `make gallery` from the finished run at commit `{commit}`; a test tells when it is out
of date. `results/claims.md`, which a run makes, has the rule, the settings and the tables of each
claim as well, and [one command per claim](claims.md) makes it again. The verdict is that of this
run and of the stress run together.
"""
_TABLE = ["| claim | stated by | verdict | measured |", "|---|---|---|---|"]


def text(record: Record) -> str:
    """The whole page in Markdown."""
    parts = [_HEAD.format(commit=record.commit)]
    for paper in dict.fromkeys(claim["paper"] for claim in record.claims):
        rows = [_row(claim) for claim in record.claims if claim["paper"] == paper]
        parts += [f"## {paper}\n", *_TABLE, *rows, ""]
    return "\n".join(parts).rstrip() + "\n"


def _row(claim: dict[str, str]) -> str:
    verdict = f"**{claim['joint_verdict']}**: {claim['joint_reason']}"
    cells = (claim["statement"], STATED_BY[claim["origin"]], verdict, claim["measured"])
    return markdown.row(cells)
