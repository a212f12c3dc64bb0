"""Simulation stage: the cells of one job → their rows."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa

from deeplimits import grid, registry, tables


def run(specification: dict[str, Any], output: Path) -> None:
    """Simulate every cell of the job and write their rows as one table."""
    experiment = registry.load(specification["paper"], "experiments", specification["experiment"])
    parts = [
        simulate_cell(experiment, specification, cell)
        for cell in grid.cells(specification["products"])
    ]
    _, keys = registry.experiment_columns(experiment)
    table = pa.concat_tables(parts).sort_by([(key, "ascending") for key in keys])
    tables.write(output, table, specification)


def simulate_cell(
    experiment: ModuleType, specification: dict[str, Any], cell: grid.Point
) -> pa.Table:
    """The rows of one cell, with its axis values in front.

    `specification` holds the names of paper and experiment, the settings, the root seed and the
    paired axes.
    """
    name = f"{specification['paper']}/{specification['experiment']}"
    seed = grid.seed(specification["seed"], name, cell, specification["paired"])
    settings = experiment.Protocol(**specification["settings"])
    rows = experiment.simulate(experiment.Cell(**cell), settings, seed)
    count = len(next(iter(rows.values())))
    data = {**{axis: [value] * count for axis, value in cell.items()}, **rows}
    columns, keys = registry.experiment_columns(experiment)
    return tables.build(columns, data, keys, f"{name}: cell {cell}")
