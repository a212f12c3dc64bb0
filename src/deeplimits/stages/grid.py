"""Grid stage: the products of an experiment's axes → one row a cell, with its seed."""

from pathlib import Path
from typing import Any

from deeplimits import grid, registry, tables
from deeplimits.schema import Column

SEED = Column("seed", "string", "1", "seed of the cell's random streams, 128 bits in hexadecimal")


def run(specification: dict[str, Any], output: Path) -> None:
    """Write the grid table."""
    paper, name = specification["paper"], specification["experiment"]
    axes = registry.axis_columns(registry.load(paper, "experiments", name).Cell)
    data: dict[str, list] = {column.name: [] for column in (*axes, SEED)}
    for cell in grid.cells(specification["products"]):
        seed = grid.seed(specification["seed"], f"{paper}/{name}", cell, specification["paired"])
        for axis, value in cell.items():
            data[axis].append(value)
        data[SEED.name].append(f"{seed.entropy:032x}")
    keys = [column.name for column in axes]
    tables.write(output, tables.build([*axes, SEED], data, keys, str(output)), specification)
