"""The rules about SGD and real data, on estimates whose answer is known."""

import numpy as np
import pandas as pd
import pytest

from deeplimits.claims import Claim
from deeplimits.kale2026.verdicts import real_data, sgd

BALANCED = ["mirrored pair", "toy"]
RARE = ["1 in 20", "1 in 100"]


def row(data: str, *, share: float = 1.0, **changes) -> dict:
    """One set at the end: −ln L is `share` of y = 20 in every one of 32 runs."""
    one_in = int(data.removeprefix("1 in ")) if data in RARE else 0
    law, runs = 20.0, 32
    values = {"data": data, "one_in": one_in, "gamma": 0.1, "t": 1000, "runs": runs, "law": law}
    values |= {"median": -share * law, "low": -share * law - 0.1, "high": -share * law + 0.1}
    values |= {"reached": runs * (share >= 0.9), "behind": runs * (share < 0.5), "order": 5.0}
    return {**values, "contrast": 1.0, "contrast_se": 0.1, **changes}


def table(rule: str, sets: list[str], **changes) -> pd.DataFrame:
    """All sets at two times; `changes` are of the last set at the end."""
    rows = [row(name, **(changes if name == sets[-1] else {})) for name in sets]
    early = [{**one, "t": 100, "law": 5.0, "median": -5.0, "contrast": -1.0} for one in rows]
    return pd.DataFrame(early + rows).assign(rule=rule)


def verdict(claim: Claim, *parts: pd.DataFrame) -> str:
    return claim.judge({claim.tables[0]: pd.concat(parts, ignore_index=True)}).verdict


ANSWERS = [
    ({}, "reproduced"),
    ({"share": 0.91}, "reproduced"),
    ({"share": 0.89}, "inconclusive"),
    ({"reached": 29}, "inconclusive"),  # too few runs to exclude one failure in four
    ({"reached": 310, "runs": 320}, "reproduced"),
    ({"share": 0.49}, "contradicted"),
    ({"reached": 0, "behind": 20}, "inconclusive"),  # nor to exclude that half get there
    ({"reached": 0, "behind": 30}, "contradicted"),
    ({"contrast": 0.29}, "inconclusive"),
    ({"contrast": -0.29}, "inconclusive"),
    ({"contrast": -0.31}, "contradicted"),  # as a polynomial
    ({"law": 3.9, "contrast": -1.0}, "inconclusive"),  # too short to tell
]


@pytest.mark.parametrize(("changes", "expected"), ANSWERS)
@pytest.mark.parametrize(
    ("claim", "rule"),
    [
        (sgd.adaptive_sgd_is_stretched_exponential, sgd.ADAPTIVE),
        (sgd.plain_schedule_suffices_for_sgd, sgd.PLAIN),
    ],
)
def test_every_set_counts(claim, rule, changes, expected):
    assert verdict(claim, table(rule, BALANCED + RARE, **changes)) == expected


@pytest.mark.parametrize("sets", [BALANCED, RARE])
def test_both_kinds_of_sets_are_needed(sets):
    claim = sgd.adaptive_sgd_is_stretched_exponential
    assert verdict(claim, table(sgd.ADAPTIVE, sets)) == "inconclusive"


@pytest.mark.parametrize(
    "claim",
    [
        sgd.adaptive_sgd_is_stretched_exponential,
        sgd.plain_schedule_suffices_for_sgd,
        sgd.capped_sgd_fails_on_rare_points,
    ],
)
def test_nothing_is_found_without_runs(claim):
    assert verdict(claim, table("constant(1)", BALANCED + RARE)) == "inconclusive"


def test_finding_names_every_set_and_the_baselines():
    tables = pd.concat(
        [table(sgd.ADAPTIVE, BALANCED + RARE, share=0.95), table("constant(1)", RARE, share=0.4)]
    )
    found = sgd.adaptive_sgd_is_stretched_exponential.judge({"sgd_losses_estimates": tables})
    assert all(f"{name}: reproduced" in found.measured for name in BALANCED + RARE)
    assert "constant(1) ends at ln L from -20.00 to -8.00" in found.measured
    assert found.value == pytest.approx(0.95)


STALLED = {"share": 0.1, "contrast": -1.0}


@pytest.mark.parametrize(
    ("capped", "plain", "expected"),
    [
        (STALLED, {}, "reproduced"),
        ({"share": 0.4}, {}, "reproduced"),
        (STALLED, {"contrast": 0.0, "share": 1.2}, "reproduced"),
        (STALLED, {"reached": 28}, "inconclusive"),
        ({}, {}, "contradicted"),
        ({"share": 0.8}, {}, "inconclusive"),
        (STALLED, STALLED, "inconclusive"),  # then the cap is not to blame
    ],
)
def test_cap(capped, plain, expected):
    tables = [table(sgd.CAPPED, BALANCED + RARE, **capped)]
    tables.append(table(sgd.PLAIN, BALANCED + RARE, **plain))
    assert verdict(sgd.capped_sgd_fails_on_rare_points, *tables) == expected


def test_cap_that_fails_everywhere_is_another_matter():
    everywhere = table(sgd.CAPPED, BALANCED + RARE, **STALLED)
    everywhere.loc[everywhere["data"] == "toy", ["reached", "behind"]] = [0, 32]
    tables = [everywhere, table(sgd.PLAIN, BALANCED + RARE)]
    assert verdict(sgd.capped_sgd_fails_on_rare_points, *tables) == "inconclusive"


def images(algorithm: str, rule: str, pairs: int = 2, **changes) -> pd.DataFrame:
    """Pairs of classes; `changes` are of the last."""
    rows = []
    for k in range(pairs):
        place = {"dataset": "digits", "positive": k, "negative": 9, "algorithm": algorithm}
        one = row("toy", **(changes if k == pairs - 1 else {}))
        rows.append({**one, **place, "rule": rule, "n": 300, "increases": 0})
    return pd.DataFrame(rows).drop(columns=["data", "one_in"])


@pytest.mark.parametrize(("changes", "expected"), ANSWERS)
def test_sgd_on_images(changes, expected):
    found = verdict(real_data.adaptive_sgd_on_images, images("sgd", sgd.ADAPTIVE, **changes))
    assert found == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "reproduced"),
        ({"reached": 0}, "inconclusive"),
        ({"reached": 0, "behind": 1}, "contradicted"),
        ({"contrast": -0.01}, "contradicted"),
        ({"law": 3.9, "contrast": -0.01}, "inconclusive"),
        ({"law": 3.9}, "inconclusive"),
    ],
)
def test_gd_on_images(changes, expected):
    changes = {"runs": 1, "reached": 1, "behind": 0, "contrast_se": np.nan, **changes}
    assert (
        verdict(real_data.growing_steps_on_images, images("gd", sgd.PLAIN, **changes)) == expected
    )


def test_gd_on_images_must_not_raise_the_loss():
    rows = images("gd", sgd.PLAIN, runs=1).assign(increases=[0, 1])
    assert verdict(real_data.growing_steps_on_images, rows) == "contradicted"


@pytest.mark.parametrize(
    "claim", [real_data.growing_steps_on_images, real_data.adaptive_sgd_on_images]
)
def test_one_pair_or_none_is_too_few(claim):
    parts = images("gd", sgd.PLAIN, pairs=1), images("sgd", sgd.ADAPTIVE, pairs=1)
    assert verdict(claim, *parts) == "inconclusive"
    assert verdict(claim, images("gd", "constant(1)")) == "inconclusive"
