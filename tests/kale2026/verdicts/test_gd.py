"""The rules about GD, on runs whose answer is known."""

import numpy as np
import pandas as pd
import pytest

from deeplimits.claims import Claim
from deeplimits.kale2026 import theory, trace
from deeplimits.kale2026.verdicts import gd

T = trace.checkpoints(100_000, 10)
RUNS = [("random", g, k) for g in (0.1, 0.3) for k in range(4)] + [("1 in 20", 0.1, 0)]


def verdict(claim: Claim, table: pd.DataFrame) -> str:
    return claim.judge({claim.tables[0]: table}).verdict


def run(rule: str, place: tuple, log_loss: np.ndarray) -> pd.DataFrame:
    columns = dict(zip(("data", "gamma", "replica"), place, strict=True))
    return pd.DataFrame({"rule": rule, **columns, "t": T, "log_loss": log_loss, "increases": 0})


def law(gamma: float) -> np.ndarray:
    return -theory.decay(gamma, T)


def polynomial(power: float) -> np.ndarray:
    return -power * np.log1p(T / 50)


def losses(
    odd: np.ndarray | None = None, *, runs: tuple = (0,), control: float = 1.0
) -> pd.DataFrame:
    """Runs on the law, those numbered in `runs` replaced by `odd`, and constant steps."""
    parts = []
    for index, place in enumerate(RUNS):
        own = odd if odd is not None and index in runs else law(place[1])
        parts += [run("reconstructed", place, own), run("constant(1)", place, polynomial(control))]
    return pd.concat(parts)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (losses(), "reproduced"),
        (losses(-(T**0.5) / 10), "reproduced"),
        (losses(polynomial(1.0)), "inconclusive"),  # one of four sets
        (losses(polynomial(1.0), runs=(0, 1, 2)), "contradicted"),
        (losses(polynomial(3.0), runs=(8,)), "contradicted"),  # the only unbalanced set
        (losses(law(0.008)), "inconclusive"),  # rises, but not above a constant step's order
        (losses(control=2.0), "inconclusive"),  # the control can't tell
        (losses().query("rule == 'reconstructed'"), "inconclusive"),
        (losses().query("replica < 3"), "inconclusive"),
        (losses().query("t < 1000"), "inconclusive"),  # γ²T = 10 and 90
        (losses().query("t < 0"), "inconclusive"),
    ],
)
def test_stretched_exponential(table, expected):
    assert verdict(gd.gd_is_stretched_exponential, table) == expected


def test_orders_of_a_power_and_of_a_stretched_exponential():
    table = pd.concat(
        [run("constant(1)", RUNS[0], -2.0 * np.log(T)), run("reconstructed", RUNS[0], -(T**0.4))]
    )
    power, stretched = gd.orders(table).to_dict("records")
    assert [power[name] for name in ("first", "second", "last")] == pytest.approx([2.0] * 3)
    assert stretched["last"] / stretched["second"] == pytest.approx(4**0.4, rel=0.01)
    assert stretched["stretch"] == pytest.approx(0.4, rel=0.01)
    assert stretched["length"] == pytest.approx(1000.0)


def horizons(
    factor: float = 1.0, *, runs: tuple = range(len(RUNS)), dip: float = 1.0, tuned: float = 1.0
) -> pd.DataFrame:
    """The schedule at `factor` times the law on `runs`, `dip` times at t = 1000, and tuned steps.

    Tuned steps have −ln L = `tuned` · ln(1 + γ⁴ T t).
    """
    parts = []
    for index, place in enumerate(RUNS):
        own = law(place[1]) * (factor if index in runs else 1.0)
        parts.append(run("reconstructed", place, np.where(T == 1000, dip * own, own)))
        parts += [
            run(f"horizon_tuned({T_h})", place, -tuned * np.log1p(place[1] ** 4 * T_h * T))
            for T_h in (1000, 10000)
        ]
    return pd.concat(parts)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (horizons(), "reproduced"),
        (horizons(0.78), "reproduced"),
        (horizons(0.72, runs=(8,)), "inconclusive"),
        (horizons(dip=0.7), "inconclusive"),  # behind at one time only
        (horizons(0.45, runs=(3,)), "contradicted"),
        (horizons(tuned=4.0), "contradicted"),  # tuned steps that do not fall behind
        (horizons().assign(increases=1), "inconclusive"),
        (horizons().query("rule != 'horizon_tuned(1000)'"), "inconclusive"),
        (horizons().query("replica < 3"), "inconclusive"),
        (horizons().query("t < 0"), "inconclusive"),
    ],
)
def test_anytime(table, expected):
    assert verdict(gd.gd_schedule_is_anytime, table) == expected


def test_leads_over_tuned_steps_are_told():
    gains = gd.gains_on_tuned(horizons())
    assert len(gains) == 2 * len(RUNS)
    row = gains[(gains["horizon"] == 1000) & (gains["gamma"] == 0.1)].iloc[0]
    for t, name in ((1000, "at"), (10000, "after")):
        lead = theory.decay(0.1, t) - np.log1p(0.1**4 * 1000 * t)
        assert row[name] == pytest.approx(lead)


def passages(**ratios: tuple[float, float]) -> pd.DataFrame:
    """Speedups (iterations, work) of each rule, equal everywhere, at targets −2, −4 and −10.

    The schedule reaches −10 at γ = .3 only.
    """
    ratios = {"reconstructed": (1.0, 1.0), **ratios}
    rows = [
        {"rule": rule, "data": "random", "gamma": gamma, "target": target}
        | {"speedup": ratio, "work_speedup": work, "sets": 8, "last": 1000}
        | {"reached": 8 if gamma == 0.3 or target > -10 or rule != "reconstructed" else 7}
        for rule, (ratio, work) in ratios.items()
        for gamma in (0.1, 0.3)
        for target in (-2.0, -4.0, -10.0)
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (passages(armijo=(30.0, 11.0)), "reproduced"),
        (passages(armijo=(30.0, 11.0), loss_normalized=(0.5, 0.5)), "reproduced"),
        (passages(armijo=(30.0, 9.0)), "inconclusive"),  # not in work
        (passages(armijo=(30.0, np.nan)), "inconclusive"),
        (passages(**{"large_adaptive(3)": (0.9, 0.9)}), "contradicted"),
        (passages(gradient_normalized=(30.0, 30.0)), "inconclusive"),  # does not see the loss
        (passages(armijo=(30.0, 11.0)).query("target > -4"), "inconclusive"),
        (passages(armijo=(30.0, 11.0)).query("target < -4"), "inconclusive"),  # none at γ = .1
        (passages(armijo=(30.0, 11.0)).query("target > 0"), "inconclusive"),
    ],
)
def test_loss_adaptive_rules(table, expected):
    assert verdict(gd.loss_adaptive_rules_are_faster, table) == expected


def test_the_deepest_common_target_decides():
    table = passages(armijo=(30.0, 11.0))
    table.loc[table["target"] == -4, "speedup"] *= np.where(table["gamma"] == 0.1, 2.0, 0.1)[
        table["target"] == -4
    ]
    found = gd.loss_adaptive_rules_are_faster.judge({"first_passages_estimates": table})
    assert "armijo 30 to 60 (work 11 to 11)" in found.measured


def test_speedups_of_rules_that_do_not_see_the_loss_are_told_apart():
    table = passages(armijo=(30.0, 11.0), **{"constant(9)": (7.0, 7.0)})
    found = gd.loss_adaptive_rules_are_faster.judge({"first_passages_estimates": table})
    assert "get there: constant(9) 7 to 7" in found.measured
    assert "reconstructed" not in found.measured
