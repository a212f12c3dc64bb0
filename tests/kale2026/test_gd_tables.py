"""Names of rules in legends, panels of the GD figures, and the printed steps to accuracy."""

import numpy as np
import pandas as pd

from deeplimits.kale2026 import gd_panels, looks, schedules
from deeplimits.kale2026.typeset import steps


def test_every_rule_has_a_name_and_ours_comes_first():
    rules = ["horizon_tuned(1000)", "constant(100)", "paper(2)", "constant(1)", "reconstructed"]
    assert looks.order(rules) == [
        "reconstructed", "constant(1)", "constant(100)", "horizon_tuned(1000)", "paper(2)",
    ]  # fmt: skip
    assert looks.label("paper(2)") == r"paper, $\eta = 2$"
    assert looks.look("constant(1)") != looks.look("constant(100)")
    drawn = ["constant(1)", "horizon_tuned(9)", "armijo", "large_adaptive(1)", "loss_normalized"]
    assert all(schedules.get(rule).name == rule for rule in drawn)
    assert len({looks.look(rule).color for rule in drawn}) == len(drawn)


def test_panels_show_random_sets_at_every_margin_and_the_others_near_a_tenth():
    places = [("random", 0.3), ("random", 0.05), ("toy", 0.0995), ("1 in 20", 0.3)]
    table = pd.DataFrame([*places, ("1 in 20", 0.12)] * 2, columns=["data", "gamma"])
    assert gd_panels.panels(table) == [
        ("random", 0.05), ("random", 0.3), ("toy", 0.0995), ("1 in 20", 0.12),
    ]  # fmt: skip


def test_printed_steps_show_work_where_it_differs_and_a_dash_where_a_target_is_missed():
    rows = [
        ("armijo", -1.0, 3.0, 9.0),
        ("armijo", -4.0, 12.0, 36.0),
        ("reconstructed", -1.0, 70.0, 70.0),
        ("reconstructed", -4.0, np.nan, np.nan),
    ]
    table = pd.DataFrame(rows, columns=["rule", "target", "iterations", "work"])
    table = table.assign(data="toy", gamma=0.0995)
    lines = steps.latex({"first_passages_estimates": table}).splitlines()
    assert lines[3] == r"sets & rule & $\ln L\le -1$ & $\ln L\le -4$ \\"
    assert lines[5:7] == [
        r"toy, $\gamma = 0.1$ & reconstruction (ours) & 70 & -- \\",
        r"toy, $\gamma = 0.1$ & Armijo & 3 [9] & 12 [36] \\",
    ]
