"""`ext_moment`: the runs and the extrapolated means."""

import itertools

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from deeplimits import rng
from deeplimits.agazzi2026 import backward, pair
from deeplimits.agazzi2026.estimates import ext_moment as estimates
from deeplimits.agazzi2026.experiments import ext_moment as experiment
from deeplimits.agazzi2026.kernel import Kernel

RELU = {"activation": "relu", "d": 5, "sigma_u": 0.0, "sigma_w": 0.0}
KERNEL = Kernel("relu", 5)
SETTINGS = {"epsilon": 0.1, "depths": 5, "effective": 100, "replicas": 5000, "block": 2000}


def run(refinement: int = 1, entropy: int = 3, **changes) -> pd.DataFrame:
    cell = experiment.Cell(**RELU, refinement=refinement)
    settings = experiment.Protocol(**{**SETTINGS, **changes})
    rows = experiment.simulate(cell, settings, np.random.SeedSequence(entropy))
    return pd.DataFrame({**cell.model_dump(), **rows})


def test_depths_end_where_the_replicas_do_and_refinement_divides_the_step():
    coarse, fine = run(1), run(3)
    last = np.log(5000 / 100) / (4 * (KERNEL.kappa1 + KERNEL.dkappa1))
    for table in (coarse, fine):
        np.testing.assert_allclose(np.unique(table["t"].round(9)), last * np.arange(1, 6) / 5)
    np.testing.assert_array_equal(3 * coarse["layer"], fine["layer"])
    dt = coarse["t"] / coarse["layer"]
    assert (KERNEL.kappa1 * 4 * dt <= 0.1).all()
    np.testing.assert_array_equal(coarse.groupby("block")["pairs"].first(), [2000, 2000, 1000])


def test_moments_are_those_of_the_block():
    table = run()
    stride, dt = table["layer"].min(), (table["t"] / table["layer"]).iloc[0]
    streams = rng.blocks(np.random.SeedSequence(3), 5000, 2000)
    for block, (generator, size) in enumerate(streams):
        state = pair.near_synchrony(np.ones(size))
        for depth in range(1, 6):
            state = pair.evolve(generator, KERNEL, state, layers=stride, dt=dt)
            row = table[(table["block"] == block) & (table["layer"] == depth * stride)].iloc[0]
            assert row["gap"] == state.one_minus.mean()
            assert row["square"] == (state.one_minus**2).mean()


def test_as_many_effective_as_real_replicas_are_refused():
    with pytest.raises(ValidationError, match="effective 100 must be below replicas 100"):
        experiment.Protocol(**{**SETTINGS, "replicas": 100})


def test_simulation_lies_on_the_backward_equation():
    """Level 1e-3 (five two-sided tests at 3.72); errors stay below 2%, a rate off by 10% fails.

    The means at the largest step, 3% to 4% too large, must be rejected.
    """
    sizes = {"epsilon": 0.5, "replicas": 40_000, "block": 10_000, "effective": 2000}
    result = estimates.estimate(pd.concat([run(k, entropy=k, **sizes) for k in (1, 2, 4)]))
    z = np.log(result["gap"] / result["exact"]) / (result["gap_se"] / result["gap"])
    limit = result["dt"] == 0
    assert z[limit].abs().max() < 3.72
    assert (result["gap_se"] / result["gap"])[limit].max() < 0.02
    assert z[result["dt"] == result["dt"].max()].abs().max() > 3.72


def synthetic(bias: float) -> pd.DataFrame:
    """Two blocks of unequal size whose pooled mean is e^{−0.2t} (1 + bias·…) at three steps."""
    rows = []
    for refinement, depth, block in itertools.product((1, 2, 4), (1, 2, 3), (0, 1)):
        t, layer = 1.0 * depth, 2 * refinement * depth
        mean = np.exp(-0.2 * t + bias * t * (t / layer) + 0.3 * (t / layer) ** 2)
        gap = mean * (1.2 if block else 0.9)  # weights 10 and 20: their mean is `mean`
        place = {"block": block, "layer": layer, "t": t, "pairs": 10 if block else 20}
        rows.append(
            {**RELU, "refinement": refinement, **place, "gap": gap, "square": 2.0 * mean**2}
        )
    return pd.DataFrame(rows)


def test_means_pool_the_blocks_and_extrapolate_their_logarithm():
    result = estimates.estimate(synthetic(bias=0.4).sample(frac=1, random_state=0))
    assert len(result) == 3 * 4
    steps, limit = result[result["dt"] > 0], result[result["dt"] == 0].sort_values("t")
    assert set(steps["dt"].round(12)) == {0.5, 0.25, 0.125}
    mean = np.exp(-0.2 * steps["t"] + 0.4 * steps["t"] * steps["dt"] + 0.3 * steps["dt"] ** 2)
    np.testing.assert_allclose(steps["gap"], mean)
    np.testing.assert_allclose(steps["gap_se"], mean / np.sqrt(29))
    assert (result["replicas"] == 30).all()
    np.testing.assert_allclose(limit["gap"], np.exp(-0.2 * limit["t"]))
    weights = np.array([1 / 3, -2.0, 8 / 3])
    relative = np.sqrt(np.sum(weights**2) / 29)
    np.testing.assert_allclose(limit["gap_se"], relative * limit["gap"])


def test_prediction_is_the_backward_equation_from_right_angles():
    result = estimates.estimate(synthetic(bias=0.0))
    for t, rows in result.groupby("t"):
        exact = backward.mean_gap(KERNEL, [t], 0.0)[0]
        np.testing.assert_allclose(rows["exact"], exact, rtol=1e-5)


def test_one_step_is_not_extrapolated():
    table = synthetic(bias=0.0)
    assert (estimates.estimate(table[table["refinement"] == 2])["dt"] == 0.25).all()
