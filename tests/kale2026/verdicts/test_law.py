"""The rules about the law, on estimates whose answer is known."""

import pandas as pd
import pytest

from deeplimits.claims import Claim
from deeplimits.kale2026 import theory
from deeplimits.kale2026.verdicts import law

T = 50_000
SIZES = (10, 100, 1000)
MARGINS = (0.05, 0.1, 0.3)  # γ²T = 125, 500, 4500
WORST = ("random", 100, 0.1)


def verdict(claim: Claim, table: pd.DataFrame) -> str:
    return claim.judge({claim.tables[0]: table}).verdict


def curves(*, now: float = 0.01, then: float = 0.02, exponent: bool = False, **changes):
    """Runs off the law by .01 at T and .02 at T/10; `now` and `then` are of the set `WORST`.

    The exponents are off their formula instead if asked.
    """
    rows = []
    for kind in ("random", "unbalanced"):
        for n in SIZES:
            for gamma in MARGINS:
                for t in (T // 10, T):
                    worst = (kind, n, gamma) == WORST
                    off = (now if worst else 0.01) if t == T else (then if worst else 0.02)
                    y = float(theory.decay(gamma, t))
                    formula = float(theory.decay_exponent(y))
                    ratio = 1.0 if exponent else 1 + off
                    slope = formula + (off if exponent else 0.0)
                    row = {"data": kind, "n": n, "gamma": gamma, "t": t, "clock": gamma**2 * t}
                    row |= {"law": y, "exponent_law": formula, "sets": 3}
                    for name, value in (("ratio", ratio), ("exponent", slope)):
                        row |= {name: value, f"{name}_low": value, f"{name}_high": value}
                        row[f"{name}_se"] = 0.001
                    rows.append(row | changes)
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "reproduced"),
        ({"now": 0.049, "then": 0.06}, "reproduced"),
        ({"now": -0.049, "then": 0.06}, "reproduced"),
        ({"now": 0.051, "then": 0.3}, "inconclusive"),
        ({"now": 0.03, "then": 0.03}, "inconclusive"),  # it does not come closer
        ({"now": 0.004, "then": 0.003}, "reproduced"),  # it is there
        ({"now": 0.2, "then": 0.3}, "inconclusive"),
        ({"now": 0.2, "then": 0.2}, "contradicted"),
        ({"now": -0.11, "then": 0.0}, "contradicted"),
        ({"clock": 99.0}, "inconclusive"),
    ],
)
def test_value(changes, expected):
    assert verdict(law.loss_follows_the_law, curves(**changes)) == expected


@pytest.mark.parametrize(
    "part", ["data == 'random'", "data != 'random'", "n < 1000", "gamma > 0.05"]
)
def test_value_on_too_few_sets(part):
    assert verdict(law.loss_follows_the_law, curves().query(part)) == "inconclusive"


def test_one_set_outside_is_enough():
    # The mean is within 5% of 1, one of the sets is not.
    table = curves()
    table.loc[(table["t"] == T) & (table["n"] == 10), "ratio_low"] = 0.94
    assert verdict(law.loss_follows_the_law, table) == "inconclusive"


def test_the_worst_set_is_reported():
    found = law.loss_follows_the_law.judge({"stretched_estimates": curves(now=0.04, then=0.06)})
    assert (found.value, found.error) == (pytest.approx(1.04), 0.001)
    assert "n = 100, random, γ = 0.1" in found.measured


def test_short_runs_are_not_compared():
    # γ²T = 20 is too short to follow the law; how far it is off must not matter.
    short = curves(ratio_low=2.0, ratio_high=2.0, exponent_low=2.0, exponent_high=2.0)
    short = short.assign(gamma=0.02, clock=4e-4 * short["t"])
    table = pd.concat([curves(), short], ignore_index=True)
    assert verdict(law.loss_follows_the_law, table) == "reproduced"
    assert verdict(law.exponent_tends_to_a_third, table) == "reproduced"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "reproduced"),
        ({"now": 0.029, "then": 0.06}, "reproduced"),
        ({"now": 0.031, "then": 0.06}, "inconclusive"),
        ({"now": -0.0305, "then": -0.06}, "inconclusive"),
        ({"now": -0.029, "then": -0.035}, "inconclusive"),  # 1/3 was closer at T/10
        ({"now": 0.2, "then": 0.1}, "contradicted"),
        ({"exponent_low": 1.0, "exponent_high": 1.0}, "contradicted"),  # an exponential
        ({"clock": 399.0}, "inconclusive"),
    ],
)
def test_exponent(changes, expected):
    table = curves(exponent=True, **changes)
    assert verdict(law.exponent_tends_to_a_third, table) == expected


@pytest.mark.parametrize(
    "part", ["data == 'random'", "data != 'random'", "n < 1000", "gamma < 0.3"]
)
def test_exponent_on_too_few_sets(part):
    assert verdict(law.exponent_tends_to_a_third, curves().query(part)) == "inconclusive"


def told(*, now: float = 0.01, then: float = 0.02, factors=(0.5, 1.0, 2.0, 3.0, 10.0), **changes):
    """Runs told a wrong margin, off their law by .01 at T; `now` and `then` are of factor 2."""
    rows = []
    for factor in factors:
        for kind in ("random", "1 in 20", "1 in 100", "toy"):
            for t in (T // 10, T):
                worst = factor == 2.0 and kind == "1 in 20"
                off = (now if worst else 0.01) if t == T else (then if worst else 0.02)
                y = float(theory.decay_told(0.1, 0.1 * factor, t))
                row = {"factor": factor, "data": kind, "gamma": 0.1, "t": t, "law": y}
                names = ("decay", "decay_low", "decay_high")
                rows.append(row | dict.fromkeys(names, (1 + off) * y) | changes)
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "reproduced"),
        ({"now": -0.049, "then": 0.06}, "reproduced"),
        ({"now": 0.051, "then": 0.06}, "inconclusive"),
        ({"now": 0.02, "then": 0.02}, "inconclusive"),
        ({"now": 0.11, "then": 0.11}, "contradicted"),
        ({"factors": (1.0, 2.0, 3.0, 10.0)}, "inconclusive"),  # none too small
        ({"factors": (0.5, 1.0, 2.0, 10.0)}, "inconclusive"),
        ({"factors": (0.5, 1.0, 2.0, 3.0, 5.0)}, "inconclusive"),
        ({"law": 6.9}, "inconclusive"),
    ],
)
def test_wrong_margin(changes, expected):
    assert verdict(law.wrong_margin_shifts_the_law, told(**changes)) == expected


@pytest.mark.parametrize("part", ["data != 'random'", "data != '1 in 20'"])
def test_wrong_margin_on_too_few_sets(part):
    assert verdict(law.wrong_margin_shifts_the_law, told().query(part)) == "inconclusive"


@pytest.mark.parametrize(
    "claim",
    [
        law.loss_follows_the_law,
        law.exponent_tends_to_a_third,
    ],
)
def test_nothing_long_enough(claim):
    short = curves(clock=1.0)
    found = claim.judge({claim.tables[0]: short})
    assert found.verdict == "inconclusive"
    assert found.value is None
