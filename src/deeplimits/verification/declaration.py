"""What of an experiment's estimates another run must give again, and how exactly.

A column of an estimates table plays one role. By name: a column of the table's key tells rows
apart, and `x_se` is the standard error of the column `x`. By declaration, in a paper's module
`comparisons`: the interval of another column, and what is drawn at random without a stated error.
All the rest follows from the configuration alone, so every run has to agree in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from deeplimits import digest, registry
from deeplimits.errors import UserError
from deeplimits.schema import Column

Role = Literal["key", "measured", "error", "random", "exact"]


@dataclass(frozen=True)
class Compared:
    """How the estimates of one experiment are compared between runs of different seeds.

    `count` names the column with the number of independent runs behind a row. `intervals` maps a
    column to the ends of its 95% interval, `random` lists what is drawn and has no error. Of the
    rows along the key column `along`, a release keeps four.
    """

    count: str | None = None
    intervals: dict[str, tuple[str, str]] = field(default_factory=dict)
    random: tuple[str, ...] = ()
    along: str | None = None


def declared(paper: str) -> dict[str, Compared]:
    """The declarations of a paper by experiment; every experiment with estimates has one.

    Raises
    ------
    UserError
        naming the experiment that has no declaration, or a declaration without estimates.
    """
    estimated = registry.members(paper, "estimates")
    if not estimated:
        return {}
    module = registry.name(paper, "comparisons")
    if digest.module_path(module) is None:
        raise UserError(f"{module}: no such module; declare there what of the estimates to compare")
    found = registry.load(paper, "comparisons").COMPARED
    if odd := sorted(set(found) ^ set(estimated)):
        what = "has no estimates" if odd[0] in found else "is not declared"
        raise UserError(f"{module}.COMPARED: {odd[0]} {what}")
    return found


def roles(
    columns: Sequence[Column], key: Sequence[str], compared: Compared, origin: str
) -> dict[str, Role]:
    """The role of each column.

    Raises
    ------
    UserError
        naming `origin` and the column, if a declaration names a column that is not there or that
        plays another role already.
    """
    names = [column.name for column in columns]
    plays: dict[str, Role] = dict.fromkeys(key, "key")

    def cast(name: str, role: Role) -> None:
        if name not in names:
            raise UserError(f"{origin}: no column {name!r}; known: {', '.join(names)}")
        if plays.setdefault(name, role) != role:
            raise UserError(f"{origin}: column {name!r} is {plays[name]} and {role}")

    for name in names:
        if name.endswith("_se") and name.removesuffix("_se") in names:
            cast(name.removesuffix("_se"), "measured")
            cast(name, "error")
    for name, ends in compared.intervals.items():
        cast(name, "measured")
        for end in ends:
            cast(end, "error")
    for name in compared.random:
        cast(name, "random")
    if orphans := [name for name in names if name.endswith("_se") and name not in plays]:
        raise UserError(f"{origin}: {orphans[0]!r} is the error of no column; declare it")
    return {name: plays.get(name, "exact") for name in names}
