"""Claims: statements of a paper (or ours) that a rule decides from the tables.

A claim is declared by `@claim(...)` over a function that takes the tables it names and returns a
`Finding`. A rule about long times or limits looks at a trend over horizons, steps or sizes, and
answers "inconclusive" where the trend is not resolved.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from deeplimits.schema import Column

if TYPE_CHECKING:
    import pandas as pd

Verdict = Literal["reproduced", "contradicted", "inconclusive"]
Scale = Literal["paper", "reduced", "stress", "ours"]
Origin = Literal["paper", "sharpened", "ours"]

STATED_BY: dict[Origin, str] = {
    "paper": "the paper",
    "sharpened": "the paper, made precise by us",
    "ours": "us",
}
"""Who states a claim, in words."""

COLUMNS = (
    Column("paper", "string", "1", "key of the paper"),
    Column("claim", "string", "1", "name of the claim"),
    Column("statement", "string", "1", "what is claimed"),
    Column(
        "origin",
        "string",
        "1",
        "who states it: paper, sharpened (the paper, made precise or restricted by us) or ours",
    ),
    Column("reported", "string", "1", "what the paper reports, with its place; or that it is ours"),
    Column("measured", "string", "1", "what we measured, with errors"),
    Column("value", "float64", "1", "the number that decides, where there is one", nullable=True),
    Column("error", "float64", "1", "its standard error", nullable=True),
    Column("verdict", "string", "1", "reproduced, contradicted or inconclusive"),
    Column("rule", "string", "1", "the rule that decides, its test and error rate"),
    Column(
        "scale",
        "string",
        "1",
        "paper, ours, reduced (smaller than intended) or stress (the stress run)",
    ),
    Column("setting_paper", "string", "1", "horizon, step, sizes and seeds of the paper"),
    Column("setting_ours", "string", "1", "horizon, step, sizes and seeds used here"),
    Column("tables", "string", "1", "tables that the rule reads"),
)
KEY = ("paper", "claim")


@dataclass(frozen=True)
class Finding:
    """What a rule found: the verdict, the measurement in words and as number ± standard error."""

    verdict: Verdict
    measured: str
    setting: str
    value: float | None = None
    error: float | None = None


@dataclass(frozen=True)
class Claim:
    """A declared claim; `judge` maps {table name: frame} to a `Finding`."""

    name: str
    statement: str
    reported: str
    rule: str
    origin: Origin
    scale: Scale
    setting: str
    tables: tuple[str, ...]
    judge: Callable[[dict[str, "pd.DataFrame"]], Finding]


def claim(
    *,
    statement: str,
    reported: str,
    rule: str,
    origin: Origin,
    scale: Scale,
    setting: str,
    tables: tuple[str, ...],
) -> Callable[[Callable[..., Finding]], Claim]:
    """Declare the decorated function as the rule of a claim; its name is the claim's name.

    The function is called with one frame for each of `tables`, in their order. `setting` is the
    paper's horizon, step, sizes and seeds, or "not stated".
    """

    def declare(rule_function: Callable[..., Finding]) -> Claim:
        def judge(frames: dict[str, "pd.DataFrame"]) -> Finding:
            return rule_function(*(frames[name] for name in tables))

        name = rule_function.__name__
        return Claim(name, statement, reported, rule, origin, scale, setting, tables, judge)

    return declare
