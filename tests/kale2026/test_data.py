"""The data sets have the margins they are made for: proved by the solver, not by the generator."""

import numpy as np
import pytest

from deeplimits.kale2026 import data, margin


@pytest.mark.parametrize("gamma", [0.01, 0.1, 0.5])
@pytest.mark.parametrize(("n", "d", "support"), [(2, 2, 2), (50, 10, 6), (200, 20, 7), (3, 3, 3)])
def test_synthetic_margin_is_exact(gamma: float, n: int, d: int, support: int) -> None:
    z = data.synthetic(np.random.default_rng(n), n, d, gamma, support)
    assert z.shape == (n, d)
    assert np.linalg.norm(z, axis=1) == pytest.approx(np.ones(n))
    found = margin.solve(z)
    assert found.lower == pytest.approx(gamma, rel=1e-9)
    assert found.upper == pytest.approx(gamma, rel=1e-9)
    # The construction's own proof: the mean of the support points is γu.
    assert z[:support].mean(axis=0) == pytest.approx(gamma * found.direction, abs=1e-12)
    # Exactly the first `support` points are at the margin.
    at_margin = z @ found.direction < gamma * (1 + 1e-7)
    assert np.flatnonzero(at_margin).tolist() == list(range(support))


def test_synthetic_margins_fill_their_range() -> None:
    z = data.synthetic(np.random.default_rng(5), 5000, 3, 0.1, 2)
    margins = np.sort(z @ margin.solve(z).direction)[2:]
    # Uniform on (.1, .3): the Kolmogorov distance of 4998 draws is below .028 but once in 1000.
    assert np.abs((margins - 0.1) / 0.2 - np.arange(4998) / 4998).max() < 0.028


def test_synthetic_depends_on_the_stream_only() -> None:
    first, second = (data.synthetic(np.random.default_rng(7), 20, 5, 0.1, 4) for _ in range(2))
    assert np.array_equal(first, second)
    other = data.synthetic(np.random.default_rng(8), 20, 5, 0.1, 4)
    assert not np.isclose(first, other).any()


@pytest.mark.parametrize("n", [2, 20, 100])
def test_unbalanced(n: int) -> None:
    z = data.unbalanced(n, 0.1)
    assert np.sum(z[:, 1] > 0) == n - 1
    assert np.linalg.norm(z, axis=1) == pytest.approx(np.ones(n))
    assert margin.solve(z).gamma == pytest.approx(0.1, rel=1e-9)


def test_toy() -> None:
    assert margin.solve(data.toy()).gamma == pytest.approx(data.TOY_GAMMA, rel=1e-9)
    assert np.linalg.norm(data.toy(), axis=1).max() == pytest.approx(1)


def test_pair_keeps_its_two_classes() -> None:
    x = np.array([[3.0, 4.0], [0.0, 2.0], [1.0, 0.0], [9.0, 9.0]])
    z = data.pair(x, np.array([8, 0, 0, 5]), 0, 8)
    assert z == pytest.approx(np.array([[-0.6, -0.8], [0, 0.4], [0.2, 0]]))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("gamma", (10, 3, 1.0, 2)),
        ("gamma", (10, 3, 0.0, 2)),
        ("support", (10, 3, 0.1, 1)),
        ("support", (10, 3, 0.1, 11)),
        ("d must", (10, 1, 0.1, 2)),
        ("d must", (10, 2, 0.1, 3)),
        ("spread", (10, 3, 0.1, 2, 1.0)),
    ],
)
def test_ranges(name: str, arguments: tuple) -> None:
    with pytest.raises(ValueError, match=name):
        data.synthetic(np.random.default_rng(0), *arguments)


def test_other_ranges() -> None:
    with pytest.raises(ValueError, match="n must"):
        data.unbalanced(1, 0.1)
    with pytest.raises(ValueError, match="gamma"):
        data.unbalanced(5, 0.0)
    with pytest.raises(ValueError, match="no sample of class 3"):
        data.pair(np.ones((2, 2)), np.array([0, 1]), 0, 3)
    with pytest.raises(ValueError, match="two different classes"):
        data.pair(np.ones((2, 2)), np.array([0, 1]), 1, 1)
