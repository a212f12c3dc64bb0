"""The rules about the long run, on runs whose fate is known."""

import itertools

import numpy as np
import pandas as pd
import pytest

from deeplimits.agazzi2026.estimates import ext_horizons
from deeplimits.agazzi2026.verdicts import long_runs

HORIZON = 40
FATES = {
    "falling": lambda t: -0.5 * t,
    "steady": lambda t: -2.0 * np.minimum(t, 1.0),
    "slowing": lambda t: -2.0 * np.sqrt(t) / 6,
}


def table(cells: list[dict], noise: float = 0.3, runs: int = 32) -> pd.DataFrame:
    """Estimates of synthetic runs: log gaps of a given fate plus independent normal noise."""
    generator = np.random.default_rng(0)
    rows = []
    for cell, replica, t in itertools.product(cells, range(runs), range(HORIZON + 1)):
        axes = {"sigma_u": 0.1, "sigma_w": 0.1, "tokens": 16, "layers_per_unit": 20, **cell}
        log_gap = axes.pop("fate")(t) + noise * generator.standard_normal()
        axial = axes.pop("axial", None)
        log_axial = axial(t) + noise * generator.standard_normal() if axial else log_gap
        layer = t * axes["layers_per_unit"]
        gaps = {"gap": np.exp(log_gap), "axial_gap": np.exp(log_axial)}
        rows.append({**axes, "replica": replica, "layer": layer, "t": float(t), **gaps})
    return ext_horizons.estimate(pd.DataFrame(rows))


def judge(claim, cells: list[dict], **options) -> str:
    return claim.judge({"ext_horizons_estimates": table(cells, **options)}).verdict


# λ₁ = −0.48 at d = 64, −1.91 at d = 256.
PLATEAU = {"activation": "relu", "d": 64, "a": -1.0, "fate": FATES["steady"]}
MEETING = {"activation": "relu", "d": 256, "a": -1.0, "fate": FATES["falling"]}


def test_repulsion_as_predicted():
    assert judge(long_runs.noise_against_repulsion, [PLATEAU, MEETING]) == "reproduced"


@pytest.mark.parametrize(
    "wrong", [{**PLATEAU, "fate": FATES["falling"]}, {**MEETING, "fate": FATES["steady"]}]
)
def test_repulsion_resolved_the_other_way(wrong):
    assert judge(long_runs.noise_against_repulsion, [PLATEAU | wrong]) == "contradicted"


def test_repulsion_in_noise_is_undecided():
    cells = [PLATEAU, MEETING]
    assert judge(long_runs.noise_against_repulsion, cells, noise=40.0) == "inconclusive"


def test_tokens_equal_to_rounding_count_as_met():
    fate = lambda t: max(-10.0 * t, -64.4)  # noqa: E731
    assert judge(long_runs.noise_against_repulsion, [{**MEETING, "fate": fate}], noise=0.0) == (
        "reproduced"
    )


FREE = {"activation": "relu", "d": 5, "a": 0.0}


@pytest.mark.parametrize(
    ("fate", "noise", "verdict"),
    [
        ("falling", 0.3, "reproduced"),
        ("steady", 0.3, "contradicted"),
        ("falling", 40.0, "inconclusive"),
    ],
)
def test_weak_synchronization(fate, noise, verdict):
    cells = [{**FREE, "fate": FATES[fate]}]
    assert judge(long_runs.weak_synchronization, cells, noise=noise) == verdict


def test_weak_synchronization_leaves_odd_fields_out():
    odd = {"activation": "tanh", "d": 5, "a": 0.0, "sigma_u": 0.0, "sigma_w": 0.0}
    cells = [{**FREE, "fate": FATES["falling"]}, {**odd, "fate": FATES["steady"]}]
    assert judge(long_runs.weak_synchronization, cells) == "reproduced"


@pytest.mark.parametrize(
    ("gap", "axial", "noise", "verdict"),
    [
        ("steady", "falling", 0.1, "reproduced"),
        ("falling", "falling", 0.1, "contradicted"),
        ("steady", "steady", 0.1, "contradicted"),
        ("steady", "falling", 40.0, "inconclusive"),
    ],
)
def test_two_opposite_points(gap, axial, noise, verdict):
    odd = {"activation": "tanh", "d": 5, "a": 0.0, "sigma_u": 0.0, "sigma_w": 0.0}
    cells = [{**odd, "fate": FATES[gap], "axial": FATES[axial]}]
    assert judge(long_runs.two_opposite_points, cells, noise=noise) == verdict


def test_a_trend_that_holds_at_one_horizon_only_is_no_trend():
    """Rising until T/2 and falling after: the second half alone would say 'falling'."""
    fate = lambda t: 0.5 * t if t <= HORIZON / 2 else 30 - t  # noqa: E731
    assert judge(long_runs.weak_synchronization, [{**FREE, "fate": fate}]) == "inconclusive"


def test_nothing_to_look_at_decides_nothing():
    cells = [{"activation": "relu", "d": 5, "a": 1.0, "fate": FATES["falling"]}]
    for claim in (
        long_runs.noise_against_repulsion,
        long_runs.weak_synchronization,
        long_runs.two_opposite_points,
    ):
        assert judge(claim, cells, runs=2) == "inconclusive", claim.name


def test_a_horizon_shorter_than_the_clock_decides_nothing():
    """λ₁ = −0.004 at d = 128: over T/2 = 20 the prediction is a fall of 0.16 e-folds."""
    slow = {"activation": "relu", "d": 128, "a": 0.0, "sigma_u": 0.0, "sigma_w": 0.0}
    for fate in ("steady", "falling"):
        cells = [{**slow, "fate": FATES[fate]}]
        assert judge(long_runs.weak_synchronization, cells) == "inconclusive"


def test_the_approach_to_a_plateau_is_no_fall():
    """Still falling at T, significantly, but ever more slowly."""
    cells = [{**PLATEAU, "fate": lambda t: 3.0 * np.exp(-t / 12) - 3.0}]
    assert judge(long_runs.noise_against_repulsion, cells, noise=0.01) != "contradicted"
