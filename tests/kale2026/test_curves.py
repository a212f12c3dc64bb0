"""Bands, local orders and contrasts on decays whose answer is known."""

import numpy as np
import pandas as pd
import pytest

from deeplimits.kale2026 import curves, theory, trace

T = trace.checkpoints(100_000, 20)


def table(*log_losses: np.ndarray) -> pd.DataFrame:
    return pd.concat(
        pd.DataFrame({"replica": k, "t": T, "log_loss": values})
        for k, values in enumerate(log_losses)
    )


@pytest.mark.parametrize("power", [0.5, 1.0, 3.0])
def test_polynomials_have_a_constant_order_and_a_negative_contrast(power: float) -> None:
    found = curves.summarize(table(-power * np.log(T), -power * np.log(T) - 1), 0.1)
    late = found[T >= 100]
    assert late["order"].to_numpy() == pytest.approx(power)
    assert late["contrast"].to_numpy() == pytest.approx(-power / 2)
    assert late["contrast_se"].to_numpy() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("power", "sign"), [(1 / 3, 1), (0.2, 1), (0.15, -1)])
def test_stretched_exponentials_by_their_power(power: float, sign: int) -> None:
    found = curves.summarize(table(-(T**power)), 0.1)
    contrast = found["contrast"].iloc[-1]
    expected = (T[-1] ** power * (1 - 10**-power)) * (1 - 1.5 * 10**-power) / np.log(10)
    assert np.sign(contrast) == sign
    assert contrast == pytest.approx(expected, rel=5e-3)


def test_orders_start_where_a_decade_lies_before() -> None:
    found = curves.summarize(table(-np.log(T)), 0.1)
    assert np.array_equal(found["order"].notna(), T >= 10)
    assert np.array_equal(found["contrast"].notna(), T >= 100)
    assert found["order_se"].isna().all()


def test_runs_are_counted_against_the_law_at_every_iteration() -> None:
    y = theory.decay(0.1, T)
    shares = (0.2, 0.49, 0.51, 0.89, 0.91, 1.2)
    found = curves.summarize(table(*(-share * y for share in shares)), 0.1)
    assert (found["runs"] == 6).all()
    assert (found["reached"] == 2).all()
    assert (found["behind"] == 2).all()
    assert found["law"].to_numpy() == pytest.approx(y)
    assert found["worst"].to_numpy() == pytest.approx(-0.2 * y)
    assert found["median"].to_numpy() == pytest.approx(-0.7 * y)
    assert found["low"].to_numpy() == pytest.approx(-(0.91 + 0.29 * 0.75) * y)
    assert found["high"].to_numpy() == pytest.approx(-(0.2 + 0.29 * 0.25) * y)


def test_errors_are_those_of_the_mean_over_runs() -> None:
    powers = np.array([1.0, 1.5, 2.0, 4.0])
    found = curves.summarize(table(*(-power * np.log(T) for power in powers)), 0.1).iloc[-1]
    assert found["order"] == pytest.approx(powers.mean())
    assert found["order_se"] == pytest.approx(powers.std(ddof=1) / 2)
    assert found["contrast_se"] == pytest.approx(powers.std(ddof=1) / 4)
