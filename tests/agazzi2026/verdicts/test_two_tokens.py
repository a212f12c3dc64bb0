"""The rules about two tokens, on estimates whose answer is known."""

import numpy as np
import pandas as pd
import pytest

from deeplimits.agazzi2026.verdicts import two_tokens
from deeplimits.claims import Claim

MODELS = [("relu", 5, 0.0), ("relu", 64, 0.1), ("silu", 5, 0.0), ("swish(5)", 128, 0.0)]


def axes(activation: str, d: int, sigma: float) -> dict:
    return {"activation": activation, "d": d, "sigma_u": sigma, "sigma_w": sigma}


def verdict(claim: Claim, *frames: pd.DataFrame) -> str:
    return claim.judge(dict(zip(claim.tables, frames, strict=True))).verdict


def slopes(*, error: float = 0.01, at_steps: float = 0.0, at_limit: float = 0.0, **changes):
    """Slopes −(1 − ε) with errors; `at_steps` and `at_limit` move the first model's, in errors."""
    rows = []
    for model in MODELS:
        for epsilon in (0.0, 0.1, 0.2, 0.4):
            exact = epsilon - 1.0
            off = (at_steps if epsilon else at_limit) if model == MODELS[0] else 0.0
            row = {"epsilon": epsilon, "exact": exact, "limit": -1.0, "replicas": 100}
            row |= {"slope": exact + off * error, "slope_se": error, "drift": 0.0, "drift_se": 1.0}
            rows.append({**axes(*model), **row, **changes})
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "reproduced"),
        ({"at_steps": 2.5, "at_limit": 2.5}, "reproduced"),
        ({"at_steps": 4.0}, "contradicted"),
        ({"at_limit": -4.0}, "contradicted"),
        ({"drift": 4.0}, "inconclusive"),
        ({"error": 0.06}, "inconclusive"),  # the steps are not told apart
        ({"exact": -1.0, "slope": -1.0}, "inconclusive"),  # nothing changes with the step
        ({"slope_se": 0.25, "error": 0.0}, "inconclusive"),
    ],
)
def test_slopes(changes, expected):
    assert verdict(two_tokens.slope_is_twice_lambda1, slopes(**changes)) == expected


def test_mean_ratio_is_reported_with_its_error():
    found = two_tokens.slope_is_twice_lambda1.judge({"ext_lyapunov_estimates": slopes()})
    assert (found.value, found.error) == (pytest.approx(1.0), pytest.approx(0.01 / np.sqrt(4)))


def moments(*, off: float = 0.0, relative: float = 0.02, bias: float = 0.5):
    """Means e^{−t}; `off` moves one extrapolated point of the first model, in errors."""
    rows = []
    for model in MODELS[:3]:
        for t in (1.0, 2.0, 3.0, 4.0):
            for dt in (0.0, 0.1, 0.2):
                z = off if (t, dt, model) == (2.0, 0.0, MODELS[0]) else 0.0
                gap = np.exp(-t + bias * dt * t + z * relative)
                row = {"t": t, "dt": dt, "exact": np.exp(-t), "replicas": 100}
                rows.append({**axes(*model), **row, "gap": gap, "gap_se": relative * gap})
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "reproduced"),
        ({"off": 2.9}, "reproduced"),
        ({"off": -3.1}, "inconclusive"),
        ({"off": 4.5}, "contradicted"),
        ({"relative": 0.25}, "inconclusive"),
        ({"bias": 0.0}, "inconclusive"),
    ],
)
def test_mean_gaps(changes, expected):
    assert verdict(two_tokens.mean_gap_follows_backward_equation, moments(**changes)) == expected


RATES = {
    # Excess over the decay at T/4, T/2 and T, in units of 1/T.
    "edge": (5.0, 2.8, 1.49),
    "eigenvalue": (3.0, 0.3, 0.01),
    "there": (0.01, -0.02, 0.01),
    "stuck above": (3.0, 3.0, 3.0),
    "slow": (1.6, 1.5, 1.4),
    "far but falling": (9.0, 5.0, 2.5),
}


def rates(*models: tuple[str, str, int], lambda_bar: float = 0.2, **changes) -> pd.DataFrame:
    """Models (fate, activation, d) with the decay of ReLU, 1/(8d)."""
    rows = []
    for fate, activation, d in models:
        t, decay = 100.0 * d, 0.125 / d
        names = ("rate_quarter", "rate_half", "rate")
        row = {name: decay + x / t for name, x in zip(names, RATES[fate], strict=True)}
        row |= {"t": t, "decay": decay, "edge": decay, "bulk": np.nan, "lambda1": -0.5 / d}
        rows.append({**axes(activation, d, 0.0), **row, "lambda_bar": lambda_bar, **changes})
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("fate", "expected"),
    [
        ("edge", "reproduced"),
        ("eigenvalue", "reproduced"),
        ("there", "reproduced"),
        ("stuck above", "contradicted"),
        ("slow", "inconclusive"),
        ("far but falling", "inconclusive"),
    ],
)
def test_decay_rates(fate, expected):
    table = rates((fate, "relu", 5), ("edge", "silu", 5))
    assert verdict(two_tokens.mean_gap_decays_at_the_lesser_rate, table) == expected


def test_energy_at_positive_lambda_bar():
    claim = two_tokens.energy_decays_at_positive_lambda_bar
    table = rates(("edge", "relu", 5), ("edge", "silu", 5))
    # The rate of SiLU must be positive, but only that of ReLU is known.
    table.loc[table["activation"] == "silu", ["decay", "rate", "rate_half", "rate_quarter"]] = 0.1
    assert verdict(claim, table, moments()) == "reproduced"
    assert verdict(claim, rates(("edge", "relu", 5), decay=0.026), moments()) == "contradicted"
    assert verdict(claim, rates(("edge", "relu", 5), decay=0.0), moments()) == "contradicted"
    rising = moments().assign(gap=lambda m: 1 / m["gap"], gap_se=lambda m: 0.02 * m["gap"])
    assert verdict(claim, table, rising) == "contradicted"
    assert verdict(claim, rates(("slow", "relu", 5)), moments()) == "inconclusive"
    assert verdict(claim, table, moments(relative=1.0)) == "inconclusive"
    # No model with λ̄ > 0.
    assert verdict(claim, rates(("edge", "relu", 5), lambda_bar=-1.0), moments()) == "inconclusive"


def pairs(*models: dict) -> pd.DataFrame:
    """Shares at T/4, T/2 and T with intervals ± `half`, mean gaps and their errors."""
    rows = []
    for model in models:
        defaults = {"sigma": 0.0, "odd": False, "lambda1": -0.1, "t": 800.0, "gap": (0.3, 0.3, 0.3)}
        m = {**defaults, "half": 0.02, "gap_se": 0.01, "met": model["share"], **model}
        place = axes(m["activation"], m["d"], m["sigma"]) | {"dt": 0.5, "replicas": 400}
        for part, share, met, gap in zip(
            (0.25, 0.5, 1.0), m["share"], m["met"], m["gap"], strict=True
        ):
            ends = {"axial": share, "axial_low": share - m["half"], "axial_high": share + m["half"]}
            ends |= {"met": met, "met_low": met - m["half"], "met_high": met + m["half"]}
            run = {"t": part * m["t"], "clock": 64.0 * part, "gap": gap, "gap_se": m["gap_se"]}
            run |= {"lambda1": m["lambda1"], "discrete_exponent": m["lambda1"], "odd": m["odd"]}
            rows.append({**place, **ends, **run})
    return pd.DataFrame(rows)


MEET = {"activation": "relu", "d": 5, "share": (0.6, 0.9, 0.98)}
ODD = {
    "activation": "tanh",
    "d": 5,
    "share": (0.6, 0.9, 0.98),
    "met": (0.3, 0.45, 0.5),
    "odd": True,
}


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (MEET, "reproduced"),
        (ODD, "reproduced"),
        ({**MEET, "share": (0.99, 0.985, 0.98)}, "reproduced"),
        ({**MEET, "share": (0.5, 0.5, 0.5)}, "contradicted"),
        ({**MEET, "share": (0.5, 0.5, 0.5), "t": 100.0}, "inconclusive"),  # too short a run
        ({**MEET, "share": (0.6, 0.9, 0.96)}, "inconclusive"),
        ({**MEET, "half": 0.1}, "inconclusive"),
        ({**ODD, "met": (0.3, 0.5, 0.7)}, "inconclusive"),
        ({**MEET, "share": (0.2, 0.2, 0.2), "lambda1": 0.1}, "reproduced"),  # not asked about
    ],
)
def test_meeting(model, expected):
    other = {**MEET, "d": 64}
    assert verdict(two_tokens.two_tokens_meet, pairs(model, other)) == expected


WINDOWS = pd.DataFrame({"d": [5, 128], "opens": [np.nan, 3.0], "closes": [np.nan, 100.0]})
APART = {"activation": "swish(20)", "d": 128, "share": (0.01, 0.02, 0.01), "lambda1": 0.1}
OUTSIDE = {**MEET, "activation": "swish(1)", "d": 128}


def swish_slopes(inside: float = 10.0, outside: float = -10.0) -> pd.DataFrame:
    """Slopes in standard errors; b = 200 lies above the window, ReLU is no swish."""
    signs = {"swish(1)": outside, "swish(20)": inside, "swish(200)": outside, "relu": 99.0}
    rows = [{**axes(name, 128, 0.0), "slope": z, "slope_se": 1.0} for name, z in signs.items()]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("windows", "slopes", "inside", "expected"),
    [
        (WINDOWS, swish_slopes(), APART, "reproduced"),
        (WINDOWS.assign(closes=np.nan), swish_slopes(outside=-10), APART, "contradicted"),
        (WINDOWS.head(1), swish_slopes(), APART, "inconclusive"),
        (WINDOWS.tail(1), swish_slopes(), APART, "inconclusive"),
        (WINDOWS, swish_slopes(inside=-4.0), APART, "contradicted"),
        (WINDOWS, swish_slopes(inside=2.0), APART, "inconclusive"),
        (WINDOWS, swish_slopes(outside=4.0), APART, "contradicted"),
        (WINDOWS, swish_slopes(), {**APART, "share": (0.2, 0.4, 0.8)}, "contradicted"),
        (WINDOWS, swish_slopes(), {**APART, "share": (0.0, 0.1, 0.2)}, "inconclusive"),
        (WINDOWS, swish_slopes(), {**APART, "gap": (0.6, 0.4, 0.3)}, "inconclusive"),
        (WINDOWS, swish_slopes(), {**APART, "gap_se": 0.1}, "inconclusive"),
    ],
)
def test_swish(windows, slopes, inside, expected):
    claim = two_tokens.swish_is_a_counter_example
    assert verdict(claim, windows, slopes, pairs(inside, OUTSIDE)) == expected


def test_swish_needs_pairs_on_both_sides_that_behave():
    claim = two_tokens.swish_is_a_counter_example
    assert verdict(claim, WINDOWS, swish_slopes(), pairs(APART)) == "inconclusive"
    late = {**OUTSIDE, "share": (0.2, 0.5, 0.8)}
    assert verdict(claim, WINDOWS, swish_slopes(), pairs(APART, late)) == "inconclusive"
