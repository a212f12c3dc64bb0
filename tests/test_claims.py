"""Declaring claims."""

from typing import get_args

import pandas as pd

from deeplimits import claims
from deeplimits.claims import Claim, Finding, claim


@claim(
    statement="s",
    reported="r",
    rule="by its size",
    origin="ours",
    scale="ours",
    setting="T = 5",
    tables=("second", "first"),
)
def is_large(second: pd.DataFrame, first: pd.DataFrame) -> Finding:
    """Tell the tables apart."""
    return Finding("reproduced", f"{second['x'].sum()} of {first['x'].sum()}", "here", 1.0, 0.5)


def test_the_claim_is_named_by_its_function() -> None:
    assert isinstance(is_large, Claim)
    assert is_large.name == "is_large"
    assert (is_large.statement, is_large.reported, is_large.rule) == ("s", "r", "by its size")
    assert (is_large.scale, is_large.setting) == ("ours", "T = 5")


def test_the_rule_gets_its_tables_in_their_order() -> None:
    frames = {
        "first": pd.DataFrame({"x": [1]}),
        "second": pd.DataFrame({"x": [2]}),
        "third": pd.DataFrame(),
    }
    finding = is_large.judge(frames)
    assert finding == Finding("reproduced", "2 of 1", "here", 1.0, 0.5)


def test_verdicts_and_scales_are_the_stated_ones() -> None:
    assert get_args(claims.Verdict) == ("reproduced", "contradicted", "inconclusive")
    assert get_args(claims.Scale) == ("paper", "reduced", "stress", "ours")


def test_only_the_number_may_be_missing() -> None:
    nullable = [column.name for column in claims.COLUMNS if column.nullable]
    assert nullable == ["value", "error"]
    assert set(claims.KEY) <= {column.name for column in claims.COLUMNS}
