import math
import pickle

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from deeplimits.agazzi2026 import activations

FIXED = ("relu", "silu", "sigmoid", "tanh", "gelu", "erf", "none")
EVERY = (*FIXED, "swish(4)", "swish(0.25)", "swish(100)")


@pytest.mark.parametrize(
    ("name", "z", "value"),
    [
        ("relu", -2.0, 0.0),
        ("relu", 2.0, 2.0),
        ("silu", 1.0, 1.0 / (1.0 + math.exp(-1.0))),
        ("sigmoid", 0.0, 0.5),
        ("tanh", 0.5, (math.e - 1.0) / (math.e + 1.0)),
        ("gelu", 1.0, 0.5 * (1.0 + math.erf(math.sqrt(0.5)))),
        ("erf", 0.7, math.erf(0.7)),
        ("swish(4)", -0.5, -0.5 / (1.0 + math.exp(2.0))),
        ("none", 3.0, 0.0),
    ],
)
def test_values(name, z, value):
    assert activations.get(name).phi(np.array([z])) == pytest.approx([value], rel=1e-15)


@pytest.mark.parametrize("name", EVERY)
def test_derivative_is_the_slope(name):
    activation = activations.get(name)
    z = np.linspace(-3.0, 3.0, 40)  # even count: the kink of relu is between two points
    h = 1e-5
    slope = (activation.phi(z + h) - activation.phi(z - h)) / (2 * h)
    # The error of the difference quotient is h²φ‴/6, with φ‴ ~ b² for swish(b).
    np.testing.assert_allclose(activation.derivative(z), slope, atol=1e-6)


def test_derivative_of_relu_at_its_kink():
    assert activations.get("relu").derivative(np.zeros(1)) == 0.5


@pytest.mark.parametrize("name", EVERY)
def test_odd_flag(name):
    activation = activations.get(name)
    z = np.linspace(0.1, 3.0, 30)
    assert activation.odd == np.allclose(activation.phi(-z), -activation.phi(z))


@pytest.mark.parametrize("name", EVERY)
def test_no_overflow(name):
    activation = activations.get(name)
    z = np.array([-1e150, -1e3, -0.0, 1e3, 1e150])
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        values = np.concatenate([activation.phi(z), activation.derivative(z)])
    assert np.isfinite(values).all()


@pytest.mark.parametrize(
    ("name", "z", "expected"),
    [("tanh", 40.0, 4.0 * math.exp(-80.0)), ("sigmoid", 60.0, math.exp(-60.0))],
)
def test_tails_keep_their_relative_accuracy(name, z, expected):
    value = activations.get(name).derivative(np.array([z]))[0]
    assert value == pytest.approx(expected, rel=1e-12, abs=0.0)


def test_swish_goes_from_silu_to_relu():
    z = np.linspace(-2.0, 2.0, 41)
    np.testing.assert_array_equal(
        activations.get("swish(1)").phi(z), activations.get("silu").phi(z)
    )
    # |z|/(1 + e^{b|z|}) ≤ 0.28/b
    np.testing.assert_allclose(
        activations.get("swish(1e6)").phi(z), activations.get("relu").phi(z), atol=3e-7
    )


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [("swish(4)", "swish(4)"), ("swish(4.0)", "swish(4)"), ("swish(4.50)", "swish(4.5)")],
)
def test_canonical_name(spelling, canonical):
    assert activations.get(spelling).name == canonical
    assert activations.get(spelling) == activations.get(canonical)
    assert TypeAdapter(activations.ActivationName).validate_python(spelling) == canonical


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rellu", r"unknown activation 'rellu'.*did you mean 'relu'"),
        ("swish", r"did you mean 'swish\(b\)'"),
        ("", r"known are relu, silu"),
        ("swish(x)", r"must be a number"),
        ("swish(0)", r"finite b > 0"),
        ("swish(-1)", r"finite b > 0"),
        ("swish(inf)", r"finite b > 0"),
        ("swish(nan)", r"finite b > 0"),
    ],
)
def test_unknown_names_are_refused(name, message):
    with pytest.raises(ValueError, match=message):
        activations.get(name)
    with pytest.raises(ValidationError, match=message):
        TypeAdapter(activations.ActivationName).validate_python(name)


@pytest.mark.parametrize("name", EVERY)
def test_pickles(name):
    activation = pickle.loads(pickle.dumps(activations.get(name)))
    z = np.linspace(-1.0, 1.0, 5)
    np.testing.assert_array_equal(activation.phi(z), activations.get(name).phi(z))


def test_only_none_is_absent():
    assert [name for name in EVERY if activations.get(name).absent] == ["none"]
