"""Stochastic gradient descent, one sample a step, on all data sets and runs at once."""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from deeplimits.kale2026 import logistic, trace
from deeplimits.kale2026.problem import Problems, norm
from deeplimits.kale2026.step_rules import Rule, refuse_search
from deeplimits.kale2026.trace import Trace

BLOCK = 1024
"""Steps whose samples are drawn together."""

Sampler = Callable[[int], np.ndarray]
"""sampler(steps) → the indices of the next samples, (steps, P, S)."""


def uniform(rng: np.random.Generator, problems: Problems, runs: int) -> Sampler:
    """Sample with replacement, uniformly: independent draws for every step, data set and run."""
    counts = problems.counts[:, np.newaxis]
    return lambda steps: rng.integers(0, counts, (steps, len(problems), runs))


class SampleObservation:
    """What SGD shows a rule of w_t: loss and gradient of the sample drawn, and nothing else."""

    def __init__(self, z: np.ndarray, m: np.ndarray) -> None:
        self._z = z
        self.log_loss, self.log_slope = logistic.log_loss_and_slope(m)

    @cached_property
    def log_gradient_norm(self) -> np.ndarray:
        """Logarithm of |∇ℓ_{i_t}(w_t)|."""
        return self.log_slope + np.log(norm(self._z))


def run(
    problems: Problems,
    rule: Rule,
    gamma: np.ndarray,
    records: np.ndarray,
    sampler: Sampler,
    targets: np.ndarray = (),
) -> Trace:
    """Run w_{t+1} = w_t − η_t ∇ℓ_{i_t}(w_t) from w₀ = 0 up to the last of `records`.

    Parameters
    ----------
    problems, rule, gamma, records
        As for `descent.run`.
    sampler : callable
        The samples i_t: `uniform`, or any other source.
    targets : ndarray
        Values of ln L whose first passage is noted, looked for at the recorded iterations only.

    Returns
    -------
    Trace
        Its series, all of w_t and all dimensionless: log_loss, ln L of the full loss;
        log_loss_average, ln L of the mean of w_1, …, w_t; log_step, ln η of the last step, the one
        to w_t; least_margin; norm; increases, how often the full loss was above the one recorded
        before. The full loss costs as much as n steps and is not computed between records, so
        what happens between them goes unseen. Work is t sample gradients.

    Raises
    ------
    ValueError
        If `records` do not increase from 1 or later, or the rule needs a line search.
    """
    trace.check(records)
    refuse_search(rule)
    log_step_of = rule.start(gamma)
    P, S = gamma.shape
    flat = problems.points.reshape(-1, problems.dimension)
    first = (np.arange(P) * problems.points.shape[1])[:, np.newaxis]
    w = np.zeros((P, S, problems.dimension))
    total = np.zeros_like(w)
    previous = np.full((P, S), np.inf)
    increases = np.zeros((P, S), dtype=np.int64)
    passages = trace.Passages(targets, (P, S))
    rows: list[dict[str, np.ndarray]] = []
    for t in range(int(records[-1])):
        if t % BLOCK == 0:
            drawn = first + sampler(BLOCK)
        z = flat[drawn[t % BLOCK]]
        seen = SampleObservation(z, np.einsum("psd,psd->ps", z, w))
        log_step = log_step_of(t, seen)
        w += np.exp(log_step + seen.log_slope)[..., np.newaxis] * z
        total += w
        if t + 1 == records[len(rows)]:
            m = problems.margins(w)
            log_loss = problems.log_loss(m)
            increases = increases + (log_loss > previous)
            previous = log_loss
            passages.update(t + 1, log_loss, np.full((P, S), t + 1))
            rows.append(
                {
                    "log_loss": log_loss,
                    "log_loss_average": problems.log_loss(problems.margins(total / (t + 1))),
                    "log_step": log_step,
                    "least_margin": m.min(axis=-1),
                    "norm": norm(w),
                    "increases": increases,
                }
            )
    series = {name: np.stack([row[name] for row in rows], axis=-1) for name in rows[0]}
    return Trace(np.asarray(records), series, passages.reached, passages.work, w)
