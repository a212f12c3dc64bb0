"""Recorded iterations and first passages."""

import numpy as np
import pytest

from deeplimits.kale2026 import trace


def test_checkpoints_are_log_spaced() -> None:
    t = trace.checkpoints(100_000, 10)
    assert (t[0], t[-1]) == (1, 100_000)
    assert np.all(np.diff(t) > 0)
    late = t[t > 100]
    assert np.diff(np.log10(late)) == pytest.approx(np.full(len(late) - 1, 0.1), abs=0.005)
    assert trace.checkpoints(1, 10).tolist() == [1]


@pytest.mark.parametrize("arguments", [(0, 10), (10, 0)])
def test_no_checkpoints(arguments: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        trace.checkpoints(*arguments)


@pytest.mark.parametrize("records", [[], [0, 1], [2, 2], [3, 1]])
def test_records_that_are_refused(records: list[int]) -> None:
    with pytest.raises(ValueError, match="increase"):
        trace.check(np.array(records, dtype=np.int64))


def test_passages_keep_the_first() -> None:
    passages = trace.Passages([-1.0, -2.0], (1, 2))
    for t, (first, second) in enumerate([(0.0, -3.0), (-1.5, 1.0), (-0.5, 1.0), (-2.0, 1.0)]):
        passages.update(t, np.array([[first, second]]), np.array([[10 * t, 20 * t]]))
    assert passages.reached[0].tolist() == [[1, 3], [0, 0]]
    assert passages.work[0].tolist() == [[10, 30], [0, 0]]
