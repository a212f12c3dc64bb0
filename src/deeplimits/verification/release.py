"""The release: small tables of estimates as CSV, and where they come from.

A release is one folder: `<paper>/<experiment>.csv` with the columns of the experiment's estimates
and, where there are too many rows, some of them; and `record.json` with the seed, the settings,
the versions, the machine and the commit of the run, and the digest of each CSV.
"""

import hashlib
import io
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from deeplimits import digest, registry, seal, tables
from deeplimits.errors import UserError
from deeplimits.files import write_whole
from deeplimits.schema import Column
from deeplimits.verification.declaration import Compared, declared

ROWS = 330
"""Most rows of one table: all tables of three papers then take less than 1 MB."""

RECORD = "record.json"
_DTYPES = {"float64": "float64", "int64": "int64", "string": "object", "bool": "bool"}


def write(folder: Path, results: Path, experiments: Sequence[tuple[str, str]]) -> list[str]:
    """Write the estimates of (paper, experiment) pairs of a finished run; returns a line a table.

    Raises
    ------
    UserError
        naming the table of the run that is missing, damaged or not of its experiment's present
        columns, or whose estimates are not those of its rows.
    """
    record, lines, contents = {}, [], {}
    for paper, experiment in experiments:
        name = f"{paper}/{experiment}"
        estimates, origin = of_run(results, paper, experiment)
        key = registry.load(paper, "estimates", experiment).KEY
        kept = thinned(estimates, key, declared(paper)[experiment])
        content = kept.to_csv(index=False, float_format="%.9g", lineterminator="\n").encode()
        contents[folder / f"{name}.csv"] = content
        record[name] = {
            **origin,
            "rows": len(kept),
            "of": len(estimates),
            "digest": seal.digest(content).decode(),
        }
        lines.append(f"{name}: {len(kept)} of {len(estimates)} rows")
    for path, content in contents.items():
        write_whole(path, content)
    write_whole(folder / RECORD, _text(record).encode())
    return lines


def read_record(folder: Path) -> dict[str, dict[str, Any]]:
    """The record of a release, by "paper/experiment".

    Raises
    ------
    UserError
        if there is none or it is no JSON.
    """
    path = folder / RECORD
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file; name a folder that `release` made") from error
    except ValueError as error:
        raise UserError(f"{path}: can't be read ({error}); take it from the repository") from error
    if not isinstance(record, dict):
        raise UserError(f"{path}: no record of a release; take it from the repository")
    return record


def read(folder: Path, name: str, columns: Sequence[Column], expected: str) -> pd.DataFrame:
    """One released table, with the digest `expected` by the record.

    Raises
    ------
    UserError
        if the table is missing, was changed, or has other columns than its experiment.
    """
    path = folder / f"{name}.csv"
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file; take it from the repository again") from error
    if seal.digest(content).decode() != expected:
        raise UserError(f"{path}: changed after it was released; take it from the repository again")
    names = [column.name for column in columns]
    head = content.split(b"\n", 1)[0].decode().split(",")
    if head != names:
        odd = sorted(set(head) ^ set(names)) or ["their order"]
        raise UserError(f"{path}: other columns than the estimates have now ({', '.join(odd)})")
    return pd.read_csv(
        io.BytesIO(content),
        dtype={column.name: _DTYPES[column.dtype] for column in columns},
        keep_default_na=False,
        na_values={column.name: [""] for column in columns if column.dtype == "float64"},
    )


def of_run(results: Path, paper: str, experiment: str) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Estimates of an experiment in a finished run, and what they were made from.

    Raises
    ------
    UserError
        if a table is missing, damaged or of other columns, or the two do not belong together.
    """
    path = results / paper / f"{experiment}_estimates.parquet"
    table = tables.read(path)
    tables.expect(table, registry.load(paper, "estimates", experiment).COLUMNS, path)
    rows = tables.record_of(tables.read(results / paper / f"{experiment}.parquet"))
    if tables.record_of(table)["table"]["identity"] != rows["identity"]:
        raise UserError(
            f"{path}: not made from the table beside it; run snakemake to make it again"
        )
    kept = ("seed", "scale", "products", "paired", "settings", "identity", "commit", "versions")
    origin = {name: rows[name] for name in kept}
    origin["machines"] = machines(rows)
    return tables.frame(table), origin


def machines(record: dict[str, Any]) -> list[dict[str, str]]:
    """The kinds of machines that simulated a table; none where its record does not say."""
    makers = record.get("simulated_with", [])
    if any("machine" not in maker for maker in makers):
        return []
    found = {digest.canonical(maker["machine"]): maker["machine"] for maker in makers}
    return [found[text] for text in sorted(found)]


def thinned(frame: pd.DataFrame, key: Sequence[str], compared: Compared) -> pd.DataFrame:
    """The rows of a release: quarters along the declared axis, then at most `ROWS` of them.

    Which are left out is decided by digests of their keys, so that adding values moves few.
    """
    kept = frame
    if compared.along is not None:
        others = [name for name in key if name != compared.along]
        ordered = frame.sort_values(list(key))
        kept = ordered[ordered.groupby(others)[compared.along].transform(_quarters)]
    if len(kept) > ROWS:
        lots = [hashlib.blake2b(repr(row).encode()).digest() for row in keys(kept, key)]
        kept = kept.iloc[sorted(sorted(range(len(kept)), key=lots.__getitem__)[:ROWS])]
    return kept


def keys(frame: pd.DataFrame, key: Sequence[str]) -> list[tuple[str, ...]]:
    """The key of each row as a release writes it: floats with 9 digits."""
    columns = [
        frame[name].map("{:.9g}".format)
        if pd.api.types.is_float_dtype(frame[name])
        else frame[name].map(str)
        for name in key
    ]
    return list(zip(*columns, strict=True))


def _quarters(values: pd.Series) -> np.ndarray:
    """Whether each of the sorted values stands at a quarter, half, three quarters or the end."""
    places = {math.ceil(len(values) * quarter / 4) - 1 for quarter in (1, 2, 3, 4)}
    return np.isin(np.arange(len(values)), sorted(places))


def _text(record: dict[str, dict[str, Any]]) -> str:
    """JSON with a line a table, so that a change shows where it is."""
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(record[name], sort_keys=True)}" for name in sorted(record)
    )
    return f"{{\n{lines}\n}}\n"
