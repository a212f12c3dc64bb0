"""The rules about Figs. 2–6, on estimates whose answer is known."""

import itertools

import numpy as np
import pandas as pd
import pytest

from deeplimits.agazzi2026.verdicts import remarks

ACTIVATIONS = ("relu", "silu", "sigmoid", "tanh")
LAYERS = (0, 25, 50, 100)


def estimates(gap, error: float = 0.01) -> pd.DataFrame:
    """`synchronization_estimates` with past_gap = gap(activation, d, σ, a) after layer 0."""
    rows = []
    axes = itertools.product(ACTIVATIONS, (5, 64), (0.0, 0.1), (1.0, 0.0, -1.0), LAYERS)
    for activation, d, sigma, a, layer in axes:
        past = gap(activation, d, sigma, a) if layer else 1.0
        rows.append(
            {
                "activation": activation, "d": d, "sigma_u": sigma, "sigma_w": sigma, "a": a,
                "layer": layer, "t": layer / 20, "replicas": 32, "cosine": 1 - past,
                "past_gap": past, "past_gap_se": error,
                "energy": np.exp(-0.05 * layer), "energy_se": 1e-6,
                "lambda_bar": -1.0, "lambda_bar_prime": -0.5,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def exponents(lambda1) -> pd.DataFrame:
    """`table1` with λ₁ = lambda1(activation, d, σ)."""
    rows = [
        {"activation": activation, "d": d, "sigma_u": s, "lambda1": lambda1(activation, d, s)}
        for activation, d, s in itertools.product(ACTIVATIONS, (5, 64), (0.0, 0.1))
    ]
    return pd.DataFrame(rows)


def judge(claim, **tables: pd.DataFrame) -> str:
    return claim.judge(tables).verdict


LOWER = exponents(lambda activation, d, s: -0.1 - s)


@pytest.mark.parametrize(
    ("effect", "error", "verdict"),
    [(0.1, 0.01, "reproduced"), (-0.1, 0.01, "contradicted"), (0.1, 1.0, "inconclusive")],
)
def test_bias(effect, error, verdict):
    table = estimates(lambda activation, d, s, a: 0.5 - effect * (s > 0), error)
    frames = {"synchronization_estimates": table, "table1": LOWER}
    assert judge(remarks.bias_speeds_collapse, **frames) == verdict


def test_bias_must_lower_every_exponent():
    table = estimates(lambda activation, d, s, a: 0.5 - s)
    higher = exponents(lambda activation, d, s: -0.1 + s * (d == 64 and activation == "sigmoid"))
    frames = {"synchronization_estimates": table, "table1": higher}
    assert judge(remarks.bias_speeds_collapse, **frames) == "contradicted"


def test_bias_ignores_runs_that_share_noise():
    """Runs with other a share draws, so only a = 0 may count, else errors would be too small."""
    table = estimates(lambda activation, d, s, a: 0.5 - (s if a else 0.0), 0.01)
    frames = {"synchronization_estimates": table, "table1": LOWER}
    assert judge(remarks.bias_speeds_collapse, **frames) == "inconclusive"


@pytest.mark.parametrize(
    ("sigmoid", "error", "verdict"),
    [(0.2, 0.01, "reproduced"), (0.8, 0.01, "contradicted"), (0.49, 0.1, "inconclusive")],
)
def test_sigmoid(sigmoid, error, verdict):
    table = estimates(
        lambda activation, d, s, a: sigmoid if activation == "sigmoid" else 0.5, error
    )
    small = exponents(lambda activation, d, s: -1.0 - 0.1 * s)
    frames = {"synchronization_estimates": table, "table1": small}
    assert judge(remarks.sigmoid_is_a_bias, **frames) == verdict


@pytest.mark.parametrize(
    ("relu", "verdict"), [(-0.05, "reproduced"), (-0.3, "contradicted"), (0.05, "contradicted")]
)
def test_near_zero(relu, verdict):
    def lambda1(activation: str, d: int, s: float) -> float:
        return (relu if activation in ("relu", "silu") else -1.0) / d * 5

    assert judge(remarks.relu_and_silu_near_zero, table1=exponents(lambda1)) == verdict


@pytest.mark.parametrize(
    ("effect", "error", "verdict"),
    [(0.1, 0.01, "reproduced"), (-0.1, 0.01, "contradicted"), (0.001, 0.1, "inconclusive")],
)
def test_attention(effect, error, verdict):
    table = estimates(lambda activation, d, s, a: 0.5 - effect * a, error)
    assert judge(remarks.attention_helps_or_resists, synchronization_estimates=table) == verdict


@pytest.mark.parametrize(
    ("bound", "error", "verdict"),
    [(-0.5, 1e-6, "reproduced"), (-2.0, 1e-6, "contradicted"), (-1.0, 1e-2, "inconclusive")],
)
def test_dissipation(bound, error, verdict):
    """The synthetic energy decays at rate 1 exactly."""
    table = estimates(lambda *cell: 0.5).assign(lambda_bar_prime=bound)
    table["energy_se"] = error * table["energy"]
    assert judge(remarks.energy_dissipates, synchronization_estimates=table) == verdict


def slopes(sign: float, error: float) -> pd.DataFrame:
    """`ext_lyapunov_estimates`: slopes that rise with d at σ = 0, fall at 0.1 (sign = 1)."""
    rows = [
        {
            "activation": activation, "d": d, "sigma_u": s, "epsilon": epsilon,
            "slope": sign * (1 if s == 0 else -1) * np.log(d), "slope_se": error,
        }
        for activation, d, s, epsilon in itertools.product(
            ("relu", "silu", "tanh", "sigmoid"), (5, 64, 128), (0.0, 0.1), (0.0, 0.4)
        )
    ]  # fmt: skip
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("sign", "error", "verdict"),
    [(1, 0.01, "reproduced"), (-1, 0.01, "contradicted"), (1, 10.0, "inconclusive")],
)
def test_dimension(sign, error, verdict):
    frames = {
        "ext_lyapunov_estimates": slopes(sign, error),
        "synchronization_estimates": estimates(lambda *cell: 0.5),
    }
    assert judge(remarks.dimension_slows_or_speeds, **frames) == verdict


def test_nothing_to_compare_decides_nothing():
    """A configuration cut down to one cell must still give a row for every claim."""
    one = estimates(lambda *cell: 0.5)
    one = one[(one["activation"] == "relu") & (one["d"] == 5) & (one["sigma_u"] == 0)]
    one = one[one["a"] == 0].assign(lambda_bar=0.2)
    frames = {
        "synchronization_estimates": one,
        "ext_lyapunov_estimates": slopes(1, 0.01).iloc[:1],
        "table1": exponents(lambda *cell: -0.1).iloc[:1],
    }
    for claim in (
        remarks.bias_speeds_collapse,
        remarks.sigmoid_is_a_bias,
        remarks.relu_and_silu_near_zero,
        remarks.dimension_slows_or_speeds,
        remarks.attention_helps_or_resists,
        remarks.energy_dissipates,
    ):
        assert claim.judge(frames).verdict == "inconclusive", claim.name
