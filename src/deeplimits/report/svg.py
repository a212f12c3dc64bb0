"""Charts as SVG: a drawing without scripts, in which each mark carries its numbers as a title.

Written here because no well-kept library fits: those whose script comes in a Python package weigh
half of the page (Plotly) or a server (Bokeh), and all draw nothing where scripts are off.
"""

from collections.abc import Iterator
from html import escape

from deeplimits.report.charts import Axis, Cell, Curve, Panel

WIDTH, HEIGHT = 440, 320
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 12, 46
SEAM = 0.5


def drawing(panel: Panel) -> str:
    """The SVG of a panel; what lies outside the axes is cut off."""
    parts = [*_frame(panel), *_marks(panel)]
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(panel.title)}">{"".join(parts)}</svg>'
    )


def _frame(panel: Panel) -> Iterator[str]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    yield f'<path class="axis" d="M{LEFT} {TOP}V{bottom}H{right}"/>'
    for value, text in _inside(panel.x):
        x = _x(panel, value)
        yield f'<path class="axis" d="M{x:.1f} {bottom}v5"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{escape(text)}</text>'
    for value, text in _inside(panel.y):
        y = _y(panel, value)
        yield f'<path class="axis" d="M{LEFT} {y:.1f}h-5"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(text)}</text>'
    middle = (LEFT + right) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(panel.x.label)}</text>'
    middle = (TOP + bottom) / 2
    yield (
        f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">'
        f"{escape(panel.y.label)}</text>"
    )


def _inside(axis: Axis) -> list[tuple[float, str]]:
    return [(value, text) for value, text in axis.ticks if axis.low <= value <= axis.high]


def _marks(panel: Panel) -> Iterator[str]:
    """A nested SVG, because it clips to the axes and needs no identifier, as a clip path would."""
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    box = f'x="{LEFT}" y="{TOP}" width="{width}" height="{height}"'
    yield f'<svg class="marks" {box} viewBox="{LEFT} {TOP} {width} {height}">'
    for cell in panel.cells:
        yield _cell(panel, cell)
    for curve in panel.curves:
        yield from _curve(panel, curve)
    yield "</svg>"


def _cell(panel: Panel, cell: Cell) -> str:
    """A rectangle that reaches below its neighbours to the right and above, so no seam shows."""
    left, right = (_x(panel, corner[0]) for corner in (cell.low, cell.high))
    bottom, top = (_y(panel, corner[1]) for corner in (cell.low, cell.high))
    place = f'x="{left:.1f}" y="{top - SEAM:.1f}"'
    size = f'width="{right - left + SEAM:.1f}" height="{bottom - top + SEAM:.1f}"'
    title = f"<title>{escape(cell.text)}</title>"
    return f'<rect class="mark" {place} {size} fill="{cell.colour}">{title}</rect>'


def _curve(panel: Panel, curve: Curve) -> Iterator[str]:
    places = [f"{_x(panel, x):.1f} {_y(panel, y):.1f}" for x, y in curve.points]
    dashes = f' stroke-dasharray="{curve.dashes}"' if curve.dashes else ""
    line = f'd="M{"L".join(places)}" stroke="{curve.colour}"{dashes}'
    yield f'<path class="curve" {line}/>'
    for place, text in zip(places, curve.texts, strict=bool(curve.texts)):
        x, y = place.split()
        yield (
            f'<circle class="mark" cx="{x}" cy="{y}" r="2.2" fill="{curve.colour}">'
            f"<title>{escape(text)}</title></circle>"
        )


def _x(panel: Panel, value: float) -> float:
    return LEFT + panel.x.place(value) * (WIDTH - LEFT - RIGHT)


def _y(panel: Panel, value: float) -> float:
    return TOP + (1 - panel.y.place(value)) * (HEIGHT - TOP - BOTTOM)
