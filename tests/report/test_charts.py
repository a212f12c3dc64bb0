"""Charts: where values lie, and what the drawing holds."""

import math
import xml.etree.ElementTree as ElementTree

import pytest

from deeplimits.report import charts, svg
from deeplimits.report.charts import Axis, Cell, Curve, Panel

NAMESPACE = "{http://www.w3.org/2000/svg}"
UNIT = Axis("x", 0, 10, [(0, "0"), (5, "five"), (11, "outside")])
TENFOLD = Axis("y < z", 1, 100, [(1, "1"), (10, "10")], math.log10)


def drawn(panel: Panel) -> ElementTree.Element:
    """The drawing as a browser's parser sees it."""
    text = svg.drawing(panel).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return ElementTree.fromstring(text)


def marks(panel: Panel, kind: str) -> list[ElementTree.Element]:
    return [mark for mark in drawn(panel).iter(NAMESPACE + kind) if mark.get("class") == "mark"]


def test_an_axis_places_values_by_its_scale():
    assert UNIT.place(2.5) == 0.25
    assert TENFOLD.place(10) == pytest.approx(0.5)


def test_borders_lie_half_way():
    assert charts.borders([1, 2, 4]) == [0.5, 1.5, 3, 5]


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (1, 1000, ["1", "10", "10²", "10³"]),
        (0.001, 2, ["10⁻³", "10⁻²", "10⁻¹", "1"]),
        (1, 1e12, ["1", "10³", "10⁶", "10⁹", "10¹²"]),
    ],
)
def test_decades_are_few_and_round(low, high, texts):
    ticks = charts.decades(low, high)
    assert [text for _, text in ticks] == texts
    assert all(low <= value <= high for value, _ in ticks)


def test_a_point_stands_where_its_values_are_and_says_its_text():
    panel = Panel("p", UNIT, TENFOLD, curves=[Curve([(5, 10), (10, 100)], "red", "", ["a", "b"])])
    first, second = marks(panel, "circle")
    width = svg.WIDTH - svg.LEFT - svg.RIGHT
    height = svg.HEIGHT - svg.TOP - svg.BOTTOM
    assert float(first.get("cx")) == pytest.approx(svg.LEFT + width / 2, abs=0.1)
    assert float(first.get("cy")) == pytest.approx(svg.TOP + height / 2, abs=0.1)
    assert float(second.get("cx")) == pytest.approx(svg.LEFT + width, abs=0.1)
    assert float(second.get("cy")) == pytest.approx(svg.TOP, abs=0.1)
    assert [mark.findtext(f"{NAMESPACE}title") for mark in (first, second)] == ["a", "b"]


def test_a_cell_spans_its_corners():
    panel = Panel("p", UNIT, TENFOLD, cells=[Cell((0, 1), (5, 10), "#123456", "n < 3 & more")])
    (mark,) = marks(panel, "rect")
    assert float(mark.get("x")) == svg.LEFT
    half = (svg.WIDTH - svg.LEFT - svg.RIGHT) / 2
    assert float(mark.get("width")) == pytest.approx(half + svg.SEAM, abs=0.1)
    assert mark.get("fill") == "#123456"
    assert mark.findtext(f"{NAMESPACE}title") == "n < 3 & more"


def test_a_line_without_texts_has_no_points_to_ask():
    panel = Panel("p", UNIT, TENFOLD, curves=[Curve([(0, 1), (10, 100)], "red", "4 2")])
    assert marks(panel, "circle") == []
    (path,) = [one for one in drawn(panel).iter(f"{NAMESPACE}path") if one.get("class") == "curve"]
    assert path.get("stroke-dasharray") == "4 2"


def test_a_text_for_each_point_is_asked_for():
    panel = Panel("p", UNIT, TENFOLD, curves=[Curve([(0, 1), (1, 1)], "red", "", ["only one"])])
    with pytest.raises(ValueError, match="zip"):
        svg.drawing(panel)


def test_only_ticks_inside_are_drawn_and_labels_are_text():
    texts = [text.text for text in drawn(Panel("p", UNIT, TENFOLD)).iter(f"{NAMESPACE}text")]
    assert texts == ["0", "five", "1", "10", "x", "y < z"]
