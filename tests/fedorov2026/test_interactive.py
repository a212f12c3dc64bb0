"""The interactive phase diagram: every cell of the table, where it belongs, with its numbers."""

import pandas as pd
import pytest

from deeplimits.fedorov2026.interactive import phase_diagram


@pytest.fixture
def table() -> pd.DataFrame:
    rows = [
        {
            "d": d,
            "beta": beta,
            "rho0": rho0,
            "share": share,
            "low": share / 2,
            "high": min(1.0, 2 * share),
            "antipodal": round(1000 * share),
            "replicas": 1000,
            "undecided": d,
            "exact": 0.0 if d == 8 else 0.25,
            "score": -1.26,
            "beta_star": 0.5 * d,
            "beta_01": float("nan") if d == 2 else beta,
            "beta_10": 1.0,
        }
        for rho0 in (-0.9, 0.0)
        for d in (2, 4, 8)
        for beta, share in ((0.0, 0.0), (1.0, 0.25), (2.0, 1.0))
    ]
    return pd.DataFrame(rows)


def test_each_start_has_its_panel_and_each_cell_its_rectangle(table):
    chart = phase_diagram.chart({"phase_diagram_estimates": table})
    assert [panel.title for panel in chart.panels] == ["from ρ₀ = 0", "from ρ₀ = −0.9"]
    for panel in chart.panels:
        assert len(panel.cells) == 9
        area = sum(
            (panel.x.place(cell.high[0]) - panel.x.place(cell.low[0]))
            * (panel.y.place(cell.high[1]) - panel.y.place(cell.low[1]))
            for cell in panel.cells
        )
        assert area == pytest.approx(1), "the cells tile the panel"


def test_a_cell_says_its_numbers(table):
    chart = phase_diagram.chart({"phase_diagram_estimates": table})
    cells = {cell.text.partition(":")[0]: cell for cell in chart.panels[0].cells}
    assert cells["β = 1, d = 4"].text == (
        "β = 1, d = 4: 250 of 1000 runs antipodal, share 0.2500 [0.1250, 0.5000], 4 undecided; "
        "exact p = 0.25, off by −1.3 s.e."
    )
    assert cells["β = 1, d = 8"].text.endswith("exact p = 0"), "no score where p = 0"
    assert (cells["β = 1, d = 4"].low[0], cells["β = 1, d = 4"].high[0]) == (0.5, 1.5)
    assert cells["β = 1, d = 4"].low[1] == pytest.approx(8**0.5)


def test_colours_follow_the_share(table):
    chart = phase_diagram.chart({"phase_diagram_estimates": table})
    shades = {key.label: key.colour for key in chart.legend}
    cells = {cell.text.partition(":")[0]: cell for cell in chart.panels[0].cells}
    assert cells["β = 0, d = 4"].colour == shades["share 0"]
    assert cells["β = 2, d = 4"].colour == shades["share 1"]


def test_lines_leave_out_what_there_is_not(table):
    chart = phase_diagram.chart({"phase_diagram_estimates": table})
    transition, low, _ = chart.panels[0].curves
    assert list(transition.points) == [(1.0, 2), (2.0, 4), (4.0, 8)]
    assert [d for _, d in low.points] == [4, 8]
