"""`real_data`: digits by a plain loop, and the way of MNIST with images of its shape.

The download of MNIST itself has not been run; its loader is tested on a small file elsewhere.
"""

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from deeplimits import datasets
from deeplimits.kale2026 import images
from deeplimits.kale2026.estimates import real_data as estimates
from deeplimits.kale2026.experiments import real_data

EASY = {"dataset": "digits", "positive": 0, "negative": 8, "last": 40}


def table(samples: int = 1000, **axes) -> pd.DataFrame:
    cell = real_data.Cell(**{**EASY, "algorithm": "gd", "rule": "constant(9)", **axes})
    settings = real_data.Protocol(samples=samples, replicas=3, per_decade=5)
    rows = real_data.simulate(cell, settings, np.random.SeedSequence(2))
    return pd.DataFrame({**cell.model_dump(), **rows})


def test_gd_is_one_run_as_by_a_plain_loop() -> None:
    found = table(rule="horizon_tuned(600)")  # η = 600 γ²: told the margin
    z, proved = images.separable("digits", 0, 8)
    w, expected = np.zeros(z.shape[1]), []
    for t in range(1, 41):
        w = w + 600 * proved.gamma**2 * ((1 / (1 + np.exp(z @ w))) @ z) / len(z)
        if t in set(found["t"]):
            loss = np.log(np.mean(np.log1p(np.exp(-z @ w))))
            expected.append((t, loss, (z @ w).min() / np.linalg.norm(w) / proved.gamma))
    got = found[["t", "log_loss", "normalized_margin"]].to_numpy()
    assert got == pytest.approx(np.array(expected), rel=1e-9)
    assert set(found["replica"]) == {0}
    assert (found["gamma"] == proved.gamma).all()
    assert (found["n"] == z.shape[0]).all()
    assert (found["d"] == z.shape[1]).all()


def test_sgd_runs_differ_and_rules_share_their_samples() -> None:
    one, other = (table(algorithm="sgd", rule=rule) for rule in ("constant(1)", "reconstructed"))
    first = one["t"] == 1
    assert one.loc[~first].groupby("t")["log_loss"].nunique().eq(3).all()
    assert np.array_equal(one.loc[first, "log_loss"], other.loc[first, "log_loss"])
    assert not np.array_equal(one["log_loss"], other["log_loss"])


def test_line_search_is_for_gd_only() -> None:
    real_data.Cell(**EASY, algorithm="gd", rule="armijo")
    with pytest.raises(ValidationError, match="'armijo' needs a line search"):
        real_data.Cell(**EASY, algorithm="sgd", rule="armijo")
    with pytest.raises(ValidationError, match="positive"):
        real_data.Cell(**{**EASY, "positive": 10}, algorithm="gd", rule="armijo")


def test_mnist_is_loaded_where_asked_and_cut_to_its_samples(monkeypatch) -> None:
    digits = datasets.digits()
    # 28×28 like MNIST, with a rim of zeros.
    large = np.pad(digits.pixels.repeat(3, axis=1).repeat(3, axis=2), ((0, 0), (2, 2), (2, 2)))
    asked = []

    def load(name: str) -> datasets.Images:
        asked.append(name)
        return datasets.Images(large, digits.labels)

    monkeypatch.setattr(datasets, "load", load)
    found = table(dataset="mnist", samples=100)
    assert asked == ["mnist"]
    chosen = np.flatnonzero(np.isin(digits.labels, (0, 8)))[:100]
    assert (found["n"] == 100).all()
    assert (found["d"] == np.count_nonzero(large[chosen].any(axis=0))).all()
    assert found["d"].iloc[0] < 576
    small = table(samples=100)  # every pixel nine times: the same problem
    monkeypatch.undo()
    assert table(samples=100)["log_loss"].to_numpy() == pytest.approx(found["log_loss"].to_numpy())
    assert small["gamma"].to_numpy() == pytest.approx(found["gamma"].to_numpy())


def test_estimates_by_pair_and_rule() -> None:
    runs = pd.concat(
        [table(), table(positive=4), table(algorithm="sgd", rule="constant(30)", last=60)],
        ignore_index=True,
    )
    found = estimates.estimate(runs)
    assert list(found.columns) == [column.name for column in estimates.COLUMNS]
    assert not found.duplicated(list(estimates.KEY)).any()
    last = found[found["t"] == found["last"]].set_index(["algorithm", "positive"])
    assert last["runs"].to_dict() == {("gd", 0): 1, ("gd", 4): 1, ("sgd", 0): 3}
    assert last["gamma"].nunique() == 2
    raw = runs[(runs["algorithm"] == "sgd") & (runs["t"] == 60)]
    assert last.loc[("sgd", 0), "margin"] == raw["normalized_margin"].median()
    assert last.loc[("sgd", 0), "increases"] == raw["increases"].max() > 0
