"""Parquet tables with explicit schemas: writing, reading, checks, and the record that rides along.

A table is sorted, compressed with zstd and carries page checksums, which are verified at every
reading. Units and meanings are in the field metadata; the schema metadata holds the record, a JSON
object with the identity of the table, its specification, the library versions, the kind of machine
and the commit.

Page checksums do not cover the end of a Parquet file, where schema, record and the places of the
columns stand, so a seal does (`deeplimits.seal`).
"""

import functools
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from deeplimits import provenance, seal
from deeplimits.errors import UserError
from deeplimits.files import write_whole
from deeplimits.schema import Column

if TYPE_CHECKING:
    import pandas as pd

RECORD = b"deeplimits"

_TYPES = {
    "float64": pa.float64(),
    "int64": pa.int64(),
    "string": pa.string(),
    "bool": pa.bool_(),
}


# Casts that lose nothing: pandas' strings, and whole numbers where a float is expected.
_WIDENED = {(pa.large_string(), pa.string()), (pa.int64(), pa.float64())}


def schema(columns: Sequence[Column]) -> pa.Schema:
    """Arrow schema of the columns, with unit and meaning in the metadata of each field."""
    return pa.schema(
        pa.field(
            column.name,
            _TYPES[column.dtype],
            nullable=column.nullable,
            metadata={"unit": column.unit, "meaning": column.meaning},
        )
        for column in columns
    )


def build(
    columns: Sequence[Column],
    data: Mapping[str, Any],
    sort_by: Sequence[str],
    origin: str,
) -> pa.Table:
    """Table of `columns` from arrays or lists, checked and sorted by `sort_by`.

    Raises
    ------
    UserError
        naming `origin` and the column or the row, if a column is missing, unknown, of another type
        or length, holds an infinite value, or a missing one (None, NaN) without being nullable, or
        if two rows agree in all of `sort_by`.
    """
    names = [column.name for column in columns]
    if set(names) != set(data):
        odd = sorted(set(names) ^ set(data))
        raise UserError(f"{origin}: columns {odd} are missing or not in the schema")
    arrays = [_array(column, data[column.name], origin) for column in columns]
    if len({len(array) for array in arrays}) > 1:
        lengths = {name: len(array) for name, array in zip(names, arrays, strict=True)}
        raise UserError(f"{origin}: columns of different lengths: {lengths}")
    table = pa.Table.from_arrays(arrays, schema=schema(columns))
    if sort_by:
        table = table.sort_by([(name, "ascending") for name in sort_by])
    for column in columns:
        _refuse_non_finite(table, column, sort_by, origin)
    _refuse_duplicates(table, sort_by, origin)
    return table


def write(path: Path, table: pa.Table, record: Mapping[str, Any]) -> None:
    """Write the table whole or not at all; `record` gets what it was made with added."""
    record = {
        **record,
        "versions": provenance.versions(),
        "machine": provenance.machine(),
        "commit": provenance.commit(),
    }
    text = json.dumps(record, sort_keys=True, allow_nan=False)
    buffer = io.BytesIO()
    pq.write_table(
        table.replace_schema_metadata({RECORD: text.encode(), b"seal": seal.BLANK.encode()}),
        buffer,
        compression="zstd",
        write_page_checksum=True,
    )
    write_whole(path, seal.sealed(buffer.getvalue()))


def read(path: Path, identity: str | None = None) -> pa.Table:
    """Read a table, verifying its checksums and, where given, the identity in its record.

    Raises
    ------
    UserError
        if the file is missing, damaged, not one of ours, or made from another specification.
    """
    try:
        content = path.read_bytes()
        seal.refuse_broken(content, path)
        # Not `pq.read_table`: its scanner's threads may outlive it and abort a process at its end.
        with pq.ParquetFile(pa.BufferReader(content), page_checksum_verification=True) as file:
            table = file.read(use_threads=False)
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such table; run snakemake to make it") from error
    except (pa.ArrowException, OSError) as error:
        reason = str(error).strip().splitlines()[0]
        raise UserError(f"{path}: can't be read ({reason}); delete it and run again") from error
    if identity is not None:
        seal.refuse_other(record_of(table)["identity"], identity, path)
    return table


def record_of(table: pa.Table) -> dict[str, Any]:
    """The record that rides along with a table that was read."""
    return json.loads(table.schema.metadata[RECORD])


def expect(table: pa.Table, columns: Sequence[Column], path: Path) -> None:
    """Refuse a table whose columns have other names, types or order than `columns`."""
    wanted = schema(columns)
    if not table.schema.equals(wanted, check_metadata=False):
        raise UserError(
            f"{path}: columns {table.schema.names} of types {list(map(str, table.schema.types))} "
            f"where {wanted.names} of {list(map(str, wanted.types))} are expected; "
            "delete it and run again"
        )


def frame(table: pa.Table) -> "pd.DataFrame":
    """The table as a pandas frame; missing values of nullable float columns become NaN."""
    return table.to_pandas()


def _array(column: Column, values: Any, origin: str) -> pa.Array | pa.ChunkedArray:
    wanted = _TYPES[column.dtype]
    try:
        # pyarrow would take its own arrays apart, value by value
        arrow = isinstance(values, pa.Array | pa.ChunkedArray)
        array = values if arrow else pa.array(values, from_pandas=True)
        if pa.types.is_null(array.type) or len(array) == 0:
            return pa.nulls(len(array), wanted)
        if array.type != wanted and (array.type, wanted) not in _WIDENED:
            raise TypeError(f"{array.type} where {column.dtype} is expected")
        return array.cast(wanted)
    except (pa.ArrowException, TypeError, OverflowError) as error:
        raise UserError(f"{origin}: column {column.name}: {error}") from error


def _refuse_duplicates(table: pa.Table, keys: Sequence[str], origin: str) -> None:
    """In a table that is sorted by `keys`, so that equal rows are neighbours."""
    if len(table) < 2:
        return
    if not keys:
        raise UserError(f"{origin}: {len(table)} rows where one is expected")
    row, next_row = table.slice(0, len(table) - 1), table.slice(1)
    same = functools.reduce(pc.and_, (pc.equal(row[name], next_row[name]) for name in keys))
    if pc.any(same).as_py():
        repeated = table.select(list(keys)).slice(same.index(True).as_py(), 1)
        raise UserError(f"{origin}: repeated row {repeated.to_pylist()[0]}")


def _refuse_non_finite(table: pa.Table, column: Column, keys: Sequence[str], origin: str) -> None:
    values = table[column.name]
    bad = np.zeros(len(table), dtype=bool)
    if not column.nullable:
        bad |= np.asarray(pc.is_null(values, nan_is_null=True))
    if column.dtype == "float64":
        bad |= np.isinf(values.to_numpy())
    if bad.any():
        row = int(np.argmax(bad))
        where = table.select(list(keys)).slice(row, 1).to_pylist()[0]
        value = values[row].as_py()
        raise UserError(f"{origin}: column {column.name} is {value} in the row {where}")
