"""The rules about the noise ablation, on estimates whose answer is known."""

import pandas as pd
import pytest
from scipy import stats as reference

from deeplimits.fedorov2026.verdicts import ablation

CONDITIONS = [(0.0, 2.0), (0.0, 10.0), (1.0, 2.0), (1.0, 10.0)]
COLUMNS = ["values", "a", "horizon", "noise", "mu", "measure", "layer", "seeds", "value"]
COLUMNS += ["difference", "difference_se", "excess", "excess_se"]


def table(
    losses=(0.03, 0.03, 0.03, 0.03),
    *,
    error: float = 0.002,
    train: float = 0.98,
    values: str = "trained",
    suppressed: bool = False,
    control: float = 0.0,
) -> pd.DataFrame:
    """Estimates of one arm with the given losses of accuracy in the four conditions.

    Suppression costs the networks without noise `control`, known without error.
    """
    rows = []
    for (a, horizon), loss in zip(CONDITIONS, losses, strict=True):
        shared = {"values": values, "a": a, "horizon": horizon, "layer": 8, "seeds": 8}
        for noise in (0.0, 1.0):
            plain = {**shared, "noise": noise, "mu": 1.0}
            rows.append({**plain, "measure": "train", "value": train})
            change = {"difference": loss if noise else None, "difference_se": error}
            rows.append({**plain, "measure": "test", "value": 0.9, **change})
        if suppressed:
            row = {**shared, "noise": 1.0, "mu": 0.0, "measure": "test", "value": 0.9}
            change = {"difference": -loss, "difference_se": error}
            rows.append({**row, **change, "excess": control - loss, "excess_se": error})
    return pd.DataFrame(rows, columns=COLUMNS).astype({"difference": float, "excess": float})


ARMS = [
    (ablation.noise_ablation_frozen, {"values": "frozen"}),
    (ablation.noise_ablation_trained, {}),
    (ablation.noise_ablation_suppressed, {"suppressed": True}),
]


def verdict(claim, frame: pd.DataFrame) -> str:
    return claim.judge({"noise_ablation_estimates": frame}).verdict


@pytest.mark.parametrize(("claim", "arm"), ARMS)
@pytest.mark.parametrize(
    ("losses", "error", "expected"),
    [
        ((0.03, 0.03, 0.03, 0.03), 0.002, "reproduced"),
        (
            (0.03, 0.03, 0.03, 0.005),
            0.002,
            "reproduced",
        ),  # t = 2.5: the largest of Holm's, p = .041
        ((0.03, 0.03, 0.03, 0.004), 0.002, "inconclusive"),  # p = .086
        ((0.03, 0.03, 0.03, -0.03), 0.002, "inconclusive"),
        ((0.03, 0.03, 0.03, 0.03), 0.02, "inconclusive"),
        ((-0.03, -0.03, -0.03, -0.03), 0.002, "contradicted"),
        ((0.0, 0.0, 0.0, 0.0), 0.002, "contradicted"),
        ((0.0, 0.0, 0.0, 0.0), 0.01, "inconclusive"),  # no power: no loss of one point excluded
        ((-0.03, -0.03, -0.03, 0.008), 0.002, "inconclusive"),
        ((0.0, 0.0, 0.0, 0.0), 0.0, "contradicted"),
        ((0.03, 0.03, 0.03, 0.03), 0.0, "reproduced"),
    ],
)
def test_arms(claim, arm, losses, error, expected):
    assert verdict(claim, table(losses, error=error, **arm)) == expected


@pytest.mark.parametrize(
    ("control", "expected"),
    [(0.023, "reproduced"), (0.025, "inconclusive"), (0.04, "inconclusive")],
)
def test_suppression_must_cost_more_than_without_noise(control, expected):
    """Excesses of 3.5 standard errors (Holm p = .040), 2.5 (p = .16), and below 0."""
    frame = table(suppressed=True, control=control)
    assert verdict(ablation.noise_ablation_suppressed, frame) == expected


def test_a_control_only_weakens():
    frame = table((0.0,) * 4, suppressed=True, control=-0.03)
    assert verdict(ablation.noise_ablation_suppressed, frame) == "contradicted"


def test_suppression_without_a_control_decides_nothing():
    frame = table(suppressed=True).assign(excess=float("nan"))
    assert verdict(ablation.noise_ablation_suppressed, frame) == "inconclusive"


@pytest.mark.parametrize(("train", "expected"), [(0.951, "reproduced"), (0.949, "inconclusive")])
def test_trained_arms_need_a_training_that_worked(train, expected):
    assert verdict(ablation.noise_ablation_trained, table(train=train)) == expected
    frame = table(train=train, suppressed=True)
    assert verdict(ablation.noise_ablation_suppressed, frame) == expected
    frozen = table(train=train, values="frozen")
    assert verdict(ablation.noise_ablation_frozen, frozen) == "reproduced"


def test_a_failed_training_does_not_contradict_either():
    frame = table((-0.03,) * 4, train=0.5)
    assert verdict(ablation.noise_ablation_trained, frame) == "inconclusive"


@pytest.mark.parametrize(("claim", "arm"), ARMS)
def test_nothing_to_compare(claim, arm):
    frame = table(**arm)
    for absent in (frame[frame["noise"] == 0], frame[frame["values"] == "absent"]):
        assert verdict(claim, absent) == "inconclusive"


def test_p_values():
    loss = pd.Series([0.02, -0.01])
    zero, margin = ablation.paired_p_values(loss, pd.Series([0.01, 0.01]), 7)
    assert zero == pytest.approx(2 * reference.t.sf([2.0, 1.0], 7))
    assert margin == pytest.approx(reference.t.cdf([1.0, -2.0], 7))


def test_finding_states_every_condition():
    found = ablation.noise_ablation_trained.judge({"noise_ablation_estimates": table()})
    assert found.measured.count("a = ") == 4
    assert "+0.0300 ± 0.0047" in found.measured  # 2.365 standard errors
    assert found.value == pytest.approx(0.03)
