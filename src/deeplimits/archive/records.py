"""Snakemake's records of a finished run, one file for each file that was made.

A record holds the parameters, the code and the SHA-256 of each input that an output was made from.
By these Snakemake knows an unpacked output for up to date although every file has a new time.
"""

import base64
import binascii
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from deeplimits.archive.names import METADATA
from deeplimits.errors import UserError
from deeplimits.plan import Plan

_NOTHING = "Nothing to be done"
_AGAIN = "delete it and run snakemake again"


@dataclass(frozen=True)
class Record:
    """Where a record is, when its job ran, and the SHA-256 of what the job read."""

    path: Path
    start: datetime
    end: datetime
    inputs: Mapping[str, str]


def refuse_unfinished(configfiles: Sequence[Path]) -> None:
    """Ask Snakemake whether anything is left to do.

    Raises
    ------
    UserError
        if there is, or if Snakemake can't tell.
    """
    overlays = ["--configfile", *map(str, configfiles)] if configfiles else []
    command = [sys.executable, "-m", "snakemake", "--dry-run", *overlays]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    said = run.stdout + run.stderr
    if run.returncode:
        raise UserError("snakemake -n fails, so the run can't be archived; mend what it names")
    if _NOTHING not in said:
        raise UserError("the run is not finished (snakemake -n says what is left); run snakemake")


def read(plan: Plan) -> dict[str, Record]:
    """The record of every output of the plan.

    Raises
    ------
    UserError
        naming an output without a record.
    """
    paths = {name: path for path in _files() if (name := _recorded(path)) is not None}
    return {output: _read(output, paths.get(output)) for output in plan.outputs()}


def refuse_other_inputs(
    plan: Plan, records: Mapping[str, Record], digests: Mapping[str, str]
) -> None:
    """Compare what each output was made from with the files as they are now.

    Raises
    ------
    UserError
        naming an output that Snakemake would make again as soon as its input gets a new time.
    """
    for steps in plan.steps.values():
        for step in steps.values():
            for output in step.outputs:
                for name in step.inputs:
                    if records[output].inputs.get(name) != f"sha256:{digests[name]}":
                        raise UserError(f"{output}: not made from {name} as it is now; {_AGAIN}")


def _files() -> Iterator[Path]:
    return (path for path in Path(METADATA).rglob("*") if path.is_file())


def _recorded(path: Path) -> str | None:
    """The file that a record is of: its name in base64, cut into folders where it is long."""
    parts = path.relative_to(METADATA).parts
    try:
        return base64.urlsafe_b64decode("".join(part.lstrip("@") for part in parts)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _read(output: str, path: Path | None) -> Record:
    if path is None:
        raise UserError(f"{output}: Snakemake has no record of it; {_AGAIN}")
    try:
        record = json.loads(path.read_bytes())
        start, end = (
            datetime.fromtimestamp(record[f"{when}time"], UTC) for when in ("start", "end")
        )
        return Record(path, start, end, record["input_checksums"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{output}: Snakemake's record of it can't be read; {_AGAIN}") from error
