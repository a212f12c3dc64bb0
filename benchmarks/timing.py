"""Interleaved timing of tasks that are compared: medians and ranges of one run.

On a shared machine only ratios of one run mean something, so every round times every task once, in
turn: a slow spell of the machine falls on all of them.
"""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

SHORTEST = 0.2
"""A task is repeated until a round of it takes about so many seconds."""


@dataclass(frozen=True)
class Timing:
    """Seconds for one unit of work: median, least and largest over the rounds."""

    median: float
    least: float
    largest: float

    @staticmethod
    def of(seconds: list[float]) -> "Timing":
        """Summarise the rounds."""
        return Timing(statistics.median(seconds), min(seconds), max(seconds))


def interleaved(
    tasks: Mapping[str, tuple[Callable[[], object], int]], rounds: int = 5
) -> dict[str, Timing]:
    """Time tasks, given as (callable, units of work in one call); the first call is not counted."""
    repeats = {}
    for name, (call, _) in tasks.items():
        call()
        once = _seconds(call, 1)
        repeats[name] = max(1, round(SHORTEST / once))
    found: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, (call, units) in tasks.items():
            found[name].append(_seconds(call, repeats[name]) / units)
    return {name: Timing.of(seconds) for name, seconds in found.items()}


def _seconds(call: Callable[[], object], repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats
