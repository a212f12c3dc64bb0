"""`sgd_losses` and `sgd_inverse_loss`: which run is on which set, and what is known of them."""

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from deeplimits.kale2026 import data
from deeplimits.kale2026.estimates import sgd_losses as estimates
from deeplimits.kale2026.experiments import sgd_inverse_loss, sgd_losses

SETS = {"replicas": 6, "minority": [20, 100], "sizes": [12, 30], "d": 5, "support": 4}
FIXED = {
    "mirrored pair": data.unbalanced(2, 0.2),
    "1 in 20": data.unbalanced(20, 0.2),
    "1 in 100": data.unbalanced(100, 0.2),
    "toy": data.toy(),
}


def losses(rule: str, seed: int = 3, **changes) -> pd.DataFrame:
    settings = {**SETS, "gamma": 0.2, "last": 10, "per_decade": 4, **changes}
    cell = sgd_losses.Cell(rule=rule)
    rows = sgd_losses.simulate(cell, sgd_losses.Protocol(**settings), np.random.SeedSequence(seed))
    return pd.DataFrame({**cell.model_dump(), **rows})


@pytest.fixture(scope="module")
def constant() -> pd.DataFrame:
    return losses("constant(1)")


@pytest.mark.parametrize("name", FIXED)
def test_first_step_is_half_of_a_point_of_the_named_set(constant, name) -> None:
    z = FIXED[name]
    possible = np.log(np.mean(np.log1p(np.exp(-0.5 * z @ z.T)), axis=0))
    found = constant.loc[(constant["data"] == name) & (constant["t"] == 1), "log_loss"]
    assert len(found) == 6
    distance = np.abs(found.to_numpy()[:, np.newaxis] - possible).min(axis=1)
    assert distance == pytest.approx(0, abs=1e-12)


def test_margins_are_those_of_the_sets(constant) -> None:
    gammas = constant.groupby("data")["gamma"].unique()
    assert set(gammas.index) == {*FIXED, "random, n = 12", "random, n = 30"}
    assert gammas.pop("toy") == [data.TOY_GAMMA]
    assert all(values == [0.2] for values in gammas)


def test_rules_are_told_the_margins() -> None:
    found = losses("horizon_tuned(600)")
    assert np.exp(found["log_step"].to_numpy()) == pytest.approx(600 * found["gamma"] ** 2)


def test_runs_have_random_sets_of_their_own(constant) -> None:
    first = constant[(constant["t"] == 1) & constant["data"].str.startswith("random")]
    assert len(first) == 12
    assert first["log_loss"].nunique() == 12


def test_rules_share_sets_and_samples(constant) -> None:
    # At t = 0 the schedule is 1 too; after that it grows.
    other = losses("reconstructed")
    first = constant["t"] == 1
    assert np.array_equal(constant.loc[first, "log_loss"], other.loc[first, "log_loss"])
    assert not np.array_equal(constant["log_loss"], other["log_loss"])
    assert not np.array_equal(constant["log_loss"], losses("constant(1)", seed=4)["log_loss"])


def test_line_searches_and_single_runs_are_refused() -> None:
    with pytest.raises(ValidationError, match="'armijo' needs a line search"):
        sgd_losses.Cell(rule="armijo")
    with pytest.raises(ValidationError, match="replicas"):
        losses("constant(1)", replicas=1)


def test_estimates_keep_rules_and_sets_apart(constant) -> None:
    table = pd.concat([constant, losses("reconstructed")], ignore_index=True)
    found = estimates.estimate(table)
    assert list(found.columns) == [column.name for column in estimates.COLUMNS]
    assert len(found) == 2 * 6 * constant["t"].nunique()
    assert not found.duplicated(list(estimates.KEY)).any()
    rare = found.drop_duplicates("data").set_index("data")["one_in"]
    assert rare[rare > 0].to_dict() == {"1 in 20": 20, "1 in 100": 100}
    place = {"rule": "reconstructed", "data": "1 in 20", "t": 10}
    one, runs = (part[(part[list(place)] == place).all(axis=1)] for part in (found, table))
    assert one["median"].item() == pytest.approx(runs["log_loss"].median())
    assert one["runs"].item() == 6


def inverse(gamma: float) -> pd.DataFrame:
    cell = sgd_inverse_loss.Cell(gamma=gamma)
    settings = sgd_inverse_loss.Protocol(**SETS, last=3000)
    return pd.DataFrame(sgd_inverse_loss.simulate(cell, settings, np.random.SeedSequence(5)))


def test_inverse_losses_run_away_at_the_predicted_rate() -> None:
    # 2γ² < 1: the points of the two sides push each other back.
    table = inverse(0.1)
    table = table[~table["data"].str.startswith("random")]
    assert (table["rate"] > 0).all()
    # The pair takes a hundred steps or two to start: 10% allow for that.
    measured = np.exp(table["log_loss"].to_numpy()) / 3000
    assert measured == pytest.approx(table["rate"].to_numpy(), rel=0.1)


def test_inverse_losses_converge_at_the_predicted_speed() -> None:
    table = inverse(0.8)
    assert (table["rate"] == 0).all()
    # The random part of the margins is of order √t, against a speed of .29 t and more.
    measured = -table["log_loss"].to_numpy() / 3000
    assert measured == pytest.approx(table["speed"].to_numpy(), rel=0.05)
    assert table["speed"].nunique() == 3 + 2 * 6
