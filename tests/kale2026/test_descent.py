"""GD runs against a plain loop, theorems on monotony, the law, and the rates of the baselines."""

import math

import numpy as np
import pytest

from deeplimits.kale2026 import data, descent, schedules, theory, trace
from deeplimits.kale2026.problem import Problems
from deeplimits.kale2026.trace import Trace

GAMMA = 0.3
SETS = [
    data.synthetic(np.random.default_rng(0), 40, 6, GAMMA, 4),
    data.unbalanced(20, GAMMA),
    data.toy(),
    data.unbalanced(2, GAMMA),
]
PROBLEMS = Problems(SETS)
ALL = np.full((len(SETS), 1), GAMMA)
ALL[2] = data.TOY_GAMMA
RULES = [name if "(" not in name else f"{name.partition('(')[0]}(2)" for name in schedules.names()]


def _run(rule: str, last: int, gamma: np.ndarray = ALL, targets: tuple = ()) -> Trace:
    records = trace.checkpoints(last, 8)
    return descent.run(PROBLEMS, schedules.get(rule), gamma, records, targets)


@pytest.fixture(scope="module")
def law() -> Trace:
    """The reconstructed schedule told γ, twice and half of it."""
    return _run("reconstructed", 2000, ALL * [1.0, 2.0, 0.5])


@pytest.mark.parametrize("rule", ["constant(3)", "loss_normalized(2)", "gradient_normalized(1)"])
def test_against_a_plain_loop(rule: str) -> None:
    got = _run(rule, 60)
    for p, z in enumerate(SETS):
        w, total, work = np.zeros(z.shape[1]), np.zeros(z.shape[1]), []
        losses = []
        for t in range(61):
            loss = np.mean(np.log1p(np.exp(-z @ w)))
            g = -(z.T @ (1 / (1 + np.exp(z @ w)))) / len(z)
            eta = {
                "constant(3)": 3.0,
                "loss_normalized(2)": 2 / loss,
                "gradient_normalized(1)": 1 / (np.linalg.norm(g) * math.sqrt(t + 1)),
            }[rule]
            losses.append(math.log(loss))
            work.append(eta * loss)
            if t == 60:
                break
            w = w - eta * g
            total += w
        last = {name: series[p, 0, -1] for name, series in got.series.items()}
        assert last["log_loss"] == pytest.approx(losses[60], rel=1e-9)
        assert last["norm"] == pytest.approx(np.linalg.norm(w), rel=1e-9)
        assert last["least_margin"] == pytest.approx((z @ w).min(), rel=1e-9)
        assert last["log_step"] == pytest.approx(math.log(eta), rel=1e-9)
        assert last["log_step_loss"] == pytest.approx(math.log(max(work)), rel=1e-9, abs=1e-12)
        average = np.log(np.mean(np.log1p(np.exp(-z @ total / 60))))
        assert last["log_loss_average"] == pytest.approx(average, rel=1e-9)
        assert last["increases"] == np.sum(np.diff(losses) > 0)
        assert last["largest_increase"] == pytest.approx(max(0, np.diff(losses).max()), rel=1e-8)


def test_increases_are_counted_between_records() -> None:
    # η = 200 on the toy set oscillates; only two iterations are recorded.
    coarse = descent.run(PROBLEMS, schedules.get("constant(200)"), ALL, np.array([1, 200]))
    fine = descent.run(PROBLEMS, schedules.get("constant(200)"), ALL, np.arange(1, 201))
    losses = np.concatenate(
        [np.full((4, 1), math.log(math.log(2))), fine.series["log_loss"][:, 0]], 1
    )
    expected = np.sum(np.diff(losses) > 1e-9, axis=1)
    assert expected[2] > 5
    assert coarse.series["increases"][:, 0, -1].tolist() == expected.tolist()


def test_small_constant_steps_never_raise_the_loss() -> None:
    # η = 2 keeps ηL ≤ 2 ln 2 below the limit of descent.
    result = _run("constant(2)", 1000)
    assert not result.series["increases"].any()
    assert np.all(result.series["log_step_loss"] < math.log(theory.DESCENT_LIMIT))


@pytest.mark.parametrize("rule", RULES)
def test_steps_below_the_limit_never_raise_the_loss(rule: str) -> None:
    # One step from a state of depth, whatever the rule: η_t L < 2 implies descent, and λ_max ≤ L.
    records = np.arange(1, 300)
    result = descent.run(PROBLEMS, schedules.get(rule), ALL, records)
    log_loss = result.series["log_loss"]
    stable = result.series["log_step"] + log_loss < math.log(2)
    assert np.all(np.diff(log_loss)[stable[..., :-1]] < 0)
    assert np.all(result.series["log_sharpness"] < log_loss)


def test_reconstructed_descends_and_stays_stable(law: Trace) -> None:
    # Also when told twice or half the margin.
    assert not law.series["increases"].any()
    edge = law.series["log_step"] + law.series["log_sharpness"]
    assert np.all(edge < math.log(theory.DESCENT_LIMIT))


def test_reconstructed_follows_the_law(law: Trace) -> None:
    y = theory.decay(ALL, law.iterations)
    ratio = -law.series["log_loss"][:, 0] / y
    # From y = 3 on, which takes the toy set longest; the sets differ in what they add to y.
    late = law.iterations > theory.time_to_decay(data.TOY_GAMMA, 3.0)
    assert late.sum() > 3
    assert ratio[:, late] == pytest.approx(1, abs=0.06)


def test_wrong_margins_enter_by_their_square(law: Trace) -> None:
    expected = theory.decay_told(ALL, ALL * [1.0, 2.0, 0.5], law.iterations[-1])
    assert -law.series["log_loss"][..., -1] == pytest.approx(expected, rel=0.06)


def test_recorded_margins_are_consistent(law: Trace) -> None:
    # The mean loss is below that of the worst sample; no direction has a margin above γ.
    series = law.series
    worst = -series["least_margin"]
    assert np.all(series["log_loss"] < np.log1p(np.exp(worst)) + 1e-12)
    assert np.all(series["least_margin"] / series["norm"] <= ALL[..., np.newaxis] + 1e-12)
    assert np.all(series["least_margin"][..., -1] / series["norm"][..., -1] > 0.65 * ALL)


def test_batched_runs_equal_single_ones(law: Trace) -> None:
    for p, z in enumerate(SETS):
        single = descent.run(
            Problems([z]), schedules.get("reconstructed"), ALL[p : p + 1], law.iterations
        )
        for name, series in single.series.items():
            assert law.series[name][p, 0] == pytest.approx(series[0, 0], rel=1e-9, abs=1e-12)


def test_constant_step_at_its_leading_rate() -> None:
    mirrored = _run("constant(1)", 1000).series["log_loss"][3, 0, -1]
    assert -mirrored == pytest.approx(theory.constant_step(GAMMA, 1.0, 1000), abs=0.05)


@pytest.mark.parametrize("rule", ["loss_normalized(1)", "large_adaptive(1)"])
def test_loss_adaptive_steps_at_their_leading_rate(rule: str) -> None:
    result = _run(rule, 1000)
    expected = theory.loss_adaptive(ALL, 1.0, 1000)
    assert -result.series["log_loss"][..., -1] == pytest.approx(expected, rel=0.05)
    assert -result.series["log_loss_average"][..., -1] == pytest.approx(expected / 2, rel=0.15)


def test_gradient_normalized_steps_at_their_leading_rate() -> None:
    got = -_run("gradient_normalized(1)", 1000).series["log_loss"][3, 0, -1]
    assert got == pytest.approx(theory.gradient_normalized(GAMMA, 1.0, 1000), rel=0.05)


def test_losses_far_below_the_smallest_double() -> None:
    result = _run("large_adaptive(1000)", 1000)
    mirrored = {name: series[3, 0, -1] for name, series in result.series.items()}
    assert mirrored["log_loss"] == pytest.approx(
        -theory.loss_adaptive(GAMMA, 1000.0, 1000), rel=0.01
    )
    # Both points are at the margin: L = e^{−m}, λ_max = (1 − γ²)L.
    assert mirrored["log_loss"] == pytest.approx(-mirrored["least_margin"], rel=1e-12)
    expected = mirrored["log_loss"] + math.log(1 - GAMMA**2)
    assert mirrored["log_sharpness"] == pytest.approx(expected, rel=1e-12)


def test_armijo_descends_and_counts_its_trials() -> None:
    result = _run("armijo", 150)
    assert not result.series["increases"].any()
    work = result.series["work"][:, 0]
    # At least one trial an iteration, beside the gradient; doubling pays for each halving.
    assert np.all(work >= 2 * result.iterations)
    assert np.all(work <= 4 * result.iterations + 64)
    plain = _run("constant(1)", 150)
    assert np.array_equal(plain.series["work"][:, 0], np.tile(plain.iterations, (4, 1)))


def test_targets_are_checked_at_every_iteration() -> None:
    targets = (-1.0, -2.5, -1e9)
    coarse = _run("armijo", 120, targets=targets)
    records = np.arange(1, 121)
    fine = descent.run(PROBLEMS, schedules.get("armijo"), ALL, records)
    for p in range(len(SETS)):
        for k, target in enumerate(targets[:2]):
            first = np.argmax(fine.series["log_loss"][p, 0] <= target)
            assert coarse.reached[p, 0, k] == records[first]
            assert coarse.reached_work[p, 0, k] == fine.series["work"][p, 0, first]
    assert np.all(coarse.reached[..., 2] == -1)
