"""The loss of one sample against 60-digit decimal arithmetic, from m = −10⁶ to 10⁶."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from deeplimits.kale2026 import logistic

DIGITS = 60
MARGINS = [0.0, 1e-300, 1e-9, 0.3, 1.0, 5.0, 17.0, 36.5, 39.9, 40.0, 40.1, 80.0, 699.0, 745.0, 1e6]
EVERY = np.array(sorted({*MARGINS, *(-m for m in MARGINS)}))
NORMAL = EVERY[np.abs(EVERY) < 700]


def _exact(m: float) -> tuple[Decimal, Decimal, Decimal]:
    """ℓ(m), σ(−m) and σ(m)σ(−m)."""
    with localcontext() as context:
        context.prec = DIGITS
        x = (-abs(Decimal(m))).exp()
        # The series, where digits of 1 + x would be lost.
        log1p = x - x**2 / 2 + x**3 / 3 if x < Decimal("1e-20") else (1 + x).ln()
        loss = log1p if m > 0 else log1p - Decimal(m)
        return loss, (x if m > 0 else Decimal(1)) / (1 + x), x / (1 + x) ** 2


def _relative_error(value: float, exact: Decimal) -> float:
    with localcontext() as context:
        context.prec = DIGITS
        return float(abs(Decimal(float(value)) - exact) / abs(exact))


@pytest.mark.parametrize("m", NORMAL)
def test_loss_slope_and_curvature(m: float) -> None:
    loss, slope, curvature = _exact(m)
    got_loss, got_slope = logistic.loss_and_slope(np.array(m))
    assert _relative_error(got_loss, loss) < 1e-15
    assert _relative_error(got_slope, slope) < 1e-15
    assert _relative_error(logistic.curvature(np.array(m)), curvature) < 1e-15


@pytest.mark.parametrize("m", EVERY)
def test_logarithms_at_every_margin(m: float) -> None:
    # ln ℓ is known to rounding of itself or, near ℓ = 1, of 1.
    loss, slope, _ = _exact(m)
    for got, exact in zip(logistic.log_loss_and_slope(np.array(m)), (loss, slope), strict=True):
        with localcontext() as context:
            context.prec = DIGITS
            error = float(abs(Decimal(float(got)) - exact.ln()))
        assert error < 4e-16 * max(1.0, abs(m))


def test_absent_samples_contribute_nothing() -> None:
    absent = np.array(np.inf)
    loss, slope = logistic.loss_and_slope(absent)
    assert (loss, slope, logistic.curvature(absent)) == (0, 0, 0)


def test_excess_leaves_margins_in_the_tail() -> None:
    m = np.array([-3.0, 39.0, 41.0, 1e6])
    assert np.array_equal(logistic.excess(m), [0, 0, 1, 1e6 - 40])
