"""SGD runs against a plain loop, unbiasedness, and what was found for the rules."""

import math

import numpy as np
import pytest

from deeplimits.kale2026 import data, schedules, stochastic, theory, trace
from deeplimits.kale2026.problem import Problems

GAMMA = 0.1
SETS = [
    data.synthetic(np.random.default_rng(0), 40, 6, GAMMA, 4),
    data.unbalanced(20, GAMMA),
    data.unbalanced(2, GAMMA),
]
PROBLEMS = Problems(SETS)
SEEDS = 8
ALL = np.full((len(SETS), SEEDS), GAMMA)


def _sampler(seed: int = 0, runs: int = SEEDS) -> stochastic.Sampler:
    return stochastic.uniform(np.random.default_rng(seed), PROBLEMS, runs)


@pytest.mark.parametrize("rule", ["constant(3)", "loss_normalized(1)", "gradient_normalized(1)"])
def test_against_a_plain_loop(rule: str) -> None:
    records = np.array([1, 7, 60])
    got = stochastic.run(PROBLEMS, schedules.get(rule), ALL, records, _sampler())
    samples = _sampler()(stochastic.BLOCK)
    for p, z in enumerate(SETS):
        for s in range(0, SEEDS, 3):
            w, total = np.zeros(z.shape[1]), np.zeros(z.shape[1])
            for t in range(60):
                x = z[samples[t, p, s]]
                slope = 1 / (1 + math.exp(x @ w))
                eta = {
                    "constant(3)": 3.0,
                    "loss_normalized(1)": 1 / math.log1p(math.exp(-x @ w)),
                    "gradient_normalized(1)": 1 / (slope * np.linalg.norm(x) * math.sqrt(t + 1)),
                }[rule]
                w = w + eta * slope * x
                total += w
            last = {name: series[p, s, -1] for name, series in got.series.items()}
            loss = np.log(np.mean(np.log1p(np.exp(-z @ w))))
            average = np.log(np.mean(np.log1p(np.exp(-z @ total / 60))))
            assert last["log_loss"] == pytest.approx(loss, rel=1e-9)
            assert last["log_loss_average"] == pytest.approx(average, rel=1e-9)
            assert last["log_step"] == pytest.approx(math.log(eta), rel=1e-9, abs=1e-12)
            assert last["norm"] == pytest.approx(np.linalg.norm(w), rel=1e-9)
            assert last["least_margin"] == pytest.approx((z @ w).min(), rel=1e-9, abs=1e-9)


def test_samples_are_uniform_and_independent() -> None:
    samples = _sampler()(20_000)
    assert samples.shape == (20_000, len(SETS), SEEDS)
    for p, z in enumerate(SETS):
        counts = np.bincount(samples[:, p].ravel(), minlength=len(z))
        assert len(counts) == len(z)
        mean = 20_000 * SEEDS / len(z)
        # χ² within 5 standard errors of its mean.
        chi2 = np.sum((counts - mean) ** 2 / mean)
        assert abs(chi2 - (len(z) - 1)) < 5 * math.sqrt(2 * max(len(z) - 1, 1))
    pairs = np.mean(samples[:, 2, 0] == samples[:, 2, 1])
    assert abs(pairs - 0.5) < 5 * 0.5 / math.sqrt(20_000)


def test_one_step_is_the_gradient_on_average() -> None:
    # Every sample once, each in a run of its own: the mean of the steps is exactly −η∇L.
    runs = 40
    every = np.stack([np.arange(runs) % len(z) for z in SETS])
    gamma = np.full((len(SETS), runs), GAMMA)
    result = stochastic.run(
        PROBLEMS,
        schedules.get("constant(0.7)"),
        gamma,
        np.array([1]),
        lambda steps: np.broadcast_to(every, (steps, *every.shape)),
    )
    zero = PROBLEMS.margins(np.zeros((len(SETS), 1, PROBLEMS.dimension)))
    _, gradient = PROBLEMS.loss_and_gradient(zero)
    expected = gradient.displacement(np.log(0.7) * np.ones((len(SETS), 1)))
    assert result.w.mean(axis=1, keepdims=True) == pytest.approx(expected, rel=1e-12)


def test_batched_runs_equal_single_ones() -> None:
    records = np.array([10, 1500])
    rule = schedules.get("reconstructed_averaged")
    together = stochastic.run(PROBLEMS, rule, ALL, records, _sampler())
    for p, z in enumerate(SETS):
        draws = _sampler()
        single = stochastic.run(
            Problems([z]),
            rule,
            ALL[p : p + 1, 2:3],
            records,
            lambda steps, p=p, draws=draws: draws(steps)[:, p : p + 1, 2:3],
        )
        for name, series in single.series.items():
            assert together.series[name][p, 2] == pytest.approx(series[0, 0], rel=1e-9)


def test_increases_compare_recorded_losses() -> None:
    records = trace.checkpoints(300, 20)
    result = stochastic.run(PROBLEMS, schedules.get("constant(50)"), ALL, records, _sampler())
    rises = np.cumsum(np.diff(result.series["log_loss"], axis=-1) > 0, axis=-1)
    assert rises[..., -1].max() > 5
    assert np.array_equal(result.series["increases"][..., 1:], rises)


def test_targets_are_looked_for_at_records() -> None:
    records = trace.checkpoints(400, 10)
    rule = schedules.get("constant(1)")
    result = stochastic.run(PROBLEMS, rule, ALL, records, _sampler(), targets=(-1.5, -1e9))
    below = result.series["log_loss"] <= -1.5
    expected = np.where(below.any(axis=-1), records[np.argmax(below, axis=-1)], -1)
    assert np.array_equal(result.reached[..., 0], expected)
    assert np.array_equal(result.reached_work[..., 0], expected)
    assert np.all(result.reached[..., 1] == -1)
    assert {-1} < set(expected.ravel().tolist())


@pytest.fixture(scope="module")
def final() -> dict[str, np.ndarray]:
    """Ln L at t = 6000 by rule: (sets, seeds)."""
    names = ("reconstructed", "reconstructed_capped", "reconstructed_averaged", "loss_normalized")
    return {
        name: stochastic.run(
            PROBLEMS, schedules.get(name), ALL, np.array([6000]), _sampler()
        ).series["log_loss"][..., 0]
        for name in names
    }


def test_schedule_without_a_cap_follows_the_law_on_every_set(final: dict) -> None:
    assert -final["reconstructed"] == pytest.approx(theory.decay(GAMMA, 6000), rel=0.05)


def test_averaged_losses_replace_the_margin_on_every_set(final: dict) -> None:
    assert -final["reconstructed_averaged"] == pytest.approx(theory.decay(GAMMA, 6000), rel=0.1)


def test_averaging_lags_as_predicted() -> None:
    # 1 − .957 and 1 − .910 of −ln L in the limit; at t = 20 000 about .01 less than that.
    gamma = np.array([[0.1], [0.3]])
    pairs = Problems([data.unbalanced(2, g) for g in gamma[:, 0]])
    result = stochastic.run(
        pairs,
        schedules.get("reconstructed_averaged"),
        gamma,
        np.array([20_000]),
        stochastic.uniform(np.random.default_rng(0), pairs, 1),
    )
    ratio = -result.series["log_loss"][..., 0] / theory.decay(gamma, 20_000)
    assert ratio == pytest.approx(np.cbrt(1 - theory.averaged_lag(gamma)), abs=0.015)


def test_cap_by_the_sample_works_only_on_balanced_sets(final: dict) -> None:
    y = theory.decay(GAMMA, 6000)
    assert -final["reconstructed_capped"][[0, 2]] == pytest.approx(y, rel=0.05)
    assert np.all(-final["reconstructed_capped"][1] < 0.6 * y)


def test_uncapped_inverse_losses_diverge(final: dict) -> None:
    assert np.all(final["loss_normalized"] > 2)


def test_line_searches_are_refused() -> None:
    with pytest.raises(ValueError, match="'armijo' needs a line search"):
        stochastic.run(PROBLEMS, schedules.get("armijo"), ALL, np.array([1]), _sampler())
