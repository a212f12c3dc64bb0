"""The joint verdict of a run and the stress run, case by case."""

from itertools import product
from typing import get_args

import pytest

from deeplimits import claims, stress
from deeplimits.claims import Verdict
from deeplimits.stress import Stressed

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
NAME = ("paper", "claim")
RULE = stress.rule_digest("a statement", "a rule")


def released(verdict: Verdict, rule: str = RULE) -> stress.Released:
    return {NAME: Stressed(rule, verdict, "measured there", "set there")}


@pytest.mark.parametrize(("here", "there"), list(product(VERDICTS, repeat=2)))
def test_runs_that_differ_conclude_nothing(here: Verdict, there: Verdict) -> None:
    found = stress.joint(here, NAME, RULE, "paper", released(there))
    assert found.verdict == (here if here == there else "inconclusive")
    assert found.stressed == released(there)[NAME]
    expected = f"{here} here and under stress" if here == there else f"{here} here, {there} under"
    assert found.reason.startswith(expected)


@pytest.mark.parametrize("here", VERDICTS)
@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (None, "no stress run is released"),
        ({}, "did not judge this claim"),
        ({("other", "claim"): released("contradicted")[NAME]}, "did not judge this claim"),
        ({("paper", "other"): released("contradicted")[NAME]}, "did not judge this claim"),
        (released("contradicted", stress.rule_digest("another", "a rule")), "another statement or"),
        (released("contradicted", stress.rule_digest("a statement", "another")), "by another rule"),
    ],
)
def test_without_a_stress_verdict_on_the_same_claim_the_verdict_here_stands(
    here: Verdict, run: stress.Released | None, reason: str
) -> None:
    found = stress.joint(here, NAME, RULE, "paper", run)
    assert (found.verdict, found.stressed) == (here, None)
    assert found.reason.startswith("not stressed: ")
    assert reason in found.reason


@pytest.mark.parametrize("here", VERDICTS)
@pytest.mark.parametrize("scale", ["reduced", "stress"])
@pytest.mark.parametrize("run", [None, released("reproduced"), released("contradicted")])
def test_at_other_scales_none_is_formed(
    here: Verdict, scale: str, run: stress.Released | None
) -> None:
    found = stress.joint(here, NAME, RULE, scale, run)
    assert (found.verdict, found.stressed) == (None, None)
    assert found.reason.startswith("not formed: ")


def test_a_statement_and_a_rule_do_not_run_together() -> None:
    assert stress.rule_digest("a", "b") == stress.rule_digest("a", "b")
    assert len({stress.rule_digest(*pair) for pair in (("a", "b"), ("ab", ""), ("", "ab"))}) == 3


def test_the_summary_holds_the_claims_as_they_were_judged() -> None:
    assert stress.COLUMNS[: len(claims.COLUMNS)] == claims.COLUMNS
    nullable = [column.name for column in stress.BESIDE if column.nullable]
    assert nullable == ["stress_verdict", "stress_measured", "stress_setting", "joint_verdict"]
