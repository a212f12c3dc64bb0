"""Cells computed again, compared with the rows of a finished run.

On the same kind of machine with the same versions the bits must be the same. Elsewhere rounding
differs, in some libraries and processors by the last digit of a number, and a tolerance is allowed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deeplimits import grid, provenance, registry, tables
from deeplimits.stages.simulate import simulate_cell

RELATIVE, ABSOLUTE = 1e-6, 1e-9
"""Tolerance where versions or machines differ, relative to a number and absolute."""


@dataclass(frozen=True)
class Made:
    """The table of an experiment in a finished run, and why its bits may differ, if they may."""

    path: Path
    table: pa.Table
    excuse: str | None

    @classmethod
    def read(cls, path: Path, experiment: ModuleType) -> "Made":
        """Read the table and refuse one that the experiment would not make now.

        Raises
        ------
        UserError
            if it is missing, damaged or has other columns.
        """
        table = tables.read(path)
        tables.expect(table, registry.experiment_columns(experiment)[0], path)
        return cls(path, table, excuse(tables.record_of(table)))


def excuse(record: dict[str, Any]) -> str | None:
    """What of the makers of a table differs from this process, None where nothing does."""
    here = {"versions": provenance.versions(), "machine": provenance.machine()}
    for maker in record["simulated_with"]:
        if "machine" not in maker:
            return "the record names no machine"
        for what in ("machine", "versions"):
            there = maker[what]
            for name in sorted({*there, *here[what]}):
                if there.get(name) != here[what].get(name):
                    return f"{name} {there.get(name)} there, {here[what].get(name)} here"
    return None


def compare(
    made: Made, experiment: ModuleType, specification: dict[str, Any], cell: grid.Point
) -> Iterator[str]:
    """Compute a cell again; a line for each column in which its rows differ."""
    again = simulate_cell(experiment, specification, cell)
    rows = _of_cell(made.table, cell)
    place = f"{made.path}: cell {cell}"
    if len(rows) != len(again):
        yield f"{place}: {len(rows)} rows, recomputed {len(again)}"
        return
    for name in again.schema.names:
        there, here = _values(rows[name]), _values(again[name])
        differs = ~(_same_bits(there, here) if made.excuse is None else _close(there, here))
        if differs.any():
            first = int(np.argmax(differs))
            yield (
                f"{place}: column {name} differs in {differs.sum()} of {len(rows)} rows, "
                f"first {there[first]!r}, recomputed {here[first]!r}"
            )


def _of_cell(table: pa.Table, cell: grid.Point) -> pa.Table:
    chosen = np.ones(len(table), dtype=bool)
    for axis, value in cell.items():
        chosen &= pc.equal(table[axis], pa.scalar(value, table.schema.field(axis).type)).to_numpy()
    return table.filter(pa.array(chosen))


def _values(column: pa.ChunkedArray) -> np.ndarray:
    """The column; a missing number is NaN."""
    return column.to_numpy() if pa.types.is_floating(column.type) else np.array(column.to_pylist())


def _same_bits(there: np.ndarray, here: np.ndarray) -> np.ndarray:
    if there.dtype.kind != "f":
        return there == here
    return (there.view(np.int64) == here.view(np.int64)) | (np.isnan(there) & np.isnan(here))


def _close(there: np.ndarray, here: np.ndarray) -> np.ndarray:
    if there.dtype.kind != "f":
        return there == here
    return np.isclose(there, here, rtol=RELATIVE, atol=ABSOLUTE, equal_nan=True)
