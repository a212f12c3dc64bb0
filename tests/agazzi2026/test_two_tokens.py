"""What the experiments on two tokens share."""

import numpy as np
import pytest
from pydantic import ValidationError

from deeplimits.agazzi2026 import two_tokens


def test_weights_are_lagranges_where_the_points_allow_no_more():
    np.testing.assert_allclose(two_tokens.weights_at_zero([0.1, 0.2], [1.0, 5.0], 2), [2.0, -1.0])
    weights = two_tokens.weights_at_zero([0.1, 0.2, 0.4], [1.0, 0.5, 2.0], 2)
    np.testing.assert_allclose(weights, [8 / 3, -2.0, 1 / 3])


@pytest.mark.parametrize("degree", [0, 1, 2])
def test_weights_are_those_of_the_fit_with_errors(degree):
    x, y = np.array([0.1, 0.2, 0.3, 0.4]), np.array([1.0, 3.0, 2.0, 5.0])
    error = np.array([1.0, 2.0, 1.0, 3.0])
    fit = np.polyfit(x, y, degree, w=1 / error)
    assert two_tokens.weights_at_zero(x, error, degree) @ y == pytest.approx(fit[-1])


def test_a_model_needs_an_mlp():
    axes = {"d": 5, "sigma_u": 0.0, "sigma_w": 0.0}
    assert two_tokens.Model(activation="swish(4.0)", **axes).activation == "swish(4)"
    with pytest.raises(ValidationError, match="name an activation"):
        two_tokens.Model(activation="none", **axes)
    assert [column.name for column in two_tokens.COLUMNS] == list(two_tokens.Model.model_fields)
    assert list(two_tokens.Model.model_fields) == two_tokens.AXES
