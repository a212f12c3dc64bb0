"""The rules about stable steps, on estimates whose answer is known."""

import pandas as pd
import pytest

from deeplimits.claims import Claim
from deeplimits.kale2026.verdicts import stability

CALM = {"increases": 0, "largest_increase": 0.0, "largest_step_loss": 0.8, "edge": 0.3}
WILD = {"increases": 9, "largest_increase": 3.0, "largest_step_loss": 90.0, "edge": 9.0}
KINDS = ("toy", "random", "1 in 20", "1 in 100")


def verdict(claim: Claim, *frames: pd.DataFrame) -> str:
    return claim.judge(dict(zip(claim.tables, frames, strict=True))).verdict


def rules(*, ours: dict | None = None, other: dict | None = None, kinds=KINDS, t: int = 20_000):
    """Our rule, calm but for the changes `ours` on the last kind, and a wild one beside it."""
    rows = []
    for kind in kinds:
        changes = ours if kind == kinds[-1] and ours else {}
        place = {"data": kind, "gamma": 0.1, "t": t}
        rows.append({**place, "rule": "reconstructed", **CALM, **changes})
        changes = other if kind == kinds[-1] and other else {}
        rows.append({**place, "rule": "constant(100)", **WILD, **changes})
    return pd.DataFrame(rows)


def sizes(*, t: int = 50_000, **changes) -> pd.DataFrame:
    """Calm runs of our rule over three margins and sizes; `changes` are of all."""
    rows = [
        {"n": n, "data": kind, "gamma": gamma, "t": t, **CALM, **changes}
        for n in (10, 100, 1000)
        for kind in ("random", f"1 in {n}")
        for gamma in (0.05, 0.1, 0.3)
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({}, {}, "reproduced"),
        ({"ours": {"largest_step_loss": 1.99}}, {}, "reproduced"),
        ({"ours": {"largest_step_loss": 2.01}}, {}, "inconclusive"),
        ({"ours": {"increases": 1}}, {}, "contradicted"),
        ({"ours": {"edge": 2.01}}, {}, "contradicted"),
        ({}, {"increases": 1}, "contradicted"),
        ({}, {"largest_step_loss": 2.01}, "inconclusive"),
        # A control that is not seen to be unstable by both measures leaves the rule blind.
        ({"other": {"increases": 0}}, {}, "inconclusive"),
        ({"other": {"edge": 1.9}}, {}, "inconclusive"),
        ({"kinds": KINDS[1:]}, {}, "inconclusive"),
        ({"kinds": KINDS[:3]}, {}, "inconclusive"),
        ({"t": 9_999}, {}, "inconclusive"),
        ({}, {"t": 9_999}, "inconclusive"),
        ({}, {"gamma": 0.1}, "inconclusive"),
        ({}, {"n": 10}, "inconclusive"),
        ({}, {"data": "random"}, "inconclusive"),
    ],
)
def test_stable_regime(first, second, expected):
    claim = stability.stays_in_the_stable_regime
    assert verdict(claim, rules(**first), sizes(**second)) == expected


def test_a_rule_that_is_missing_decides_nothing():
    table = rules()
    claim = stability.stays_in_the_stable_regime
    others = table[table["rule"] != "reconstructed"]
    assert verdict(claim, others, sizes()) == "inconclusive"
    assert verdict(claim, table[table["rule"] == "reconstructed"], sizes()) == "inconclusive"


FACTORS = (0.1, 0.333, 0.5, 1.0, 2.0, 3.0, 10.0)


def told(changes: dict | None = None, *, at: float = 3.0, factors=FACTORS, t: int = 20_000):
    """−ln L = 10 γ̂/γ at T; factor 10 oscillates before T/10. `changes` at T, at one factor."""
    rows = []
    for factor in factors:
        for kind in KINDS:
            rough = WILD if factor == 10.0 else CALM
            here = changes if changes and factor == at and kind == KINDS[-1] else {}
            place = {"factor": factor, "data": kind, "gamma": 0.1}
            early = {**CALM, "increases": rough["increases"]}
            rows.append({**place, "t": 10, **CALM, "decay_low": 1.0})
            rows.append({**place, "t": t // 20, **early, "decay_low": 2.0})
            rows.append({**place, "t": t, **rough, "decay_low": 10 * factor, **here})
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (told(), "reproduced"),
        (told({"largest_step_loss": 2.1}), "inconclusive"),
        (told({"largest_step_loss": 2.1}, at=10.0), "reproduced"),
        (told({"increases": 1}), "contradicted"),
        (told({"increases": 1}, at=0.1), "contradicted"),
        (told({"increases": 10}, at=10.0), "inconclusive"),  # it still rises after T/10
        (told({"decay_low": 9.9}, at=10.0), "contradicted"),  # slower than with the true margin
        (told({"decay_low": 29.0}, at=10.0), "inconclusive"),  # slower than with 3 γ
        (told(factors=FACTORS[1:]), "inconclusive"),
        (told(factors=FACTORS[:-1]), "inconclusive"),
        (told(factors=(*FACTORS[:5], 10.0)), "inconclusive"),
        (told(t=9_000), "inconclusive"),
    ],
)
def test_wrong_margin(table, expected):
    assert verdict(stability.wrong_margin_is_forgiven, table) == expected


def test_when_the_loss_rose_is_reported():
    found = stability.wrong_margin_is_forgiven.judge({"misspecified_margin_estimates": told()})
    assert "γ̂/γ = 10: 9 increases" in found.measured
    assert "(at t from 1000 to 1000)" in found.measured
