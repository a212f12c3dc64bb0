"""A random walk."""

import os
import signal
import time
from pathlib import Path

import numpy as np


def walk(steps: int, drift: float, spread: float, generator: np.random.Generator) -> np.ndarray:
    """Positions after each of `steps` steps of mean `drift` and standard deviation `spread`."""
    _fail_if_told_to(drift)
    # the sum of all steps so far
    return np.cumsum(drift + spread * generator.standard_normal(steps))


def _fail_if_told_to(drift: float) -> None:
    """Do what the file `failure` says, which the tests of failures write.

    `raise`, `kill`, `sleep SECONDS`, `hold MEGABYTES` or `wait` (until the file is gone, telling so
    by a file `waiting`), behind it `at DRIFT` for one drift only.
    """
    told = Path("failure").read_text() if Path("failure").exists() else ""
    action, _, only = told.partition(" at ")
    name, _, amount = action.partition(" ")
    if only not in ("", str(drift)):
        return
    if name == "raise":
        raise RuntimeError("an injected failure")
    if name == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "hold":
        held = bytearray(os.urandom(1_000_000)) * int(amount)
        time.sleep(1)  # long enough to be seen
        del held
    if name == "sleep":
        time.sleep(float(amount))
    if name == "wait":
        Path("waiting").touch()
        while Path("failure").exists():
            time.sleep(0.01)
