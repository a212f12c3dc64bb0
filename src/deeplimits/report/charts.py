"""Plots whose points can be asked for their numbers: what a paper's `interactive` modules return.

A module has the literal `TABLES` and `chart(tables) -> Chart`. It stands beside the figure of the
same name, which stays on the page for print and for readers without scripts.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]
INK = "currentColor"
"""Colour of the text around, dark on a light page and light on a dark one."""


@dataclass(frozen=True)
class Axis:
    """Label, range and ticks (value, text), all in units of the data; `scale` makes lengths."""

    label: str
    low: float
    high: float
    ticks: Sequence[tuple[float, str]]
    scale: Callable[[float], float] = float

    def place(self, value: float) -> float:
        """Where a value lies between the ends of the axis, from 0 to 1."""
        low, high = self.scale(self.low), self.scale(self.high)
        return (self.scale(value) - low) / (high - low)


@dataclass(frozen=True)
class Cell:
    """A filled rectangle between two corners, and what it says."""

    low: Point
    high: Point
    colour: str
    text: str


@dataclass(frozen=True)
class Curve:
    """A line through points; with `texts`, one a point, its points can be asked."""

    points: Sequence[Point]
    colour: str
    dashes: str = ""
    texts: Sequence[str] = ()


@dataclass(frozen=True)
class Panel:
    """One pair of axes."""

    title: str
    x: Axis
    y: Axis
    cells: Sequence[Cell] = ()
    curves: Sequence[Curve] = ()


@dataclass(frozen=True)
class Key:
    """An entry of the legend: a line where it has `dashes` (may be ""), else a patch."""

    label: str
    colour: str
    dashes: str | None = None


@dataclass(frozen=True)
class Chart:
    """Panels with one legend; `title` says in words what a reader sees."""

    title: str
    panels: Sequence[Panel]
    legend: Sequence[Key]


def borders(centres: Sequence[float]) -> list[float]:
    """Borders half way between sorted centres; the outer ones as far out as the next are in.

    Two at least: a single centre has no next one to tell how wide its cell is.
    """
    inner = [(a + b) / 2 for a, b in pairwise(centres)]
    return [2 * centres[0] - inner[0], *inner, 2 * centres[-1] - inner[-1]]


def decades(low: float, high: float) -> list[tuple[float, str]]:
    """Ticks at the powers of ten from `low` to `high`, at most about five of them."""
    first, last = math.ceil(math.log10(low)), math.floor(math.log10(high))
    step = max(1, (last - first) // 4)
    return [(10.0**power, _power(power)) for power in range(first, last + 1, step)]


def signed(value: float, form: str = ".4g") -> str:
    """A number with a minus sign, not a hyphen."""
    return f"{value:{form}}".replace("-", "−")


def _power(power: int) -> str:
    if power in (0, 1):
        return "1" if power == 0 else "10"
    return "10" + str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
