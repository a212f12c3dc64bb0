"""Ends of the walks, point by point, and the cells of drift and spread."""

import pandas as pd

from deeplimits.report.charts import INK, Axis, Cell, Chart, Curve, Key, Panel

TABLES = ("walks_estimates",)


def chart(tables: dict[str, pd.DataFrame]) -> Chart:
    """One panel of points and one of cells, of the first kind of walk."""
    ends = tables["walks_estimates"]
    narrow = ends[(ends["spread"] == ends["spread"].min()) & (ends["kind"] == "a")]
    points = list(zip(narrow["drift"], narrow["end"], strict=True))
    texts = [f"drift {drift:g}: end {end:.2f}" for drift, end in points]
    drift = Axis("drift", 0, 2, [(0, "0"), (1, "1"), (2, "2")])
    length = Axis("end", -20, 20, [(-20, "−20"), (0, "0"), (20, "20")])
    cells = [
        Cell((0, -20), (1, 20), "#9ecae1", "left <half>"),
        Cell((1, -20), (2, 20), "#3182bd", "right & half"),
    ]
    return Chart(
        "Ends of the walks",
        [
            Panel("points", drift, length, curves=[Curve(points, INK, "4 2", texts)]),
            Panel("cells", drift, length, cells=cells),
        ],
        [Key("end", INK, "4 2"), Key("left", "#9ecae1")],
    )
