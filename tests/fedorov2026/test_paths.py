"""`paths`: shared starts, records, and the cosines of the pairs."""

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from deeplimits.fedorov2026.estimates import paths as estimates
from deeplimits.fedorov2026.experiments import paths as experiment

PROTOCOL = {"tokens": 4, "layers": 60, "horizon": 3.0, "stride": 3}


def run(dynamics: str, beta: float = 2.0, **changes) -> pd.DataFrame:
    cell = experiment.Cell(dynamics=dynamics, beta=beta)
    protocol = experiment.Protocol(**PROTOCOL | changes)
    rows = experiment.simulate(cell, protocol, np.random.SeedSequence(4))
    return pd.DataFrame({**cell.model_dump(), **rows})


def at(table: pd.DataFrame, layer: int) -> np.ndarray:
    return table.loc[table["layer"] == layer, ["x1", "x2", "x3"]].to_numpy()


def test_records_are_unit_tokens_at_every_stride():
    table = run("noise")
    np.testing.assert_array_equal(table["layer"].unique(), np.arange(0, 61, 3))
    np.testing.assert_allclose(table["t"], table["layer"] / 20)
    np.testing.assert_allclose(np.linalg.norm(table[["x1", "x2", "x3"]], axis=1), 1.0)
    np.testing.assert_array_equal(at(run("noise", stride=30), 30), at(table, 30))


def test_dynamics_share_their_start_and_part():
    noise, flow = run("noise"), run("flow")
    np.testing.assert_array_equal(at(noise, 0), at(flow, 0))
    assert np.abs(at(noise, 3) - at(flow, 3)).max() > 0.05


def test_flow_draws_tokens_together():
    """At β = 0 every token moves towards the mean, whose length grows at every layer."""
    flow = run("flow", beta=0.0)
    lengths = [np.linalg.norm(at(flow, layer).mean(axis=0)) for layer in flow["layer"].unique()]
    assert (np.diff(lengths) > 0).all()
    assert lengths[-1] > 0.9


def test_cosines_of_all_pairs():
    table = pd.concat([run("flow"), run("noise")]).sample(frac=1.0, random_state=1)
    result = estimates.estimate(table)
    assert len(result) == 2 * result["layer"].nunique() * 6
    assert {0, 3, 60} <= set(result["layer"])
    ordered = table.sort_values(["layer", "token"])
    for row in result.sample(40, random_state=2).itertuples():
        x = at(ordered[ordered["dynamics"] == row.dynamics], row.layer)
        assert row.cosine == pytest.approx(x[row.first] @ x[row.second], abs=1e-14)
        assert row.t == pytest.approx(row.layer / 20)


def test_bad_input_is_named():
    with pytest.raises(ValidationError, match=r"(?m)^beta$"):
        experiment.Cell(dynamics="noise", beta=-0.1)
    with pytest.raises(ValidationError, match="stride 7 does not divide layers 60"):
        experiment.Protocol(**PROTOCOL | {"stride": 7})
