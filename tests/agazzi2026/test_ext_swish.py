"""`ext_swish`: the exponents and the window in which they are positive."""

import numpy as np
import pandas as pd
import pytest

from deeplimits.agazzi2026.estimates import ext_swish as estimates
from deeplimits.agazzi2026.experiments import ext_swish as experiment


def run(d: int, lowest: float, highest: float, points: int) -> pd.DataFrame:
    settings = experiment.Protocol(lowest=lowest, highest=highest, points=points)
    rows = experiment.simulate(experiment.Cell(d=d), settings, np.random.SeedSequence(0))
    return pd.DataFrame({"d": d, **rows})


@pytest.mark.parametrize(("b", "scaled"), [(1, -0.22), (4, 0.14), (5, 0.31)])
def test_exponents_of_the_notes(b, scaled):
    """Two digits computed independently of this package."""
    table = run(128, b / np.sqrt(128), 10.0, 2)
    assert table["b"].iloc[0] == pytest.approx(b)
    assert table["scaled_lambda1"].iloc[0] == pytest.approx(scaled, abs=0.005)


def test_small_b_is_linear():
    """φ(z) → z/2: κ(1) = κ′(1) = 1/(4d), so that d·λ₁ → −1/4."""
    table = run(16, 1e-4, 1e-3, 3)
    np.testing.assert_allclose(table[["kappa1", "dkappa1"]], 1 / 64, rtol=1e-6)
    np.testing.assert_allclose(table["scaled_lambda1"], -0.25, rtol=1e-5)


def test_window_at_d_128_and_none_at_d_5():
    tables = [run(128, 0.1, 14.0, 16), run(5, 0.1, 5.0, 8)]
    windows = estimates.estimate(pd.concat(tables)).set_index("d")
    assert windows.loc[128, "opens"] == pytest.approx(3.1, abs=0.2)
    assert windows.loc[128, "closes"] == pytest.approx(112, rel=0.1)
    assert windows.loc[5, ["opens", "closes"]].isna().all()
    assert windows.loc[5, "scaled_max"] < 0


def curve(scaled: list[float]) -> pd.DataFrame:
    return pd.DataFrame({"d": 7, "b": 10.0 ** np.arange(len(scaled)), "scaled_lambda1": scaled})


def test_ends_are_interpolated_in_log_b():
    row = estimates.estimate(curve([-1.0, 3.0, 1.0, -1.0]).sample(frac=1, random_state=0)).iloc[0]
    assert row["opens"] == pytest.approx(10**0.25)
    assert row["closes"] == pytest.approx(10**2.5)
    assert (row["scaled_max"], row["b_max"], row["b_first"], row["b_last"]) == (3.0, 10.0, 1, 1000)


def test_window_may_stay_open():
    row = estimates.estimate(curve([-1.0, 3.0, 1.0])).iloc[0]
    assert row["opens"] == pytest.approx(10**0.25)
    assert np.isnan(row["closes"])


@pytest.mark.parametrize("scaled", [[1.0, -1.0], [-1.0, 1.0, -1.0, 1.0]])
def test_what_is_not_one_window_is_refused(scaled):
    with pytest.raises(ValueError, match="not one window"):
        estimates.estimate(curve(scaled))
