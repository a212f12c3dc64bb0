"""What the experiments on two tokens share."""

import pytest
from pydantic import ValidationError

from deeplimits.agazzi2026 import two_tokens


def test_a_model_needs_an_mlp():
    axes = {"d": 5, "sigma_u": 0.0, "sigma_w": 0.0}
    assert two_tokens.Model(activation="swish(4.0)", **axes).activation == "swish(4)"
    with pytest.raises(ValidationError, match="name an activation"):
        two_tokens.Model(activation="none", **axes)
    assert [column.name for column in two_tokens.COLUMNS] == list(two_tokens.Model.model_fields)
    assert list(two_tokens.Model.model_fields) == two_tokens.AXES
