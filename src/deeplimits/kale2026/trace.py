"""When the drivers record, and what they return."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


def checkpoints(last: int, per_decade: int) -> np.ndarray:
    """Return log-spaced iterations from 1 to `last`, both included, each once.

    Raises
    ------
    ValueError
        If either argument is below 1.
    """
    if last < 1 or per_decade < 1:
        raise ValueError(f"last and per_decade must be at least 1, got {last} and {per_decade}")
    count = int(np.ceil(per_decade * np.log10(last))) + 1
    return np.unique(np.rint(np.geomspace(1, last, count)).astype(np.int64))


def check(records: np.ndarray) -> None:
    """Refuse iterations to record that are not increasing, or start before the first step."""
    if len(records) == 0 or records[0] < 1 or np.any(np.diff(records) <= 0):
        raise ValueError("iterations to record must increase and start at 1 or later")


@dataclass(frozen=True)
class Trace:
    """Recorded runs: P data sets, S runs on each, K recorded iterations.

    Attributes
    ----------
    iterations
        (K,), t.
    series
        Arrays (P, S, K) by name; the driver documents them.
    reached
        (P, S, targets), first iteration at which ln L was at most the target; −1 if never.
    reached_work
        (P, S, targets), work done by then; −1 if never.
    w
        (P, S, d), the last iterate.
    """

    iterations: np.ndarray
    series: Mapping[str, np.ndarray]
    reached: np.ndarray
    reached_work: np.ndarray
    w: np.ndarray


class Passages:
    """First iterations at which ln L was at most each target, and the work done by then."""

    def __init__(self, targets: np.ndarray, shape: tuple[int, int]) -> None:
        self._targets = np.asarray(targets, dtype=np.float64)
        self.reached = np.full((*shape, len(self._targets)), -1, dtype=np.int64)
        self.work = self.reached.copy()

    def update(self, t: int, log_loss: np.ndarray, work: np.ndarray) -> None:
        """Note which targets are reached at iteration t for the first time."""
        if len(self._targets) == 0:
            return
        new = (self.reached < 0) & (log_loss[..., np.newaxis] <= self._targets)
        if new.any():
            self.reached[new] = t
            self.work[new] = np.broadcast_to(work[..., np.newaxis], new.shape)[new]
