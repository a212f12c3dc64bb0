"""The paper's claims as a whole: every one declared, documented, and fed with tables it names."""

import pytest

from deeplimits.agazzi2026 import claims

SCALES = {"paper", "ours"}


def test_names_are_unique():
    names = [claim.name for claim in claims.CLAIMS]
    assert len(set(names)) == len(names)


def test_tables_are_exactly_those_that_claims_read():
    assert set(claims.TABLES) == {table for claim in claims.CLAIMS for table in claim.tables}


@pytest.mark.parametrize("claim", claims.CLAIMS, ids=lambda claim: claim.name)
def test_rule_says_what_would_contradict(claim):
    assert claim.scale in SCALES
    assert "contradicted" in claim.rule.lower()
