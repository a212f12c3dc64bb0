"""`stability`, `stretched` and `misspecified_margin`: their runs, and what is estimated from them.

Nothing is random once the seed is fixed, so every check is exact or has a stated tolerance.
"""

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from deeplimits.kale2026 import descent, records, schedules, sets, theory, trace
from deeplimits.kale2026.estimates import misspecified_margin as told_estimates
from deeplimits.kale2026.estimates import stability as stability_estimates
from deeplimits.kale2026.estimates import stretched as law_estimates
from deeplimits.kale2026.experiments import misspecified_margin, stability, stretched
from deeplimits.kale2026.problem import Problems

SEED = np.random.SeedSequence(3)
SHAPE = {"gammas": [0.2, 0.3], "replicas": 2, "d": 4, "support": 3, "last": 60, "per_decade": 6}
SETS = {**SHAPE, "n": 12, "minority": [5]}


def run(experiment, axes: dict, settings: dict) -> pd.DataFrame:
    """The rows of one cell, with its axes."""
    cell = experiment.Cell(**axes)
    rows = experiment.simulate(cell, experiment.Protocol(**settings), SEED)
    columns = [column.name for column in experiment.COLUMNS]
    assert list(rows) == columns
    return pd.DataFrame({**cell.model_dump(), **rows})


def test_rows_are_those_of_the_driver():
    table = run(stability, {"rule": "constant(40)"}, SETS)
    chosen = sets.build(stability.Protocol(**SETS), SEED)
    at = trace.checkpoints(60, 6)
    margins = sets.margins(chosen)
    runs = descent.run(
        Problems([one.z for one in chosen]), schedules.get("constant(40)"), margins, at
    )
    assert len(table) == len(chosen) * at.size
    for p, one in enumerate(chosen):
        place = (table["data"] == one.data) & (table["gamma"] == one.gamma)
        rows = table[place & (table["replica"] == one.replica)]
        assert rows["t"].tolist() == at.tolist()
        for column in records.COLUMNS[1:]:
            assert rows[column.name].tolist() == runs.series[column.name][p, 0].tolist()


def test_stability_takes_the_worst_set():
    table = run(stability, {"rule": "constant(40)"}, SETS)
    found = stability_estimates.estimate(table)
    assert not found.duplicated(list(stability_estimates.KEY)).any()
    for row in found.itertuples():
        same = (table["data"] == row.data) & (table["gamma"] == row.gamma) & (table["t"] == row.t)
        part = table[same]
        assert row.sets == len(part) == (2 if row.data == "random" else 1)
        assert row.increases == part["increases"].max()
        assert row.largest_increase == part["largest_increase"].max()
        assert row.step_loss == pytest.approx(40 * np.exp(part["log_loss"].max()))
        assert row.edge == pytest.approx(40 * np.exp(part["log_sharpness"].max()))
        assert row.largest_step_loss == pytest.approx(np.exp(part["log_step_loss"].max()))
    assert found["increases"].max() > 0


def test_sets_of_the_law_have_the_size_of_the_cell():
    table = run(stretched, {"n": 7}, SHAPE)
    assert set(table["data"]) == {"random", "1 in 7"}
    assert set(table["gamma"]) == {0.2, 0.3}
    # At w₀ = 0 the loss is ln 2; one step of η = 1 along the mean of the points, known exactly.
    one = table[(table["data"] == "1 in 7") & (table["gamma"] == 0.3) & (table["t"] == 1)]
    z = np.array([[0.3, np.sqrt(0.91)]] * 6 + [[0.3, -np.sqrt(0.91)]])
    w = 0.5 * z.mean(axis=0)
    expected = np.log(np.mean(np.log1p(np.exp(-z @ w))))
    assert one["log_loss"].item() == pytest.approx(expected)


def law_table(*shifts: float) -> pd.DataFrame:
    """Sets whose −ln L is (1 + shift) times the law at γ = .1, with the columns of stability."""
    t = trace.checkpoints(100_000, 20)
    parts = [
        {"replica": k, "t": t, "log_loss": -(1 + shift) * theory.decay(0.1, t)}
        for k, shift in enumerate(shifts)
    ]
    table = pd.concat([pd.DataFrame(part) for part in parts], ignore_index=True)
    common = {"n": 9, "data": "random", "gamma": 0.1, "log_step": 0.0, "log_sharpness": -1.0}
    return table.assign(**common, increases=0, largest_increase=0.0, log_step_loss=0.0)


def test_ratio_and_its_spread():
    found = law_estimates.estimate(law_table(-0.02, 0.04))
    assert found["ratio"].to_numpy() == pytest.approx(1.01)
    assert found["ratio_low"].to_numpy() == pytest.approx(0.98)
    assert found["ratio_high"].to_numpy() == pytest.approx(1.04)
    assert found["ratio_se"].to_numpy() == pytest.approx(0.03)
    assert found["clock"].iloc[-1] == pytest.approx(1000.0)


def test_exponent_of_the_law_itself():
    # A factor on −ln L leaves the exponent; differences over 1/20 decade cost less than 2e-3.
    found = law_estimates.estimate(law_table(0.3))
    smooth = found["t"] > 100  # below, t is rounded to whole numbers: other steps, no other law
    off = (found["exponent"] - found["exponent_law"])[smooth]
    assert off.abs().max() < 2e-3
    assert found["ratio_se"].isna().all()
    assert found["exponent_se"].isna().all()


def test_simulated_runs_follow_the_law():
    settings = {**SHAPE, "gammas": [0.3], "last": 3000}
    found = law_estimates.estimate(run(stretched, {"n": 10}, settings))
    last = found[found["clock"] >= 200]
    assert len(last) > 0
    assert last[["ratio_low", "ratio_high"]].to_numpy() == pytest.approx(1, abs=0.02)
    assert (last["exponent"] - last["exponent_law"]).abs().max() < 0.02
    assert (found["increases"] == 0).all()


def test_factor_one_is_the_schedule_itself():
    right = run(misspecified_margin, {"factor": 1.0}, SETS).drop(columns="factor")
    told = run(stability, {"rule": "reconstructed"}, SETS).drop(columns="rule")
    pd.testing.assert_frame_equal(right, told)


def test_factor_multiplies_the_margin_told():
    # η_t depends on γ̂ alone: 1.5 · .2 and 1 · .3 give the same steps.
    steps = []
    for factor, gamma in ((1.5, 0.2), (1.0, 0.3)):
        rows = run(misspecified_margin, {"factor": factor}, {**SETS, "gammas": [gamma]})
        steps.append(rows.loc[rows["data"] == "1 in 5", "log_step"].to_numpy())
    assert steps[0] == pytest.approx(steps[1], rel=1e-12)
    assert np.all(np.diff(steps[0]) > 0)


def test_told_margins_above_one_are_refused():
    with pytest.raises(ValueError, match="factor 4: the margin told"):
        run(misspecified_margin, {"factor": 4.0}, SETS)


@pytest.mark.parametrize("factor", [0.0, -1.0, np.inf])
def test_factors_are_positive(factor):
    with pytest.raises(ValidationError, match="factor"):
        misspecified_margin.Cell(factor=factor)


@pytest.mark.parametrize("factor", [0.5, 1.0, 3.0])
def test_told_law(factor):
    """The law solves dy/dt = γ²η_t L: with η_t L in the table, γ²/y′ must agree to 1%."""
    settings = {**SETS, "gammas": [0.1], "last": 1000, "per_decade": 40}
    table = run(misspecified_margin, {"factor": factor}, settings)
    found = told_estimates.estimate(table)
    one = found[found["data"] == "1 in 5"]
    rate = np.gradient(one["law"], one["t"], edge_order=2)
    late = (one["t"] > 100).to_numpy()
    expected = 0.01 * one["law_step_loss"].to_numpy()
    assert rate[late] == pytest.approx(expected[late], rel=0.01)
    assert (one["decay"] == one["decay_low"]).all()
    random = found[found["data"] == "random"]
    assert (random["decay_low"] < random["decay_high"]).all()
    assert (random["sets"] == 2).all()
