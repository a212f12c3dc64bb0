"""The rule about convergence in depth, on estimates whose answer is known."""

import numpy as np
import pandas as pd
import pytest

from deeplimits.fedorov2026.verdicts.limits import converges_to_common_noise_limit

LAWS = ("gaussian", "rademacher")


def table(laws=LAWS, models=2, *, resolved=5, one=None, **changes):
    """Slopes −1.05 ± .02, the last ones −1 ± .1; `one` changes the first curve alone."""
    rows = []
    for law in laws:
        for d in range(5, 5 + models):
            for function in ("square", "exponential", "cosine"):
                curve = {"entries": law, "d": d, "beta": 1.0, "rho0": 0.0, "horizon": 1.0}
                curve |= {"function": function, "slope": -1.05, "slope_se": 0.02}
                curve |= {"last": -1.0, "last_se": 0.1, **changes}
                if one and not rows:
                    curve |= one
                rows += [
                    {**curve, "layers": 4 * 2**k, "replicas": 100, "resolved": k < resolved}
                    for k in range(5)
                ]
    return pd.DataFrame(rows)


def judge(frame: pd.DataFrame):
    return converges_to_common_noise_limit.judge({"deep_limit_estimates": frame})


def fitless(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(slope=np.nan, slope_se=np.nan, last=np.nan, last_se=np.nan)


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (table(), "reproduced"),
        (table(resolved=4), "reproduced"),
        (table(slope=-2.0, last=-1.5), "reproduced"),  # one-sided: faster is no objection
        (table(slope=-0.94), "inconclusive"),
        (table(slope=-0.5), "contradicted"),
        (table(slope_se=0.08), "inconclusive"),
        (table(one={"slope": -0.92}), "inconclusive"),
        (table(last=-0.85), "reproduced"),  # within its error
        (table(last=-0.4), "contradicted"),  # steep at first only
        (table(resolved=3), "inconclusive"),
        (table(laws=LAWS[:1]), "inconclusive"),
        (table(models=1), "inconclusive"),
        (fitless(table(resolved=0)), "inconclusive"),
        (table().head(0), "inconclusive"),
    ],
)
def test_answers(frame, expected):
    assert judge(frame).verdict == expected


def test_one_curve_without_a_fit_is_too_many():
    frame = table()
    first = frame.index < 5
    frame.loc[first] = fitless(frame[first])
    assert judge(frame).verdict == "inconclusive"


def test_one_slow_curve_contradicts():
    assert judge(table(one={"slope": -0.8})).verdict == "contradicted"


def test_the_number_is_the_slowest_slope():
    found = judge(table(one={"slope": -0.98, "slope_se": 0.01}))
    assert (found.value, found.error) == (-0.98, 0.01)
