"""The released verdicts of the stress run: a small table as CSV, and where it comes from.

`stress.csv` has one row a claim; `stress.json` has the seed, the commit and the versions of the
stress run, and the digest of the CSV, so that a change by hand is found.
"""

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deeplimits import released, seal, stress, tables
from deeplimits.errors import UserError
from deeplimits.files import write_whole
from deeplimits.stress import Released, Stressed

COLUMNS = ("paper", "claim", "rule_digest", "verdict", "value", "error", "measured", "setting")
AGAIN = "take it from the repository again"


def write(folder: Path, claims: Path, identity: str, seed: int) -> list[str]:
    """Release the verdicts of a finished stress run; returns a line a claim.

    Parameters
    ----------
    folder
        The release.
    claims, identity
        The table of all claims of the stress run, and what it has to be.
    seed
        Root seed of that run.

    Raises
    ------
    UserError
        if the table is missing, damaged, or made from another code or configuration.
    """
    table = tables.read(claims, identity)
    origin = tables.record_of(table)
    rows = [_row(row) for row in table.to_pylist()]
    content = _text(rows)
    record = {
        "commit": origin["commit"],
        "digest": seal.digest(content).decode(),
        "seed": seed,
        "versions": origin["versions"],
    }
    path, beside = (folder / name for name in released.STRESS)
    write_whole(path, content)
    write_whole(beside, f"{json.dumps(record, indent=1, sort_keys=True)}\n".encode())
    return [f"{row['paper']}/{row['claim']}: {row['verdict']}" for row in rows]


def read(folder: Path) -> Released | None:
    """The released verdicts by paper and claim; None where no stress run is released.

    Raises
    ------
    UserError
        naming the file that is missing or was changed after the release.
    """
    if not released.stress_files(folder):
        return None
    path, beside = (folder / name for name in released.STRESS)
    content = _content(path)
    if seal.digest(content).decode() != _recorded(beside):
        raise UserError(f"{path}: changed after it was released; {AGAIN}")
    rows = csv.DictReader(io.StringIO(content.decode(), newline=""))
    if tuple(rows.fieldnames or ()) != COLUMNS:
        raise UserError(f"{path}: other columns than a release has now; run `make release-stress`")
    return {
        (row["paper"], row["claim"]): Stressed(
            row["rule_digest"], row["verdict"], row["measured"], row["setting"]
        )
        for row in rows
    }


def of_plan(source: Mapping[str, str | None] | None) -> Released | None:
    """The released verdicts that a plan names by their folder and their fingerprint, if any.

    Raises
    ------
    UserError
        as `read`, and if the release was changed since the plan was made.
    """
    if source is None:
        return None
    folder = Path(source["folder"])
    if released.stress_digest(folder) != source["digest"]:
        raise UserError(f"{folder / released.STRESS[0]}: changed just now; run snakemake again")
    return read(folder)


def _row(row: Mapping[str, Any]) -> dict[str, str]:
    numbers = {name: "" if row[name] is None else f"{row[name]:.9g}" for name in ("value", "error")}
    return {
        "paper": row["paper"],
        "claim": row["claim"],
        "rule_digest": stress.rule_digest(row["statement"], row["rule"]),
        "verdict": row["verdict"],
        **numbers,
        "measured": row["measured"],
        "setting": row["setting_ours"],
    }


def _text(rows: list[dict[str, str]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: can't be read ({error.strerror}); {AGAIN}") from error


def _recorded(path: Path) -> str:
    """The digest of the CSV that the record states."""
    try:
        return json.loads(_content(path))["digest"]
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path}: no record of a release; {AGAIN}") from error
