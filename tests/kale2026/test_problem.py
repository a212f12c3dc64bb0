"""Loss, gradient and sharpness of batches against plain formulas and decimal arithmetic."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from deeplimits.kale2026 import problem
from deeplimits.kale2026.problem import Problems

SHAPES = ((5, 3), (8, 2), (1, 4))


@pytest.fixture
def sets() -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    return [rng.standard_normal(shape) for shape in SHAPES]


@pytest.fixture
def w() -> np.ndarray:
    """Two runs on each set, with zeros where a set has no such coordinate."""
    w = np.zeros((len(SHAPES), 2, 4))
    for row, (_, d) in zip(w, SHAPES, strict=True):
        row[:, :d] = np.random.default_rng(2).standard_normal((2, d))
    return w


def _plain_loss(z: np.ndarray, w: np.ndarray) -> float:
    return float(np.mean(np.log(1 + np.exp(-z @ w))))


def _mean(values: list[Decimal], factors: np.ndarray) -> Decimal:
    """Mean of the products, exact to the precision of the context."""
    products = [v * Decimal(float(f)) for v, f in zip(values, factors, strict=True)]
    return sum(products) / len(products)


def test_loss_against_its_definition(sets: list[np.ndarray], w: np.ndarray) -> None:
    problems = Problems(sets)
    m = problems.margins(w)
    expected = [
        [np.log(_plain_loss(z, v[: z.shape[1]])) for v in row]
        for z, row in zip(sets, w, strict=True)
    ]
    assert problems.log_loss(m) == pytest.approx(np.array(expected), rel=1e-13)
    assert np.array_equal(problems.loss_and_gradient(m)[0], problems.log_loss(m))


def test_gradient_against_differences(sets: list[np.ndarray], w: np.ndarray) -> None:
    # Central differences at 1e-5 err by about 1e-10.
    problems = Problems(sets)
    _, gradient = problems.loss_and_gradient(problems.margins(w))
    step = gradient.displacement(np.zeros((len(sets), 2)))
    h = 1e-5
    for j in range(4):
        e = h * np.eye(4)[j]
        up, down = (np.exp(problems.log_loss(problems.margins(w + s * e))) for s in (1, -1))
        assert -step[..., j] == pytest.approx((up - down) / (2 * h), abs=1e-9)
    assert np.exp(gradient.log_norm) == pytest.approx(np.linalg.norm(step, axis=-1), rel=1e-13)


def test_sharpness_against_the_hessian(sets: list[np.ndarray], w: np.ndarray) -> None:
    problems = Problems(sets)
    got = np.exp(problems.log_sharpness(problems.margins(w)))
    for p, z in enumerate(sets):
        for s in range(2):
            sigma = 1 / (1 + np.exp(-z @ w[p, s, : z.shape[1]]))
            hessian = (z.T * (sigma * (1 - sigma))) @ z / len(z)
            assert got[p, s] == pytest.approx(np.linalg.eigvalsh(hessian)[-1], rel=1e-12)


def test_large_hessians_go_by_lanczos() -> None:
    z = np.random.default_rng(3).standard_normal((problem.DENSE + 40, problem.DENSE + 20))
    problems = Problems([z])
    got = problems.log_sharpness(np.zeros((1, 1, len(z))))
    assert np.exp(got) == pytest.approx(np.linalg.norm(z, 2) ** 2 / (4 * len(z)), rel=1e-10)


@pytest.mark.parametrize("depth", [30.0, 300.0, 745.0, 1e4, 1e6])
def test_deep_losses_against_decimal_arithmetic(depth: float) -> None:
    # In this tail ln L, ln |∇L| and ln λ_max are rounded once or twice.
    z = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, -0.25]])
    problems = Problems([z])
    m = problems.margins(np.array([[[depth, 1.0]]]))
    with localcontext() as context:
        context.prec = 60
        x = [(-Decimal(float(value))).exp() for value in m[0, 0]]
        loss = _mean([a - a**2 / 2 + a**3 / 3 for a in x], np.ones(3))
        slope = [a / (1 + a) for a in x]
        length = sum(_mean(slope, z[:, j]) ** 2 for j in range(2)).sqrt()
        bend = [a / (1 + a) ** 2 for a in x]
        h00, h01, h11 = (_mean(bend, z[:, i] * z[:, j]) for i, j in ((0, 0), (0, 1), (1, 1)))
        top = (h00 + h11) / 2 + (((h00 - h11) / 2) ** 2 + h01**2).sqrt()
        expected = [float(v.ln()) for v in (loss, length, top)]
    log_loss, gradient = problems.loss_and_gradient(m)
    got = [log_loss, gradient.log_norm, problems.log_sharpness(m)]
    assert [v.item() for v in got] == pytest.approx(expected, rel=1e-15, abs=1e-14)


def test_sets_side_by_side_do_not_mix(sets: list[np.ndarray], w: np.ndarray) -> None:
    together = Problems(sets)
    m = together.margins(w)
    loss, gradient = together.loss_and_gradient(m)
    sharpness = together.log_sharpness(m)
    for p, z in enumerate(sets):
        alone = Problems([z])
        n = alone.margins(w[p : p + 1, :, : z.shape[1]])
        expected, slope = alone.loss_and_gradient(n)
        assert loss[p] == pytest.approx(expected[0], rel=1e-14)
        assert sharpness[p] == pytest.approx(alone.log_sharpness(n)[0], rel=1e-12)
        log_step = np.zeros((1, 2))
        got = gradient.displacement(np.zeros((len(sets), 2)))[p]
        assert got[:, : z.shape[1]] == pytest.approx(slope.displacement(log_step)[0], rel=1e-13)
        assert not got[:, z.shape[1] :].any()


@pytest.mark.parametrize("bad", [np.zeros((0, 2)), np.zeros(3), np.array([[np.nan]])])
def test_sets_that_are_none(bad: np.ndarray) -> None:
    with pytest.raises(ValueError, match="data set 1"):
        Problems([np.ones((2, 2)), bad])
    with pytest.raises(ValueError, match="at least one"):
        Problems([])
