"""Gradient descent from w₀ = 0 under a step-size rule, on all data sets and runs at once."""

import numpy as np

from deeplimits.kale2026 import trace
from deeplimits.kale2026.problem import Gradient, Problems, norm
from deeplimits.kale2026.step_rules import Rule
from deeplimits.kale2026.trace import Trace

ROUNDING = 1e-12
"""Changes of ln L below ROUNDING · (1 + |ln L|) are not counted as increases."""


class FullObservation:
    """What GD shows a rule of w_t: the full loss and gradient, and trial steps."""

    def __init__(
        self, problems: Problems, w: np.ndarray, log_loss: np.ndarray, gradient: Gradient
    ) -> None:
        self._problems = problems
        self._w = w
        self._gradient = gradient
        self.log_loss = log_loss
        self.trials = np.zeros(log_loss.shape, dtype=np.int64)

    @property
    def log_gradient_norm(self) -> np.ndarray:
        """Logarithm of |∇L(w_t)|."""
        return self._gradient.log_norm

    def log_loss_after(self, log_step: np.ndarray, where: np.ndarray) -> np.ndarray:
        """Return ln L(w_t − η∇L(w_t)), counted as one trial of the runs `where`."""
        self.trials += where
        w = self._w + self._gradient.displacement(log_step)
        return self._problems.log_loss(self._problems.margins(w))


def run(
    problems: Problems,
    rule: Rule,
    gamma: np.ndarray,
    records: np.ndarray,
    targets: np.ndarray = (),
) -> Trace:
    """Run w_{t+1} = w_t − η_t ∇L(w_t) up to the last of `records`.

    Parameters
    ----------
    problems : Problems
        P data sets.
    rule : Rule
        Gives η_t.
    gamma : ndarray
        (P, S), the margin that each run tells its rule, true or not; S is the number of runs.
    records : ndarray
        (K,), iterations t ≥ 1 at which w_t is recorded, increasing.
    targets : ndarray
        Values of ln L whose first passage is noted, checked at every iteration.

    Returns
    -------
    Trace
        Its series, all of w_t and all dimensionless: log_loss, ln L; log_loss_average, ln L of
        the mean of w_1, …, w_t; log_step, ln η_t; log_sharpness, ln λ_max(∇²L); least_margin,
        min_i ⟨z_i, w_t⟩; norm, |w_t|; increases, the number of steps up to t that raised the
        loss; largest_increase, the largest change of ln L in one of them, else 0;
        log_step_loss, the largest ln(η L) of the steps up to and including the one from w_t;
        work, gradients and trial losses computed to reach w_t.

    Raises
    ------
    ValueError
        If `records` do not increase from 1 or later, or a margin is outside (0, 1].
    """
    trace.check(records)
    log_step_of = rule.start(gamma)
    w = np.zeros((*gamma.shape, problems.dimension))
    state = _Counters(gamma.shape, targets)
    total = np.zeros_like(w)
    rows: list[dict[str, np.ndarray]] = []
    for t in range(int(records[-1]) + 1):
        m = problems.margins(w)
        log_loss, gradient = problems.loss_and_gradient(m)
        state.arrive(t, log_loss)
        seen = FullObservation(problems, w, log_loss, gradient)
        log_step = log_step_of(t, seen)
        state.leave(log_step, seen.trials)
        if t == records[len(rows)]:
            rows.append(
                {
                    **_measure(problems, w, m, total / t),
                    "log_loss": log_loss,
                    "log_step": log_step,
                    **state.row(),
                }
            )
        if t == records[-1]:
            break
        w += gradient.displacement(log_step)
        total += w
    series = {name: np.stack([row[name] for row in rows], axis=-1) for name in rows[0]}
    passages = state.passages
    return Trace(np.asarray(records), series, passages.reached, passages.work, w)


def _measure(
    problems: Problems, w: np.ndarray, m: np.ndarray, average: np.ndarray
) -> dict[str, np.ndarray]:
    return {
        "log_loss_average": problems.log_loss(problems.margins(average)),
        "log_sharpness": problems.log_sharpness(m),
        "least_margin": m.min(axis=-1),
        "norm": norm(w),
    }


class _Counters:
    """What is followed at every iteration, recorded or not."""

    def __init__(self, shape: tuple[int, int], targets: np.ndarray) -> None:
        self.passages = trace.Passages(targets, shape)
        self._previous = np.full(shape, np.inf)
        self._increases = np.zeros(shape, dtype=np.int64)
        self._largest = np.zeros(shape)
        self._step_loss = np.full(shape, -np.inf)
        self._work = np.zeros(shape, dtype=np.int64)
        self._next_work = self._work

    def arrive(self, t: int, log_loss: np.ndarray) -> None:
        self._work = self._next_work
        self.passages.update(t, log_loss, self._work)
        change = log_loss - self._previous
        self._previous = log_loss
        raised = change > ROUNDING * (1.0 + np.abs(log_loss))
        if raised.any():
            self._increases = self._increases + raised
            self._largest = np.where(raised, np.maximum(self._largest, change), self._largest)

    def leave(self, log_step: np.ndarray, trials: np.ndarray) -> None:
        self._step_loss = np.maximum(self._step_loss, log_step + self._previous)
        self._next_work = self._work + 1 + trials

    def row(self) -> dict[str, np.ndarray]:
        return {
            "increases": self._increases,
            "largest_increase": self._largest,
            "log_step_loss": self._step_loss,
            "work": self._work,
        }
