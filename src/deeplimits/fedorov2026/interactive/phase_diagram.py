"""The share of antipodal runs over β and d, cell by cell."""

import math
from itertools import pairwise

import matplotlib
import pandas as pd
from matplotlib.colors import to_hex

from deeplimits.report.charts import INK, Axis, Cell, Chart, Curve, Key, Panel, borders, signed

TABLES = ("phase_diagram_estimates",)

_SHADES = matplotlib.colormaps["Blues"]
_LINES = (
    ("beta_star", "d − 2 = cosh 2β", INK, ""),
    ("beta_01", "p = .01", "#D55E00", "6 3"),
    ("beta_10", "p = .1", "#D55E00", "2 3"),
)


def chart(tables: dict[str, pd.DataFrame]) -> Chart:
    """One panel a start ρ₀, from the largest to the least."""
    table = tables["phase_diagram_estimates"]
    starts = sorted(table["rho0"].unique(), reverse=True)
    shares = [(f"share {share:g}", _shade(share), None) for share in (0, 0.01, 0.1, 0.5, 1)]
    lines = [(label, colour, dashes) for _, label, colour, dashes in _LINES]
    return Chart(
        "Share of runs of two tokens that end antipodal, over β and dimension d",
        [_panel(table[table["rho0"] == rho0], rho0) for rho0 in starts],
        [Key(*entry) for entry in (*shares, *lines)],
    )


def _panel(cells: pd.DataFrame, rho0: float) -> Panel:
    beta = sorted(cells["beta"].unique())
    dimensions = sorted(cells["d"].unique())
    columns = _sides(beta, borders(beta))
    rows = _sides(dimensions, [2**edge for edge in borders([math.log2(d) for d in dimensions])])
    ticks = range(math.ceil(beta[0]), math.floor(beta[-1]) + 1)
    return Panel(
        f"from ρ₀ = {signed(rho0)}",
        Axis("β", columns[beta[0]][0], columns[beta[-1]][1], [(n, str(n)) for n in ticks]),
        Axis(
            "d",
            rows[dimensions[0]][0],
            rows[dimensions[-1]][1],
            [(2**n, str(2**n)) for n in range(1, 12)],
            math.log2,
        ),
        [_cell(row, columns[row.beta], rows[row.d]) for row in cells.itertuples()],
        [_line(cells, column, colour, dashes) for column, _, colour, dashes in _LINES],
    )


def _sides(values: list[float], edges: list[float]) -> dict[float, tuple[float, float]]:
    """The lower and the upper border of each value."""
    return dict(zip(values, pairwise(edges), strict=True))


def _cell(row, column: tuple[float, float], line: tuple[float, float]) -> Cell:
    return Cell((column[0], line[0]), (column[1], line[1]), _shade(row.share), _words(row))


def _words(row) -> str:
    score = f", off by {signed(row.score, '+.1f')} s.e." if row.exact > 0 else ""
    return (
        f"β = {row.beta:g}, d = {row.d}: {row.antipodal} of {row.replicas} runs antipodal, "
        f"share {row.share:.4f} [{row.low:.4f}, {row.high:.4f}], {row.undecided} undecided; "
        f"exact p = {row.exact:.4g}{score}"
    )


def _shade(share: float) -> str:
    return to_hex(_SHADES(math.sqrt(share)))


def _line(cells: pd.DataFrame, column: str, colour: str, dashes: str) -> Curve:
    points = cells.drop_duplicates("d").sort_values("d").dropna(subset=[column])
    return Curve(list(zip(points[column], points["d"], strict=True)), colour, dashes)
