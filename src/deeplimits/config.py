"""The configuration: typed and closed. What is wrong stops before any job, by name.

Snakemake merges the configuration files before our code sees them and drops duplicate keys
silently, so the files are also read here, for duplicates only.
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, BaseModel, Field, TypeAdapter, ValidationError

from deeplimits import grid, messages, registry
from deeplimits.errors import UserError
from deeplimits.schema import Closed, PositiveInt


def _inside_project(folder: str) -> str:
    if not re.fullmatch(r"[\w][\w.\-]*(/[\w][\w.\-]*)*", folder):
        raise ValueError(
            "must be a relative path inside the project, of letters, digits, '_', '-' and '.'"
        )
    return folder


Folder = Annotated[str, AfterValidator(_inside_project)]


class Folders(Closed):
    """Where results, figures and logs go."""

    results: Folder = Field(description="tables, job files, benchmarks and claims")
    figures: Folder = Field(description="figures, one folder a paper")
    logs: Folder = Field(description="one log a job")


class Limits(Closed):
    """Sizes above which a grid is refused."""

    cells: PositiveInt = Field(description="largest number of cells of one experiment")
    jobs: PositiveInt = Field(description="largest number of simulation jobs of one experiment")


class Resources(Closed):
    """What one job asks of a cluster; no result depends on it."""

    mem_mb: PositiveInt = Field(description="memory of one job, MB")
    runtime: PositiveInt = Field(description="time of one job, minutes")


class StageResources(Closed):
    """Resources by stage."""

    simulate: Resources = Field(description="one simulation job, unless its experiment says more")
    other: Resources = Field(description="one job of any other stage")


class Block(Closed):
    """One experiment."""

    grid: list[dict[str, list[Any]]] = Field(
        min_length=1, description="products of axes: each a mapping {axis: list of values}"
    )
    split: list[str] = Field(
        default=[], description="axes along which the grid is cut into simulation jobs"
    )
    paired: list[str] = Field(default=[], description="axes along which cells share random draws")
    settings: dict[str, Any] = Field(default={}, description="what all cells share")
    resources: Resources | None = Field(default=None, description="overrides resources.simulate")


class Top(Closed):
    """The whole configuration."""

    seed: int = Field(ge=0, lt=2**63, description="root seed of all random streams")
    scale: Literal["paper", "reduced"] = Field(
        description="'paper', or 'reduced' where sizes are smaller than the papers' (smoke)"
    )
    folders: Folders = Field(description="output folders")
    limits: Limits = Field(description="sizes above which a grid is refused")
    resources: StageResources = Field(description="memory and time of jobs on a cluster")
    papers: dict[str, dict[str, Block]] = Field(
        min_length=1, description="{paper: {experiment: block}}"
    )


@dataclass(frozen=True)
class Experiment:
    """An experiment's block after typing; products and settings are plain sorted JSON values."""

    paper: str
    name: str
    products: list[dict[str, list[grid.Value]]]
    split: list[str]
    paired: list[str]
    settings: dict[str, Any]
    resources: Resources


@dataclass(frozen=True)
class Configuration:
    """The validated configuration."""

    top: Top
    experiments: dict[str, dict[str, Experiment]]


def read_files(paths: Iterable[Path]) -> dict[str, Any]:
    """Read and merge configuration files; later ones win, key by key, as in Snakemake."""
    merged: dict[str, Any] = {}
    for path in paths:
        _merge(merged, read_file(path))
    return merged


def read_file(path: Path) -> dict[str, Any]:
    """Read one YAML file.

    Raises
    ------
    UserError
        if it can't be read, is no YAML mapping, or has a duplicate key.
    """
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=_UniqueKeys)
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: can't be read: {error}") from error
    except yaml.YAMLError as error:
        raise UserError(f"{path}: {' '.join(str(error).split())}") from error
    if not isinstance(content, dict):
        raise UserError(f"{path}: must be a mapping of keys to values")
    return content


def validate(raw: Mapping[str, Any]) -> Configuration:
    """Type the merged configuration and check every grid against its experiment's schema.

    Raises
    ------
    UserError
        naming the key, the value, what is allowed and the nearest key name.
    """
    top = messages.typed(Top, dict(raw), "")
    messages.refuse_unknown(top.papers, registry.papers(), "papers")
    experiments = {}
    for paper, blocks in top.papers.items():
        known = registry.members(paper, "experiments")
        messages.refuse_unknown(blocks, known, f"papers.{paper}")
        if missing := [name for name in known if name not in blocks]:
            raise UserError(
                f"config key papers.{paper}.{missing[0]}: missing; every experiment "
                "of a configured paper needs its block"
            )
        experiments[paper] = {name: _experiment(paper, name, blocks[name], top) for name in known}
    return Configuration(top, experiments)


class _UniqueKeys(yaml.SafeLoader):
    """Refuses a mapping that repeats a key."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen: dict[Any, yaml.Node] = {}
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable):
                continue  # refused by the original
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"duplicate key {key!r}; keep one of the two", key_node.start_mark
                )
            seen[key] = key_node
        return super().construct_mapping(node, deep)


def _merge(base: dict[str, Any], overlay: Mapping[str, Any]) -> None:
    for key, value in overlay.items():
        if isinstance(value, Mapping) and isinstance(base.get(key), dict):
            _merge(base[key], value)
        else:
            base[key] = value


def _experiment(paper: str, name: str, block: Block, top: Top) -> Experiment:
    where = f"papers.{paper}.{name}"
    module = registry.load(paper, "experiments", name)
    axes = list(module.Cell.model_fields)
    products = [
        _product(module.Cell, product, f"{where}.grid[{index}]")
        for index, product in enumerate(block.grid)
    ]
    for role, names in (("split", block.split), ("paired", block.paired)):
        messages.refuse_unknown(names, axes, f"{where}.{role}")
        if len(set(names)) < len(names):
            raise UserError(f"config key {where}.{role}: an axis stands twice in {names}")
    _refuse_size(products, block.split, top.limits, where)
    if shared := grid.overlap(products):
        raise UserError(f"config key {where}.grid: two products share the cell {shared}")
    _refuse_cells(module, products, where)
    settings = messages.typed(module.Protocol, block.settings, f"{where}.settings")
    return Experiment(
        paper,
        name,
        grid.ordered(products),
        sorted(block.split),
        sorted(block.paired),
        settings.model_dump(),
        block.resources or top.resources.simulate,
    )


def _product(
    cell: type[BaseModel], product: Mapping[str, list], where: str
) -> dict[str, list[grid.Value]]:
    messages.refuse_unknown(product, list(cell.model_fields), where)
    typed = {}
    for axis, field in cell.model_fields.items():
        if axis not in product:
            raise UserError(f"config key {where}.{axis}: missing; {field.description}")
        if not product[axis]:
            raise UserError(f"config key {where}.{axis}: has no value")
        kind = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
        adapter = TypeAdapter(kind, config={**cell.model_config, "title": axis})
        typed[axis] = []
        for index, value in enumerate(product[axis]):
            try:
                typed[axis].append(_one_zero(adapter.validate_python(value)))
            except ValidationError as error:
                raise UserError(messages.message(error, None, f"{where}.{axis}[{index}]")) from None
        if len(set(typed[axis])) < len(typed[axis]):
            raise UserError(f"config key {where}.{axis}: a value stands twice in {product[axis]}")
    return typed


def _one_zero(value: grid.Value) -> grid.Value:
    """The value, with -0.0 as 0.0: they are equal, so they must have one seed."""
    return value + 0.0 if isinstance(value, float) else value


def _refuse_size(
    products: Sequence[grid.Product], split: Sequence[str], limits: Limits, where: str
) -> None:
    count = grid.size(products)
    if count > limits.cells:
        raise UserError(
            f"config key {where}.grid: {count} cells, at most limits.cells = {limits.cells}"
        )
    parts = grid.size([{axis: product[axis] for axis in split} for product in products])
    if split and parts > limits.jobs:
        raise UserError(
            f"config key {where}.split: up to {parts} jobs, at most limits.jobs = {limits.jobs}"
        )


def _refuse_cells(module: ModuleType, products: Sequence[grid.Product], where: str) -> None:
    """Check conditions between axes, cell by cell, where the schema has any."""
    validators = module.Cell.__pydantic_decorators__
    if validators.model_validators or validators.field_validators:
        for cell in grid.cells(products):
            messages.typed(module.Cell, cell, f"{where}.grid: cell {cell}")
