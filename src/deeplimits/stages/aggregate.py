"""Aggregation stage: the grid and exactly the job files it is cut into → one table.

Every cell of the grid must be there once, in the file of its job.
"""

from pathlib import Path
from typing import Any

import pyarrow as pa

from deeplimits import grid, registry, tables
from deeplimits.errors import UserError


def run(specification: dict[str, Any], output: Path) -> None:
    """Join the jobs' tables, refusing missing, foreign and repeated cells, and write the whole."""
    experiment = registry.load(specification["paper"], "experiments", specification["experiment"])
    columns, keys = registry.experiment_columns(experiment)
    axes = list(experiment.Cell.model_fields)
    parts, makers = [], {}
    for job in specification["jobs"]:
        path = Path(job["path"])
        part = tables.read(path, job["identity"])
        tables.expect(part, columns, path)
        record = tables.record_of(part)
        _refuse_other_cells(part.select(axes), record["products"], path)
        maker = {name: record[name] for name in ("commit", "versions", "machine")}
        makers[str(maker)] = maker
        parts.append(part)
    cells = tables.read(Path(specification["grid"]["path"]), specification["grid"]["identity"])
    table = _whole(parts, len(cells), axes, output)
    data = {name: table[name] for name in table.schema.names}
    record = {name: specification[name] for name in specification if name not in ("jobs", "grid")}
    record["simulated_with"] = [makers[text] for text in sorted(makers)]
    tables.write(output, tables.build(columns, data, keys, str(output)), record)


def _refuse_other_cells(found: pa.Table, products: list[grid.Product], path: Path) -> None:
    """The file must hold the cells of its job, no fewer and no others."""
    have = set(zip(*(column.to_pylist() for column in _distinct(found).columns), strict=True))
    want = {tuple(cell[axis] for axis in found.schema.names) for cell in grid.cells(products)}
    for odd, what in ((want - have, "lacks"), (have - want, "holds a foreign")):
        if odd:
            cell = dict(zip(found.schema.names, min(odd), strict=True))
            raise UserError(f"{path}: {what} cell {cell}; delete it and run again")


def _whole(parts: list[pa.Table], expected: int, axes: list[str], output: Path) -> pa.Table:
    table = pa.concat_tables(part.replace_schema_metadata(None) for part in parts)
    found = len(_distinct(table.select(axes)))
    if found != expected:
        raise UserError(f"{output}: {found} cells in the jobs, {expected} in the grid")
    return table


def _distinct(table: pa.Table) -> pa.Table:
    names = table.schema.names
    return table.group_by(names).aggregate([]).select(names)
