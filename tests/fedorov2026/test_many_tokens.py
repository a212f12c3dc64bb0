"""`many_tokens`: depths, counts, settled runs, and both dynamics against independent answers."""

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from deeplimits import attention, rng, sphere
from deeplimits.fedorov2026 import formations, gram
from deeplimits.fedorov2026.estimates.many_tokens import uniform_start
from deeplimits.fedorov2026.experiments import many_tokens as experiment

CELL = {"dynamics": "noise", "n": 3, "d": 3, "beta": 2.0, "horizon": 4.0}
PROTOCOL = {"noise_step": 0.1, "flow_step": 0.05, "doublings": 3, "tolerance": 0.1, "bins": 8}
PROTOCOL |= {"replicas": 50, "pairs": 10**6, "fewest": 2, "block": 30}
SEED = np.random.SeedSequence(3)


def run(settings: dict | None = None, **cell) -> pd.DataFrame:
    protocol = experiment.Protocol(**PROTOCOL | (settings or {}))
    return pd.DataFrame(experiment.simulate(experiment.Cell(**CELL | cell), protocol, SEED))


def counts(table: pd.DataFrame, quantity: str, t: float) -> np.ndarray:
    rows = table[(table["quantity"] == quantity) & np.isclose(table["t"], t)]
    return rows.sort_values("item")["count"].to_numpy()


@pytest.mark.parametrize(
    ("cell", "largest"),
    [({}, 0.05), ({"d": 9}, 0.0125), ({"dynamics": "flow", "d": 9}, 0.05)],
)
def test_depths_and_step(cell, largest):
    table = run(settings={"replicas": 2}, **cell)
    fractions = np.array([5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32]) / 32
    np.testing.assert_allclose(table["t"].unique(), 4.0 * fractions)
    np.testing.assert_allclose(table["layer"] * table["dt"], table["t"])
    dt = table["dt"].unique().item()
    assert dt <= largest
    assert 4.0 / dt < 4.0 / largest + 32 + 1e-9  # no finer than whole eighths ask for


def test_counts_are_of_all_runs_and_pairs():
    table = run(n=5, beta=3.0)
    for _, rows in table.groupby("t"):
        totals = rows.groupby("quantity")["count"].sum()
        runs = rows.groupby("quantity")["runs"].first()
        antipodal = rows.loc[(rows["quantity"] == "outcome") & (rows["item"] == 2), "count"].item()
        assert totals["outcome"] == runs["outcome"] == 50
        assert totals["cosine"] == 50 * 10
        if antipodal:
            assert totals["minority"] == runs["minority"] == antipodal
    assert antipodal > 10  # the comparison above is made
    assert not table.duplicated(list(experiment.ROW_KEY)).any()


def test_rows_of_known_records():
    """Three runs, antipodal at t/4: one lasts, one merges, one is undecided."""
    depths = 9
    outcome = np.zeros((depths, 4), dtype=int)
    outcome[0] = [2, 2, 2, 1]
    outcome[8] = [2, 1, 0, 2]
    minority = np.full((depths, 4), 2)
    minority[8] = [1, 0, 0, 2]
    cosines = np.zeros((depths, 4, 2), dtype=int)
    cosines[8] = [[4, 6], [0, 10], [5, 5], [6, 4]]
    rows = experiment._rows(experiment.Records(outcome, minority, cosines), 8, n=5)
    assert rows == [
        ("outcome", 0, 0.0, 1, 1, 4, 1),
        ("outcome", 1, 1.0, 1, 1, 4, 1),
        ("outcome", 2, 2.0, 2, 2, 4, 1),
        ("minority", 1, 0.2, 1, 1, 2, 1),
        ("minority", 2, 0.4, 1, 1, 2, 1),
        ("kept", 0, 0.0, 1, 1, 3, 1),
        ("kept", 1, 1.0, 1, 1, 3, 1),
        ("kept", 2, 2.0, 1, 1, 3, 1),
        ("cosine", 0, -0.5, 15, 16 + 25 + 36, 4, 10),
        ("cosine", 1, 0.5, 25, 36 + 100 + 25 + 16, 4, 10),
    ]


def test_histograms_include_both_ends():
    cosines = np.array([[-1.0, -1.0 - 1e-16, 1.0 + 1e-15, 0.49], [0.0, 0.1, 0.51, -0.6]])
    expected = [np.histogram(np.clip(row, -1, 1), bins=4, range=(-1, 1))[0] for row in cosines]
    np.testing.assert_array_equal(experiment.histograms(cosines, 4), expected)


@pytest.mark.parametrize(("n", "runs"), [(2, 100), (10, 100), (20, 25), (64, 10)])
def test_fewer_runs_of_many_tokens(n, runs):
    protocol = PROTOCOL | {"replicas": 100, "pairs": 10000, "fewest": 10}
    assert experiment.Protocol(**protocol).runs(n) == runs


def test_dynamics_share_their_start():
    """Where they have no time to move, hence not where they have."""
    tables = [run(dynamics=name, horizon=1e-12) for name in ("noise", "flow")]
    np.testing.assert_array_equal(*(counts(table, "cosine", 1e-12) for table in tables))
    moved = [run(dynamics=name) for name in ("noise", "flow")]
    assert (counts(moved[0], "cosine", 4.0) != counts(moved[1], "cosine", 4.0)).any()


def test_two_tokens_end_antipodal_as_often_as_predicted():
    """1500 pairs: within 3.5 errors of the limit .364 (5e-4), unlike those of d = 4, .281."""
    runs = 1500
    table = run(settings={"replicas": runs, "block": runs}, n=2, horizon=16.0)
    undecided, _, antipodal = counts(table, "outcome", 16.0)
    error = np.sqrt(0.36 * 0.64 / runs)
    assert undecided <= 3
    assert abs(antipodal / runs - uniform_start(2.0, 3)) < 3.5 * error
    assert abs(antipodal / runs - uniform_start(2.0, 4)) > 3.5 * error


def runge_kutta(x: np.ndarray, beta: float, horizon: float, steps: int) -> np.ndarray:
    """dx_i/dt = P_i m_i by the classical method, the reference for the flow."""

    def speed(x):
        means = attention.weights(sphere.gram(x), beta) @ x
        return means - np.einsum("rik,rik->ri", x, means)[..., None] * x

    h = horizon / steps
    for _ in range(steps):
        k1 = speed(x)
        k2 = speed(x + h / 2 * k1)
        k3 = speed(x + h / 2 * k2)
        k4 = speed(x + h * k3)
        x = sphere.normalize(x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
    return x


def test_flow_ends_as_by_runge_kutta():
    """Counts of 200 runs of six tokens differ by 4 in all; by 24 from those at 10% more speed."""
    settings = {"replicas": 200, "block": 200, "flow_step": 0.02}
    found = counts(run(settings, dynamics="flow", n=6), "outcome", 4.0)
    generator, _ = next(rng.blocks(SEED, 200, 200))
    start = gram.uniform(generator, 200, 6, 3)

    def reference(horizon):
        end = sphere.gram(runge_kutta(start, 2.0, horizon, 80))
        return np.bincount(formations.classify(end).outcome, minlength=3)

    assert np.abs(found - reference(4.0)).sum() <= 8
    assert np.abs(found - reference(4.4)).sum() > 8


def test_settled_runs_would_not_change(monkeypatch):
    settings, cell = {"tolerance": 0.01}, {"dynamics": "flow", "horizon": 30.0, "beta": 1.0}
    stopped = run(settings, **cell)
    work = []
    evolve = experiment.evolve

    def counted(generator, x, layer, layers):
        work.append(len(x) * layers)
        return evolve(generator, x, layer, layers)

    monkeypatch.setattr(experiment, "evolve", counted)
    pd.testing.assert_frame_equal(run(settings, **cell), stopped)
    less = sum(work)
    monkeypatch.setattr(experiment, "SETTLED", -1.0)
    work.clear()
    pd.testing.assert_frame_equal(run(settings, **cell), stopped)
    assert less < 0.8 * sum(work)


@pytest.mark.parametrize(
    ("axis", "value"),
    [("n", 1), ("d", 1), ("beta", -1.0), ("beta", np.inf), ("horizon", 0.0), ("dynamics", "heat")],
)
def test_bad_axes_are_named(axis, value):
    with pytest.raises(ValidationError, match=rf"(?m)^{axis}$"):
        experiment.Cell(**CELL | {axis: value})


@pytest.mark.parametrize(("name", "value"), [("tolerance", 0.5), ("doublings", 1), ("fewest", 1)])
def test_bad_settings_are_named(name, value):
    with pytest.raises(ValidationError, match=rf"(?m)^{name}$"):
        experiment.Protocol(**PROTOCOL | {name: value})
