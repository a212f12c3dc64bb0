"""A random walk."""

import os
import signal
from pathlib import Path

import numpy as np


def walk(steps: int, drift: float, spread: float, generator: np.random.Generator) -> np.ndarray:
    """Positions after each of `steps` steps of mean `drift` and standard deviation `spread`."""
    _fail_if_told_to(drift)
    # the sum of all steps so far
    return np.cumsum(drift + spread * generator.standard_normal(steps))


def _fail_if_told_to(drift: float) -> None:
    """Fail as the file `failure` says, which the tests of failures write: `raise 0.5` or `kill`."""
    told = Path("failure").read_text() if Path("failure").exists() else ""
    if told in ("raise", f"raise {drift}"):
        raise RuntimeError("an injected failure")
    if told == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
