"""The configuration: typed and closed. What is wrong stops before any job, by name."""

import os
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from deeplimits import grid, messages, oddities, registry
from deeplimits.config_files import read_file as read_file
from deeplimits.config_files import read_files as read_files
from deeplimits.errors import UserError
from deeplimits.messages import shown
from deeplimits.schema import Closed, PositiveInt

SOURCES = (
    "benchmarks",
    "docs",
    "profiles",
    "released",
    "src",
    "tests",
    "workflow",
)  # folders of the checkout


def _inside_project(folder: str) -> str:
    """The folder, if files that are made can't leave the project or mix with its sources.

    A symbolic link that the user has put in its place is followed: results may live on scratch.
    """
    if not re.fullmatch(r"[\w][\w.\-]*(/[\w][\w.\-]*)*", folder):
        raise ValueError(
            "must be a relative path inside the project, of letters, digits, '_', '-' and '.'"
        )
    if len(os.fsencode(folder)) > 200:
        raise ValueError("must have at most 200 bytes")
    if _same(folder.split("/")[0]) in SOURCES:
        raise ValueError(f"must not lie in a folder of sources ({', '.join(SOURCES)})")
    for path in (Path(folder), *Path(folder).parents):
        if os.path.lexists(path) and not os.path.isdir(path):
            raise ValueError(f"can't be made: '{path}' is a file or a link to no folder")
    return folder


def _same(folder: str) -> str:
    """One form for all names that a file system may take for the same."""
    return unicodedata.normalize("NFC", folder).casefold()


Folder = Annotated[str, AfterValidator(_inside_project)]


class Folders(Closed):
    """Where results, figures and logs go."""

    results: Folder = Field(description="tables, job files, benchmarks and claims")
    figures: Folder = Field(description="figures, one folder a paper")
    logs: Folder = Field(description="one log a job")

    @model_validator(mode="after")
    def _apart(self) -> "Folders":
        if len({_same(folder) for folder in self.model_dump().values()}) < 3:
            raise ValueError("must be three different folders")
        return self


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
    scale: Literal["paper", "reduced", "stress"] = Field(
        description="'paper'; 'reduced' where sizes are smaller than the papers' (smoke); 'stress' "
        "where claims are judged again at another seed, horizon, step or size"
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


def validate(raw: Mapping[str, Any]) -> Configuration:
    """Type the merged configuration and check every grid against its experiment's schema.

    Raises
    ------
    UserError
        naming the key, the value, what is allowed and the nearest key name.
    """
    oddities.refuse(raw)
    top = messages.typed(Top, raw, "")
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


def _experiment(paper: str, name: str, block: Block, top: Top) -> Experiment:
    where = f"papers.{paper}.{name}"
    module = registry.load(paper, "experiments", name)
    axes = list(module.Cell.model_fields)
    for index, product in enumerate(block.grid):
        _refuse_axes(module.Cell, product, f"{where}.grid[{index}]")
    for role, names in (("split", block.split), ("paired", block.paired)):
        messages.refuse_unknown(names, axes, f"{where}.{role}")
        _refuse_twice(names, f"{where}.{role}")
    _refuse_size(block.grid, block.split, top.limits, where)
    products = [
        _product(module.Cell, product, f"{where}.grid[{index}]")
        for index, product in enumerate(block.grid)
    ]
    if shared := grid.overlap(products):
        raise UserError(f"config key {where}.grid: two products share the cell {shown(shared)}")
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


def _refuse_axes(cell: type[BaseModel], product: Mapping[str, list], where: str) -> None:
    messages.refuse_unknown(product, list(cell.model_fields), where)
    for axis, field in cell.model_fields.items():
        if axis not in product:
            raise UserError(f"config key {where}.{axis}: missing; {field.description}")
        if not product[axis]:
            raise UserError(f"config key {where}.{axis}: has no value")


def _product(
    cell: type[BaseModel], product: Mapping[str, list], where: str
) -> dict[str, list[grid.Value]]:
    typed = {}
    for axis, field in cell.model_fields.items():
        kind = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
        adapter = TypeAdapter(kind, config={**cell.model_config, "title": axis})
        typed[axis] = []
        for index, value in enumerate(product[axis]):
            try:
                typed[axis].append(_one_zero(adapter.validate_python(value)))
            except ValidationError as error:
                raise UserError(messages.message(error, None, f"{where}.{axis}[{index}]")) from None
        _refuse_twice(typed[axis], f"{where}.{axis}")
    return typed


def _refuse_twice(values: Sequence[grid.Value], where: str) -> None:
    if twice := messages.repeated(values):
        raise UserError(f"config key {where}: {shown(twice[0])} stands twice")


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
            try:
                module.Cell.model_validate(cell)
            except ValidationError as error:
                place = f"{where}.grid: cell {shown(cell)}"
                raise UserError(messages.message(error, module.Cell, place)) from None
