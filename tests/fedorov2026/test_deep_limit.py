"""`deep_limit`: the runs and the slopes estimated from them."""

import itertools

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from deeplimits.fedorov2026 import backward
from deeplimits.fedorov2026.estimates import deep_limit as estimates
from deeplimits.fedorov2026.experiments import deep_limit as experiment

MODEL = {"entries": "rademacher", "d": 2, "beta": 1.0, "rho0": -0.3, "horizon": 0.1, "layers": 1}


def run(replicas=100, entropy=1, **changes) -> pd.DataFrame:
    cell = experiment.Cell(**{**MODEL, **changes})
    protocol = experiment.Protocol(gaussian=replicas, rademacher=replicas, block=20_000)
    rows = experiment.simulate(cell, protocol, np.random.SeedSequence(entropy))
    return pd.DataFrame({**cell.model_dump(), **rows})


def test_one_rademacher_layer_against_all_matrices():
    """d = 2: 16 matrices and 400 directions of the pair, ±; 4 standard errors, level 2e-4 in all.

    Planted: a start along the axes moves all means by 18 standard errors or more.
    """
    h, rho0 = np.sqrt(0.6), MODEL["rho0"]
    alpha = 1 / (1 + np.exp(MODEL["beta"] * (rho0 - 1)))
    angle = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    pair = np.stack([[np.cos(a), np.sin(a)] for a in (angle, angle + np.arccos(rho0))])
    means = np.stack(
        [alpha * pair[0] + (1 - alpha) * pair[1], alpha * pair[1] + (1 - alpha) * pair[0]]
    )
    values = []
    for entries in itertools.product([-1.0, 1.0], repeat=4):
        y = pair + h * np.einsum("ij,tjk->tik", np.reshape(entries, (2, 2)), means)
        rho = np.einsum("ik,ik->k", *y) / np.prod(np.linalg.norm(y, axis=1), axis=0)
        values.append([f(rho).mean() for f in experiment.FUNCTIONS.values()])
    table = run(100_000, horizon=0.6)
    error = np.sqrt(table["variance"] / table["replicas"])
    assert np.all(np.abs(table["mean"] - np.mean(values, axis=0)) < 4 * error)


@pytest.mark.parametrize("entries", ["gaussian", "rademacher"])
def test_pairs_start_at_their_cosine_and_runs_grow_with_depth(entries):
    table = run(50, entries=entries, horizon=1e-14, layers=3, d=4)
    assert list(table["replicas"]) == [150] * 3
    start = [f(np.array(MODEL["rho0"])) for f in experiment.FUNCTIONS.values()]
    np.testing.assert_allclose(table["mean"], start, atol=1e-6)


def test_gaussian_means_have_the_known_limit():
    """L = 64: within 4 standard errors and .4/L; a horizon 40% off is not."""
    model = {"entries": "gaussian", "d": 4, "beta": 1.5, "rho0": -0.3, "horizon": 0.5}
    result = estimates.estimate(run(300, layers=64, **model)).set_index("function")
    allowed = 4 * result["error_se"] + 0.4 / 64
    assert np.all(np.abs(result["error"]) < allowed)
    off = backward.mean_at(np.square, beta=1.5, d=4, rho0=-0.3, horizon=0.7)
    assert abs(off - result.loc["square", "mean"]) > 2 * allowed["square"]
    exponential = backward.mean_at(np.exp, beta=1.5, d=4, rho0=-0.3, horizon=0.5)
    assert result.loc["exponential", "limit"] == pytest.approx(exponential, abs=1e-12)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"d": 1}, "d"),
        ({"beta": -0.1}, "beta"),
        ({"rho0": -1.0}, "rho0"),
        ({"horizon": 0.0}, "horizon"),
        ({"layers": 0}, "layers"),
        ({"entries": "uniform"}, "entries"),
    ],
)
def test_bad_cells_are_named(change, name):
    with pytest.raises(ValidationError, match=name):
        experiment.Cell(**{**MODEL, **change})


def synthetic(errors: dict[int, float], error_se: float) -> pd.DataFrame:
    """Means of ρ² off by the given errors; 100 runs each."""
    model = {**MODEL, "d": 3, "horizon": 0.5, "function": "square"}
    limit = backward.mean_at(np.square, beta=1.0, d=3, rho0=-0.3, horizon=0.5)
    numbers = {"replicas": 100, "variance": 100 * error_se**2}
    return pd.DataFrame(
        [
            {**model, "layers": layers, "mean": limit + error, **numbers}
            for layers, error in errors.items()
        ]
    )


def test_slopes_of_resolved_errors():
    """2/L, but at 64 the error is below 3 standard errors and has another sign."""
    errors = {layers: 2 / layers for layers in (4, 8, 16, 32)} | {64: -0.02}
    result = estimates.estimate(synthetic(errors, 0.01))
    assert list(result["resolved"]) == [True] * 4 + [False]
    np.testing.assert_allclose(result[["slope", "last"]], -1.0, atol=1e-9)
    np.testing.assert_allclose(result["error_se"], 0.01)
    # The last slope rests on fewer, and smaller, errors.
    assert result["last_se"].iloc[0] > 1.5 * result["slope_se"].iloc[0]


def test_the_last_slope_is_that_of_the_three_largest_depths():
    errors = {4: -1.0, 8: -0.2, 16: -0.1, 32: -0.05}
    row = estimates.estimate(synthetic(errors, 1e-4)).iloc[0]
    assert row["last"] == pytest.approx(-1.0)
    assert row["slope"] < -1.5


@pytest.mark.parametrize("errors", [{4: 1.0, 8: -0.5, 16: 0.25}, {4: 1.0, 8: 0.5, 16: 1e-3}])
def test_no_slope_without_three_errors_of_one_sign(errors):
    result = estimates.estimate(synthetic(errors, 0.01))
    assert result[["slope", "slope_se", "last", "last_se"]].isna().all(axis=None)
