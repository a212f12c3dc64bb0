"""Formations whose class is known, on both sides of the tolerance."""

import numpy as np
import pytest

from deeplimits import sphere
from deeplimits.fedorov2026 import formations
from deeplimits.fedorov2026.formations import ANTIPODAL, ONE_CLUSTER, UNDECIDED


def classify(angles, **options):
    """One replica of tokens on a circle, at the given angles in degrees."""
    radians = np.deg2rad(angles)
    x = np.stack([np.cos(radians), np.sin(radians)], axis=-1)
    outcome, minority = formations.classify(sphere.gram(x)[np.newaxis], **options)
    return outcome.item(), minority.item()


# cos 25° = .906, cos 26° = .899
@pytest.mark.parametrize(
    ("angles", "expected"),
    [
        ([0, 25, 12], (ONE_CLUSTER, 0)),
        ([0, 26, 12], (UNDECIDED, 0)),  # the first is near to both others: all pairs count
        ([12, 0, 26], (UNDECIDED, 0)),
        ([0, 180], (ANTIPODAL, 1)),
        ([0, 10, 195, 5], (ANTIPODAL, 1)),
        ([180, 0, 10, 5, 190], (ANTIPODAL, 2)),  # counted from the side of the first token
        ([0, 0, 180, 206], (UNDECIDED, 2)),
        ([13, 180, -12, 0], (ANTIPODAL, 1)),
        ([13, 180, -13, 0], (UNDECIDED, 1)),
        ([0, 80], (UNDECIDED, 0)),
    ],
)
def test_outcome_and_minority(angles, expected):
    assert classify(angles) == expected


def test_tolerance_decides():
    assert classify([0, 25], tolerance=0.09)[0] == UNDECIDED
    assert classify([0, 170], tolerance=0.01)[0] == UNDECIDED
    assert classify([0, 170], tolerance=0.02)[0] == ANTIPODAL


def test_replicas_are_classified_one_by_one():
    signs = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [-1, 1, 1, 1]])
    gram = signs[:, :, None] * signs[:, None, :]
    outcome, minority = formations.classify(gram.astype(float))
    np.testing.assert_array_equal(outcome, [ONE_CLUSTER, ANTIPODAL, ANTIPODAL])
    np.testing.assert_array_equal(minority, [0, 2, 1])
    assert formations.OUTCOMES[UNDECIDED] == "undecided"
    assert formations.OUTCOMES[ONE_CLUSTER] == "one cluster"
    assert formations.OUTCOMES[ANTIPODAL] == "antipodal"


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match=r"^tolerance must"):
        classify([0, 10], tolerance=0.5)
    with pytest.raises(ValueError, match="two tokens or more, got 1"):
        classify([0])
