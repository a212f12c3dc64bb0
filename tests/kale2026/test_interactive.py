"""The interactive losses: every point of the figure's panels, with its numbers, without TeX."""

import pandas as pd
import pytest

from deeplimits.kale2026 import looks
from deeplimits.kale2026.interactive import gd_losses


@pytest.fixture
def table() -> pd.DataFrame:
    rows = [
        {
            "rule": rule,
            "data": data,
            "gamma": 0.1,
            "t": t,
            "sets": sets,
            "log_loss": 0.5 - t / 10,
            "log_loss_low": -t / 10,
            "log_loss_high": 1 - t / 10,
            "increases": 2,
            "law": t / 12,
        }
        for data, sets in (("random", 8), ("toy", 1))
        for rule in ("constant(100)", "reconstructed")
        for t in (1, 10, 1000)
    ]
    return pd.DataFrame(rows)


def test_each_rule_has_its_points_in_each_panel(table):
    chart = gd_losses.chart({"gd_losses_estimates": table})
    assert [panel.title for panel in chart.panels] == ["random sets, γ = 0.1", "toy set, γ = 0.1"]
    for panel in chart.panels:
        *rules, law = panel.curves
        assert [len(curve.texts) for curve in rules] == [3, 3]
        assert list(law.points) == [(1, 1 / 12), (10, 10 / 12), (1000, 1000 / 12)]
        for curve in panel.curves:
            for x, y in curve.points:
                assert -1e-9 <= panel.x.place(x) <= 1 + 1e-9
                assert -1e-9 <= panel.y.place(y) <= 1 + 1e-9


def test_a_point_says_its_numbers(table):
    random, toy = gd_losses.chart({"gd_losses_estimates": table}).panels
    assert random.curves[0].texts[1] == (
        "constant, η = 100, t = 10: ln L = −0.5, median of 8 sets, [−1, 0]; law −0.8333; "
        "2 increases so far"
    )
    assert "sets" not in toy.curves[0].texts[1]


def test_the_legend_names_each_rule_and_the_law(table):
    legend = gd_losses.chart({"gd_losses_estimates": table}).legend
    assert [key.label for key in legend] == [
        "reconstruction (ours)",
        "constant, η = 100",
        "law y + y³/6 = γ²t (ours)",
    ]


@pytest.mark.parametrize("name", sorted(looks._LOOKS))
def test_no_label_keeps_tex_and_every_dash_is_known(name):
    rule = f"{name}(100)"
    assert not set("$\\{}^") & set(gd_losses.plain(looks.label(rule)))
    colour, dashes = gd_losses._line(rule)
    assert colour.startswith("#")
    assert all(float(length) > 0 for length in dashes.split())


@pytest.mark.parametrize(("value", "length"), [(0, 0), (0.5, 0.3), (1, 0.6), (100, 2.6)])
def test_depth_is_linear_below_one_and_logarithmic_above(value, length):
    assert gd_losses.depth(value) == pytest.approx(length)
    assert gd_losses.depth(-value) == pytest.approx(-length)
