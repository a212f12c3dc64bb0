"""Estimation step of the aggregate stage: an experiment's whole table → estimates with errors."""

from pathlib import Path
from typing import Any

from deeplimits import registry, tables


def run(specification: dict[str, Any], output: Path) -> None:
    """Write the estimates of one experiment."""
    module = registry.load(specification["paper"], "estimates", specification["experiment"])
    source = specification["table"]
    table = tables.read(Path(source["path"]), source["identity"])
    estimates = module.estimate(tables.frame(table))
    data = {name: estimates[name].to_numpy() for name in estimates.columns}
    built = tables.build(module.COLUMNS, data, module.KEY, str(output))
    tables.write(output, built, specification)
