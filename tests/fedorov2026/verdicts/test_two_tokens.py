"""The rules about two tokens, on frequencies whose answer is known."""

import numpy as np
import pandas as pd
import pytest
from scipy import special

from deeplimits.fedorov2026 import frequencies, theory
from deeplimits.fedorov2026.verdicts import two_tokens

DIMENSIONS = (4, 5, 6, 8, 16)


def table(models, *, replicas=4000, t=200.0, layers=(250, 500, 1000), **columns) -> pd.DataFrame:
    """Estimates of models (d, β, ρ₀, ε) whose counts are given by functions of the exact p."""
    rows = []
    for d, beta, rho0, epsilon in models:
        p = float(theory.antipodal_probability(beta, d, rho0))
        for layer, between in zip(layers, (400, 40, 4), strict=True):
            row = {"d": d, "beta": beta, "rho0": rho0, "epsilon": epsilon, "layer": layer}
            row |= {"t": t * layer / layers[-1], "replicas": replicas, "undecided": 0}
            row |= {"antipodal": round(p * replicas), "between": between}
            row["opposite"] = row["antipodal"]
            rows.append(row | {k: f(p, row) for k, f in columns.items()})
    return frequencies.rows(pd.DataFrame(rows))


def above(epsilon=0.05, rho0=-0.9):
    return [(d, theory.critical_beta(d) + 0.5, rho0, epsilon) for d in DIMENSIONS]


def below(epsilon=0.05):
    return [(d, theory.critical_beta(d) - 0.4, -0.9, epsilon) for d in DIMENSIONS]


RARE = [(16, theory.critical_beta(16) + 0.3, 0.0, 0.05)]
EMPTY = table(above()).head(0)


def verdict(claim, *frames) -> str:
    return claim.judge(dict(zip(claim.tables, frames, strict=True))).verdict


def shifted(odds: float, errors: float = 0.0, undecided: float = 0.0):
    """Counts at the log odds of p plus `odds`·ε/|exponent| plus `errors` standard errors.

    A share `undecided` of the antipodal runs is not decided.
    """

    def runs(p, row):
        exponent = theory.exponent_antipodal(row["beta"], row["d"])
        q = special.expit(special.logit(p) + odds * row["epsilon"] / abs(exponent))
        return q * row["replicas"] + errors * np.sqrt(row["replicas"] * q * (1 - q))

    return {
        "antipodal": lambda p, row: int(runs(p, row) * (1 - undecided)),
        "undecided": lambda p, row: int(runs(p, row) * undecided),
    }


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        (shifted(0.0), "reproduced"),
        (shifted(-0.7), "reproduced"),  # the bias that was seen
        (shifted(-1.0, -2.0), "reproduced"),
        (shifted(-1.0, -6.0), "contradicted"),
        (shifted(1.0, 6.0), "contradicted"),
        (shifted(-4.0), "contradicted"),
        (shifted(0.0, undecided=0.02), "reproduced"),
        (shifted(0.0, undecided=0.5), "inconclusive"),  # agrees, but says little
        (shifted(0.0, 12.0, undecided=0.05), "contradicted"),
    ],
)
def test_probability(counts, expected):
    found = verdict(
        two_tokens.antipodal_probability_is_exact,
        table(above() + RARE, **counts),
        table(above(0.1), **counts),
    )
    assert found == expected


def test_one_wrong_model_contradicts():
    counts = shifted(0.0)
    wrong = table(above()[:1], **shifted(1.0, 6.0))
    rest = table(above()[1:] + RARE, **counts)
    rows = pd.concat([wrong, rest])
    assert verdict(two_tokens.antipodal_probability_is_exact, rows, EMPTY) == "contradicted"


@pytest.mark.parametrize(
    "frame",
    [
        EMPTY,
        table(above() + RARE, replicas=40),  # too few runs
        table(above(0.5) + RARE),  # too coarse a step
        table(above() + RARE, t=10.0),  # too short
        table(above(rho0=-0.9)),  # no small p
        table(above(rho0=0.9) + RARE),  # no large p
        table(below()),
    ],
)
def test_probability_needs_precise_and_wide_data(frame):
    assert verdict(two_tokens.antipodal_probability_is_exact, frame, EMPTY) == "inconclusive"


def opposite(share_above: float, share_below: float):
    """Shares near −1 at T on the two sides."""
    return {
        "opposite": lambda p, row: int((share_above if p > 0 else share_below) * row["replicas"])
    }


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        (opposite(0.3, 0.0), "reproduced"),
        (opposite(0.04, 0.01), "reproduced"),
        (opposite(0.022, 0.0), "inconclusive"),
        (opposite(0.3, 0.019), "inconclusive"),
        (opposite(0.3, 0.03), "contradicted"),
        (opposite(0.01, 0.0), "contradicted"),
        (opposite(0.0, 0.3), "contradicted"),
    ],
)
def test_threshold(shares, expected):
    frame = table(above() + below(), **shares)
    assert verdict(two_tokens.threshold_of_antipodes, frame, frame) == expected


@pytest.mark.parametrize(
    "frame",
    [
        EMPTY,
        table(above()),
        table(below()),
        table((above() + below())[1:]),  # four dimensions with both sides
        table(above() + below(), replicas=40, **opposite(0.2, 0.0)),
        table(above() + below(), t=10.0),
        table(RARE + below()),  # p = .02: may not show
    ],
)
def test_threshold_needs_both_sides(frame):
    assert verdict(two_tokens.threshold_of_antipodes, frame, EMPTY) == "inconclusive"


def test_threshold_looks_at_one_start_only():
    """From ρ₀ = 0 few runs are opposite, which says nothing."""
    frame = table(above() + below(), **opposite(0.3, 0.0))
    others = table(above(rho0=0.0), **opposite(0.001, 0.0))
    found = verdict(two_tokens.threshold_of_antipodes, pd.concat([frame, others]), EMPTY)
    assert found == "reproduced"


def test_threshold_tells_the_bracket():
    frame = table(above() + below(), **opposite(0.3, 0.0))
    claim = two_tokens.threshold_of_antipodes
    found = claim.judge(dict(zip(claim.tables, (frame, EMPTY), strict=True)))
    assert "d=8 0.838944–1.73894 (1.24)" in found.measured


def between(*counts: tuple[int, int, int]):
    """Counts between the ends of the models in turn (the last repeats), at the three depths."""
    rows = iter([count for model in counts for count in model])
    last = counts[-1]

    def at(_, row):
        return next(rows, last[{250: 0, 500: 1, 1000: 2}[row["layer"]]])

    return {"between": at}


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([(400, 40, 4)], "reproduced"),
        ([(400, 40, 0)], "reproduced"),
        ([(400, 40, 70), (400, 40, 4)], "inconclusive"),  # one rises, not beyond doubt
        ([(400, 40, 120), (400, 40, 4)], "contradicted"),
        ([(400, 350, 300)], "contradicted"),  # hardly falls
        ([(400, 200, 100)], "inconclusive"),  # 2.5% left
        ([(400, 40, 100), (400, 40, 4)], "contradicted"),
        ([(8, 7, 3)], "inconclusive"),  # the first fall is not resolved
        ([(9, 4, 9), (400, 40, 4)], "inconclusive"),  # a model where it does not fall
    ],
)
def test_ends(counts, expected):
    frame = table(above() + below(), **between(*counts))
    assert verdict(two_tokens.two_tokens_end_at_plus_or_minus_one, frame) == expected


def test_ends_need_three_long_depths():
    claim = two_tokens.two_tokens_end_at_plus_or_minus_one
    frame = table(above())
    assert verdict(claim, EMPTY) == "inconclusive"
    assert verdict(claim, frame[frame["layer"] > 250]) == "inconclusive"
    assert verdict(claim, table(above(), t=10.0)) == "inconclusive"


def test_curves_do_not_count():
    """Rows of theory alone change no verdict and no number."""
    frame = table(above() + below())
    curves = frequencies.theory_rows(frame[["d", "beta", "rho0"]].drop_duplicates())
    for claim in (
        two_tokens.antipodal_probability_is_exact,
        two_tokens.threshold_of_antipodes,
        two_tokens.two_tokens_end_at_plus_or_minus_one,
    ):
        plain, more = (
            claim.judge(dict.fromkeys(claim.tables, rows))
            for rows in (frame, pd.concat([frame, curves]))
        )
        assert plain == more
