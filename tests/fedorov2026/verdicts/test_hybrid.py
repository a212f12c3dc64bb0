"""The rule about the hybrid threshold, on estimates whose answer is known."""

import pandas as pd
import pytest

from deeplimits.fedorov2026.verdicts.hybrid import hybrid_threshold

RATIOS = (0.5, 0.9, 1.1, 2.0)


def exponents(betas=(0.5, 1.0), ratios=RATIOS, *, error=0.02, off=0.0, at_step=0.0):
    """Slopes 1 − r, r − 1; `off` moves the first, extrapolated, `at_step` the second, in errors."""
    rows = []
    for beta in betas:
        for ratio in ratios:
            for end, limit in (("antipodal", 1 - ratio), ("consensus", ratio - 1)):
                for step in (0.0, 0.02, 0.04):
                    exact = limit + step
                    z = {0: off, 1: at_step}.get(len(rows), 0.0)
                    row = {"beta": beta, "ratio": ratio, "end": end, "step": step, "exact": exact}
                    row |= {"limit": limit, "slope": exact + z * error, "slope_se": error}
                    rows.append({**row, "replicas": 100})
    return pd.DataFrame(rows)


def outcomes(betas=(0.5, 1.0), shares=(0.5, 0.8, 0.97), *, astray=0.0, last=32.0, half=0.03):
    """The predicted end's share at T/4, T/2, T, intervals ± `half`; `astray` at the other end."""
    rows = []
    for beta in betas:
        for ratio in RATIOS:
            for part, share in zip((0.25, 0.5, 1.0), shares, strict=True):
                ends = {"antipodal": share, "consensus": astray}
                if ratio < 1:
                    ends = {"antipodal": astray, "consensus": share}
                ends["undecided"] = 1 - share - astray
                run = {"beta": beta, "ratio": ratio, "clock": last * part, "dt": 0.01}
                rows += [
                    {**run, "outcome": name, "share": s, "low": s - half, "high": s + half}
                    for name, s in ends.items()
                ]
    return pd.DataFrame(rows).assign(replicas=100)


def judge(shares: pd.DataFrame, slopes: pd.DataFrame):
    frames = {"hybrid_estimates": shares, "hybrid_exponent_estimates": slopes}
    return hybrid_threshold.judge(frames)


@pytest.mark.parametrize(
    ("shares", "slopes", "expected"),
    [
        ({}, {}, "reproduced"),
        ({}, {"off": 3.0, "at_step": 3.0}, "reproduced"),
        ({}, {"off": 4.5}, "contradicted"),
        ({}, {"at_step": -4.5}, "contradicted"),
        ({}, {"error": 0.04}, "inconclusive"),  # signs at r = .9 and 1.1 not resolved
        ({}, {"betas": (1.0,)}, "inconclusive"),
        ({}, {"ratios": (0.5, 0.9)}, "inconclusive"),
        ({"shares": (0.97, 0.97, 0.97)}, {}, "reproduced"),  # settled
        ({"shares": (0.9, 0.9, 0.9)}, {}, "inconclusive"),  # no trend
        ({"shares": (0.4, 0.6, 0.77)}, {}, "inconclusive"),
        ({"shares": (0.1, 0.2, 0.3)}, {}, "contradicted"),
        ({"astray": 0.08}, {}, "inconclusive"),
        ({"last": 12.0}, {}, "inconclusive"),  # too short for all but r = 2
        ({"last": 4.0, "shares": (0.1, 0.2, 0.3)}, {}, "inconclusive"),  # and for all
        ({"betas": (1.0,)}, {}, "inconclusive"),
    ],
)
def test_answers(shares, slopes, expected):
    assert judge(outcomes(**shares), exponents(**slopes)).verdict == expected


def test_a_model_near_the_threshold_is_not_asked_for_its_outcome():
    """|r − 1|e^{−β}T = 3.2 at r = .9 and 1.1."""
    frame = outcomes()
    near = frame["ratio"].isin([0.9, 1.1])
    frame.loc[near, ["share", "low", "high"]] = 0.2
    assert judge(frame, exponents()).verdict == "reproduced"


def test_empty_tables_decide_nothing():
    assert judge(outcomes().head(0), exponents().head(0)).verdict == "inconclusive"
    steps = exponents()[lambda f: f["step"] > 0]
    assert judge(outcomes(), steps).verdict == "inconclusive"


def test_the_number_is_the_least_sign_in_errors():
    assert judge(outcomes(), exponents()).value == pytest.approx(0.1 / 0.02)
