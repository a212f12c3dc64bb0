"""The GD experiments: their sets, recorded runs, first passages, and estimates of them."""

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from deeplimits.kale2026 import data, descent, gd_summaries, margin, schedules, sets, theory
from deeplimits.kale2026.estimates import first_passages as passage_estimates
from deeplimits.kale2026.experiments import first_passages, gd_losses
from deeplimits.kale2026.problem import Problems

SETS = {"gammas": [0.1, 0.3], "replicas": 2, "n": 12, "d": 4, "support": 4, "minority": [5]}
SEED = np.random.SeedSequence(3)


def built(**changes) -> list[sets.Labelled]:
    return sets.build(sets.Sets(**{**SETS, **changes}), SEED)


def test_sets_have_the_margins_that_they_are_labelled_with():
    chosen = built()
    assert [one.data for one in chosen] == ["random"] * 4 + ["1 in 5"] * 2 + ["toy"]
    for one in chosen:
        assert margin.solve(one.z).gamma == pytest.approx(one.gamma, rel=1e-6)
    labels = sets.labels(chosen, 3)
    assert labels["gamma"].reshape(-1, 3)[:, 0].tolist() == sets.margins(chosen)[:, 0].tolist()


def test_random_sets_differ_and_keep_their_points_when_a_margin_is_added():
    few, more = built(), built(gammas=[0.1, 0.3, 0.5])
    for one, same in zip(few[:4], more[:4], strict=True):
        np.testing.assert_array_equal(one.z, same.z)
    assert not np.allclose(few[0].z, few[1].z)


def test_recorded_runs_are_those_of_the_driver():
    settings = gd_losses.Protocol(**SETS, last=30, per_decade=4)
    table = pd.DataFrame(gd_losses.simulate(gd_losses.Cell(rule="constant(50)"), settings, SEED))
    run = table[(table["data"] == "1 in 5") & (table["gamma"] == 0.3)].set_index("t")
    alone = descent.run(
        Problems([data.unbalanced(5, 0.3)]),
        schedules.get("constant(50)"),
        np.array([[0.3]]),
        run.index.to_numpy(),
    )
    for name in ("log_loss", "log_step", "least_margin", "norm", "increases"):
        np.testing.assert_allclose(run[name], alone.series[name][0, 0], rtol=1e-9)
    assert run["increases"].iloc[-1] > 0


def passages(rule: str) -> pd.DataFrame:
    settings = first_passages.Protocol(**SETS, last=60, targets=[-1.0, -3.0, -40.0])
    cell = first_passages.Cell(rule=rule)
    return pd.DataFrame(first_passages.simulate(cell, settings, SEED)).assign(rule=rule)


def test_first_passages_against_all_iterations():
    table = passages("armijo")
    chosen = built()
    every = descent.run(
        Problems([one.z for one in chosen]),
        schedules.get("armijo"),
        sets.margins(chosen),
        np.arange(1, 61),
    )
    for index, one in enumerate(chosen):
        rows = table[(table[list(sets.KEY)] == [one.data, one.gamma, one.replica]).all(axis=1)]
        for row in rows.itertuples():
            below = np.flatnonzero(every.series["log_loss"][index, 0] <= row.target)
            if below.size == 0:
                assert np.isnan([row.iterations, row.work]).all()
            else:
                assert row.iterations == below[0] + 1
                assert row.work == every.series["work"][index, 0, below[0]]
    assert table["iterations"].isna().any()
    assert (table["work"] > table["iterations"]).any()


def test_targets_that_hold_at_the_start_are_refused():
    with pytest.raises(ValidationError, match="targets"):
        first_passages.Protocol(**SETS, last=60, targets=[-0.3])


def test_summaries_are_medians_and_ranges_over_sets():
    place = {"rule": "reconstructed", "data": "random", "gamma": 0.2, "t": 100}
    table = pd.DataFrame({"log_loss": [-1.0, -2.0, -6.0], "least_margin": [0.1, 0.2, -0.4]})
    table = table.assign(**place, replica=range(3), norm=2.0, increases=[0, 4, 1])
    row = gd_summaries.estimate(table).iloc[0]
    assert (row["log_loss"], row["log_loss_low"], row["log_loss_high"]) == (-2.0, -6.0, -1.0)
    assert (row["gap"], row["gap_low"], row["gap_high"]) == pytest.approx((0.75, 0.5, 2.0))
    assert (row["sets"], row["increases"]) == (3, 4)
    assert row["law"] == theory.decay(0.2, 100)


def test_a_run_without_passage_counts_as_infinitely_long():
    counts = {"reconstructed": [40.0, 100.0, 60.0], "armijo": [10.0, 20.0, 30.0]}
    counts["constant(1)"] = [50.0, np.nan, 90.0]
    counts["constant(2)"] = [50.0, np.nan, np.nan]
    table = pd.concat(
        pd.DataFrame({"rule": rule, "iterations": n, "work": 3 * np.array(n), "replica": range(3)})
        for rule, n in counts.items()
    ).assign(data="random", gamma=0.1, target=-2.0, last=200)
    got = passage_estimates.estimate(table).set_index("rule")
    assert got["reached"].to_dict() == {
        "armijo": 3, "constant(1)": 2, "constant(2)": 1, "reconstructed": 3,
    }  # fmt: skip
    assert got.loc["constant(1)", "iterations"] == 90.0
    assert got.loc["constant(2)", "iterations_low"] == 50.0
    assert got.loc[["constant(1)", "constant(2)"], "work_high"].isna().all()
    assert np.isnan(got.loc["constant(2)", "iterations"])
    assert got.loc["armijo", "speedup"] == 2.0
    assert got["speedup"].isna().to_dict()["constant(1)"]
    assert (got.loc["armijo", "work"], got.loc["armijo", "work_speedup"]) == (60.0, 2.0)
