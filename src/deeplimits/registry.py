"""Finding the papers and their modules by name, without importing them."""

import importlib
from types import ModuleType
from typing import Literal, get_args, get_origin

from deeplimits.digest import PACKAGE, SOURCE
from deeplimits.schema import Axes, Column

_ROOT = SOURCE / PACKAGE
_DTYPES = {float: "float64", int: "int64", str: "string", bool: "bool"}


def papers() -> list[str]:
    """Keys of the papers: the packages that have a room for experiments."""
    return sorted(path.parent.name for path in _ROOT.glob("*/experiments"))


def members(paper: str, room: str) -> list[str]:
    """Names of the modules in one room ("experiments", "figures", …) of a paper."""
    folder = _ROOT / paper / room
    return sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")


def has_claims(paper: str) -> bool:
    """Whether the paper has a module of claims."""
    return (_ROOT / paper / "claims.py").is_file()


def name(paper: str, *parts: str) -> str:
    """Dotted name of a module of a paper."""
    return ".".join((PACKAGE, paper, *parts))


def load(paper: str, *parts: str) -> ModuleType:
    """Import a module of a paper."""
    return importlib.import_module(name(paper, *parts))


def axis_columns(cell: type[Axes]) -> list[Column]:
    """The columns of a grid: one an axis, in the order of the schema."""
    columns = []
    for axis, field in cell.model_fields.items():
        kind = field.annotation
        if get_origin(kind) is Literal:
            kind = type(get_args(kind)[0])
        if kind not in _DTYPES:
            raise TypeError(f"axis {axis}: its type must be float, int, str, bool or a Literal")
        columns.append(Column(axis, _DTYPES[kind], "1", field.description or ""))
    return columns


def experiment_columns(experiment: ModuleType) -> tuple[list[Column], list[str]]:
    """All columns of an experiment's table and the names by which its rows are sorted and known."""
    axes = axis_columns(experiment.Cell)
    return [*axes, *experiment.COLUMNS], [*(axis.name for axis in axes), *experiment.ROW_KEY]
