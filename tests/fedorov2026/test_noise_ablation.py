"""The experiment of the noise ablation on a network that trains in a moment."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from deeplimits.fedorov2026.experiments import noise_ablation

SMALL = {
    "dataset": "digits",
    "patch_height": 4,
    "patch_width": 4,
    "d": 8,
    "layers": 2,
    "beta": 1.0,
    "contrast": 3.0,
    "test": 0.2,
    "validation": 0.1,
    "steps": 20,
    "batch": 32,
    "warmup": 0.1,
    "weight_decay": 0.1,
    "clip": 1.0,
    "rates": [1e-6, 0.05],
    "tuning_seeds": 1,
    "seeds": 2,
    "suppression": [0.0],
}
CELL = {"values": "trained", "a": 1.0, "horizon": 2.0, "noise": 1.0}


def run(**changes) -> pd.DataFrame:
    cell = noise_ablation.Cell(**{**CELL, **changes})
    rows = noise_ablation.simulate(
        cell, noise_ablation.Protocol(**SMALL), np.random.SeedSequence(3)
    )
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def trained() -> pd.DataFrame:
    return run()


def test_rows(trained):
    assert list(trained) == [column.name for column in noise_ablation.COLUMNS]
    assert not trained.duplicated(list(noise_ablation.ROW_KEY)).any()
    counts = trained.groupby(["role", "measure", "mu"]).size().to_dict()
    accuracies = {
        ("test", name, mu): 2 for name in ("train", "validation", "test") for mu in (0, 1)
    }
    cosines = {("test", "cosine", 0): 6, ("test", "cosine", 1): 6, ("test", "start_cosine", 1): 6}
    assert counts == {("tuning", "validation", 1): 2, **accuracies, **cosines}


def test_the_rate_that_validates_better_is_taken(trained):
    """A rate of 1e-6 learns nothing in 20 steps."""
    tuning = trained[trained["role"] == "tuning"].set_index("rate")["value"]
    assert tuning[0.05] > tuning[1e-6] + 0.1
    assert set(trained.loc[trained["role"] == "test", "rate"]) == {0.05}


def test_the_same_bits_again(trained):
    pd.testing.assert_frame_equal(run(), trained, check_exact=True)


def test_frozen_values_have_no_arm_c():
    frozen = run(values="frozen", noise=0.0)
    assert set(frozen["mu"]) == {1.0}


def test_levels_are_paired(trained):
    """Embedded tokens before training are the same at every level and horizon: layer 0 of it."""
    other = run(values="frozen", a=0.0, horizon=9.0, noise=0.25)
    first = [
        frame[(frame["measure"] == "start_cosine") & (frame["layer"] == 0)]["value"].to_numpy()
        for frame in (trained, other)
    ]
    assert np.array_equal(*first)


@pytest.mark.parametrize(
    ("axis", "value"), [("a", -1.0), ("horizon", 0.0), ("noise", -0.1), ("values", "thawed")]
)
def test_bad_axes_are_refused_by_name(axis, value):
    with pytest.raises(ValidationError, match=axis):
        noise_ablation.Cell(**{**CELL, axis: value})


@pytest.mark.parametrize(
    ("key", "value"),
    [("dataset", "fashion"), ("rates", [0.1] * 5), ("suppression", [1.0]), ("seeds", 1)],
)
def test_bad_settings_are_refused_by_name(key, value):
    with pytest.raises(ValidationError, match=key):
        noise_ablation.Protocol(**{**SMALL, key: value})


def test_the_chain_starts_without_jax():
    code = (
        "import sys; from deeplimits.fedorov2026.experiments import noise_ablation; "
        "sys.exit(bool({'jax', 'optax', 'sklearn'} & set(sys.modules)))"
    )
    environment = {"PYTHONPATH": ":".join(sys.path)}
    assert (
        subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
    )
