"""What the gallery was written from, kept beside its pictures."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deeplimits import digest, registry, tables
from deeplimits.errors import UserError
from deeplimits.plan import Plan

FILE = "record.json"
_KEPT = (
    *("paper", "claim", "statement", "origin", "measured"),
    *("verdict", "joint_verdict", "joint_reason"),
)


@dataclass(frozen=True)
class Record:
    """Identities of what the gallery shows, digests of its pictures, and the verdicts.

    `claims` has a mapping a claim with the columns that the README shows, `verdicts` is what
    `verdicts_of` said of the plan; `figures` counts those of the run, whether shown or not.
    """

    commit: str
    verdicts: str
    figures: int
    shown: dict[str, dict[str, str]]
    claims: list[dict[str, str]]

    @property
    def text(self) -> str:
        """JSON, one key a line."""
        return json.dumps(self.__dict__, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def read(folder: Path) -> Record:
    """The record of a gallery.

    Raises
    ------
    UserError
        if there is none, or it is none.
    """
    path = folder / FILE
    try:
        found = Record(**json.loads(path.read_text(encoding="utf-8")))
        whole = all(set(claim) == set(_KEPT) for claim in found.claims)
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file; `make gallery` writes it") from error
    except (ValueError, TypeError) as error:
        raise UserError(f"{path}: no record of a gallery; `make gallery` writes it") from error
    if not whole:
        raise UserError(f"{path}: says other things of a claim than now; run `make gallery`")
    return found


def of_run(plan: Plan, pictures: dict[str, bytes]) -> Record:
    """The record of the finished run of a plan, with the pictures taken from it by figure.

    Raises
    ------
    UserError
        if the table of all claims is missing, damaged or not the plan's.
    """
    step = plan.step("summarize")
    table = tables.read(Path(step.outputs[0]), step.identity)
    return Record(
        tables.record_of(table)["commit"],
        verdicts_of(plan),
        len(plan.steps["plot"]),
        {
            name: {"identity": identity, "digest": content_digest(pictures[name])}
            for name, identity in identities(plan).items()
        },
        [_claim(row) for row in table.select(_KEPT).to_pylist()],
    )


def identities(plan: Plan) -> dict[str, str]:
    """The identity of each figure that the gallery shows, by "paper/figure", in its order."""
    return {
        f"{paper}/{figure}": plan.step("plot", paper, figure).identity
        for paper in plan.configuration.experiments
        for figure in described(plan, paper)
    }


def described(plan: Plan, paper: str) -> dict[str, str]:
    """What the gallery shows of a paper: {figure: what is seen in it}; nothing if it says nothing.

    Raises
    ------
    UserError
        if the paper has no such figure.
    """
    if digest.module_path(registry.name(paper, "gallery")) is None:
        return {}
    figures = registry.load(paper, "gallery").FIGURES
    if odd := [figure for figure in figures if (paper, figure) not in plan.steps["plot"]]:
        raise UserError(f"{registry.name(paper, 'gallery')}.FIGURES: no figure {odd[0]!r}")
    return figures


def verdicts_of(plan: Plan) -> str:
    """Digest of all that the verdicts of a plan follow from: its judges, and the stress run."""
    judges = {paper: step.identity for (paper,), step in plan.steps["judge"].items()}
    return digest.key(judges, plan.step("summarize").specification["stress"])


def content_digest(content: bytes) -> str:
    """Digest of a file of the gallery."""
    return hashlib.sha256(content).hexdigest()


def _claim(row: dict[str, Any]) -> dict[str, str]:
    return {name: row[name] or row["verdict"] for name in _KEPT}
