"""Runs of two tokens: depths, counts, agreement with theory, and input that is refused."""

import copy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from deeplimits import config
from deeplimits.errors import UserError
from deeplimits.fedorov2026 import outcomes, theory, two_tokens
from deeplimits.fedorov2026.experiments import phase_diagram, transition
from deeplimits.fedorov2026.outcomes import Outcomes
from deeplimits.fedorov2026.pair import PairLayer

CONFIG = Path(__file__).parents[2] / "config.yaml"
NEVER = Outcomes(-np.inf, 300.0)
RUNS = {"clock": 20.0, "longest": 500.0, "doubt": 1e-3, "gap": 1e-3, "replicas": 50, "block": 20}


def model(d: int, beta: float) -> two_tokens.Model:
    return two_tokens.Model(d=d, beta=beta)


def run(d, beta, starts, *, epsilon=0.2, doublings=0, seed=1, **changes) -> pd.DataFrame:
    settings = two_tokens.Runs(**{**RUNS, **changes})
    seed = np.random.SeedSequence(seed)
    return pd.DataFrame(
        two_tokens.simulate(model(d, beta), starts, epsilon, doublings, settings, seed)
    )


@pytest.mark.parametrize(("d", "beta"), [(2, 0.0), (3, 1.0), (8, 0.5), (64, 3.3)])
def test_both_clocks_run_long_enough(d, beta):
    layers = two_tokens.horizons(model(d, beta), 0.1, 2, two_tokens.Runs(**RUNS | {"longest": 1e4}))
    np.testing.assert_array_equal(layers, layers[0] * np.array([1, 2, 4]))
    depth = layers[-1] * 0.1 / (d - 1)
    slow = min(d - 1, abs(theory.exponent_antipodal(beta, d)))
    assert 20 <= slow * depth < 20 + slow * 4 * 0.1 / (d - 1) + 1e-9


@pytest.mark.parametrize("beta", [theory.critical_beta(16), 1.7])
def test_horizon_is_capped_at_the_transition(beta):
    layers = two_tokens.horizons(model(16, beta), 0.1, 0, two_tokens.Runs(**RUNS))
    np.testing.assert_array_equal(layers, [5000])


def test_counts_add_up_and_keep_settled_runs():
    table = run(3, 1.0, [-0.9, 0.5], doublings=3)
    outcome = table[["antipodal", "consensus", "undecided"]]
    assert (outcome >= 0).all(axis=None)
    assert (outcome.sum(axis=1) == 50).all()
    np.testing.assert_array_equal(table["rho0"], [-0.9] * 4 + [0.5] * 4)
    np.testing.assert_allclose(table["t"], table["layer"] * 0.1)
    last = table[table["layer"] == table["layer"].max()]
    assert (last["undecided"] + last["between"] < 10).all()
    assert (last["antipodal"] <= last["opposite"]).all()
    assert last["antipodal"].is_monotonic_decreasing  # fewer from ρ₀ = .5


def test_blocks_keep_their_bits_when_runs_are_added():
    """20 runs in one block, then 40: the first block's counts are part of the sum."""
    few, more = (run(3, 1.0, [0.0], replicas=n) for n in (20, 40))
    counts = ["antipodal", "consensus", "undecided", "opposite", "between"]
    added = more[counts] - few[counts]
    assert (added >= 0).all(axis=None)
    assert added[["antipodal", "consensus", "undecided"]].sum(axis=1).item() == 20
    pd.testing.assert_frame_equal(few, run(3, 1.0, [0.0], replicas=20))
    assert not few.equals(run(3, 1.0, [0.0], replicas=20, seed=2))


def shares(d, beta, rho0, settled, seed, size=4000, epsilon=0.1, layers=(150, 300)):
    layer = PairLayer(beta=beta, d=d, dt=epsilon / (d - 1))
    generator = np.random.default_rng(seed)
    rule = outcomes.rule(beta, d)
    return two_tokens.count(generator, layer, [rho0], size, np.array(layers), rule, settled)[:, 0]


def test_leaving_settled_runs_out_changes_no_law():
    """Two samples of 4000: all counts at both depths within 4 standard errors (P ≈ 5e-4 in all).

    A bound that is too lax must be caught: doubt .3 instead of 1e-3.
    """
    full = shares(3, 1.0, -0.5, NEVER, 1)
    strict = shares(3, 1.0, -0.5, outcomes.rule(1.0, 3, 1e-3, 1e-6), 2)
    lax = shares(3, 1.0, -0.5, outcomes.rule(1.0, 3, 0.3, 0.3), 2)

    def z(other):
        return (other - full) / np.sqrt(np.maximum(other + full, 1))

    assert np.abs(z(strict)).max() < 4
    assert np.abs(z(lax)).max() > 8


@pytest.mark.parametrize(("d", "beta", "rho0"), [(2, 1.0, 0.3), (3, 1.5, -0.9), (5, 2.0, -0.6)])
def test_frequencies_are_those_of_theory(d, beta, rho0):
    """4000 runs within 4 standard errors of p plus .01 for the step; β smaller by .5 is not."""
    row = run(d, beta, [rho0], epsilon=0.05, replicas=4000, block=4000, clock=30.0).iloc[0]
    share = (row["antipodal"] + row["undecided"] / 2) / 4000
    assert row["undecided"] < 60

    def off(other):
        p = float(theory.antipodal_probability(other, d, rho0))
        return abs(share - p) / (4 * np.sqrt(p * (1 - p) / 4000) + 0.01)

    assert off(beta) < 1
    assert d == 2 or off(beta - 0.5) > 1


def test_below_the_transition_all_meet():
    table = run(8, 0.75, [-0.9, 0.0], epsilon=0.1, replicas=500, block=500, clock=30.0)
    assert (table["antipodal"] == 0).all()
    assert (table["consensus"] >= 498).all()


def test_pairs_between_and_opposite_are_told_apart():
    """One tiny step from a given place leaves the pair there."""
    for rho0, opposite, between in [(-0.9999, 5, 0), (0.0, 0, 5), (0.9999, 0, 0)]:
        counts = shares(3, 1.0, rho0, NEVER, 1, size=5, epsilon=1e-12, layers=(1,))
        np.testing.assert_array_equal(counts[2:, 0], [opposite, between])


def test_experiments_share_the_runs():
    """The same seed, model and start give the same last row in both experiments."""
    seed = np.random.SeedSequence(3)
    diagram = phase_diagram.simulate(
        phase_diagram.Cell(d=3, beta=1.0),
        phase_diagram.Protocol(**RUNS, starts=[0.0], epsilon=0.2),
        seed,
    )
    along = transition.simulate(
        transition.Cell(d=3, beta=1.0, rho0=0.0, epsilon=0.2),
        transition.Protocol(**RUNS, doublings=0),
        seed,
    )
    assert diagram.pop("rho0") == [0.0]
    assert set(along) == {column.name for column in transition.COLUMNS}
    for name, values in along.items():
        np.testing.assert_array_equal(diagram[name], values)


def place(raw: dict, experiment: str) -> dict:
    return raw["papers"]["fedorov2026"][experiment]


WRONG = [
    ("phase_diagram", "grid", "d", 1),
    ("phase_diagram", "grid", "beta", -0.5),
    ("phase_diagram", "grid", "beta", float("inf")),
    ("phase_diagram", "grid", "beta", float("nan")),
    ("phase_diagram", "settings", "starts", [1.0]),
    ("phase_diagram", "settings", "starts", [-1.5]),
    ("phase_diagram", "settings", "clock", 0.0),
    ("phase_diagram", "settings", "longest", -1.0),
    ("phase_diagram", "settings", "epsilon", 0.0),
    ("transition", "grid", "d", 1),
    ("transition", "grid", "beta", -0.5),
    ("transition", "grid", "rho0", -1.0),
    ("transition", "grid", "rho0", float("nan")),
    ("transition", "grid", "epsilon", 0.0),
    ("transition", "settings", "clock", -20.0),
    ("transition", "settings", "doubt", 0.02),
]


@pytest.mark.parametrize(("experiment", "part", "name", "value"), WRONG)
def test_bad_input_is_stopped_by_name(shipped, experiment, part, name, value):
    raw = copy.deepcopy(shipped)
    if part == "grid":
        place(raw, experiment)["grid"][0][name] = [value]
    else:
        place(raw, experiment)["settings"][name] = value
    with pytest.raises(UserError, match=rf"fedorov2026\.{experiment}\.{part}.*\b{name}\b"):
        config.validate(raw)


@pytest.fixture(scope="module")
def shipped() -> dict:
    raw = config.read_file(CONFIG)
    config.validate(raw)
    return raw
