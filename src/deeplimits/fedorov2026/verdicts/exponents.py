"""The threshold of two tokens by the exponent at ρ = −1, which decides where frequencies can't."""

import numpy as np
import pandas as pd

from deeplimits import stats
from deeplimits.claims import Finding, claim

LEVEL = 0.01
"""Family-wise error rate of a group of tests."""
ERRORS = 3.0
"""Standard errors that resolve a sign: one-sided 1.35e-3 a test."""
PRECISION = 0.02
"""Largest standard error in β of a located threshold."""
DIMENSIONS = 3
"""Least number of dimensions."""
PAPER = "not stated: only the abstract and a note on the theory were read; σ = 1 is ours"


def rejected(z: np.ndarray) -> bool:
    """Whether two-sided z tests reject any of a family at `LEVEL` (Holm)."""
    return bool((stats.holm(stats.p_value(z)) < LEVEL).any())


@claim(
    statement="Antipodal tokens attract iff d − 2 < cosh 2β: log(1 + ρ) of two almost antipodal "
    "tokens has slope (d−1)sech²β − 2, which changes sign at β*(d) = ½ arcosh(d−2).",
    reported="The threshold (Section on two tokens); the exponent and its measurement are ours.",
    rule="Two-sided z tests in four families, Holm, family-wise 1% each: the slope at every step "
    "against the exact exponent of the discrete chain; the slope extrapolated to Δt → 0 (a "
    "quadratic in the step) against (d−1)sech²β − 2; the β at which the extrapolated slopes of "
    "each d change sign (a cubic in β) against β*(d); and the slope over the second half of the "
    "run against that over the first. Contradicted if one of the first three rejects. Reproduced "
    "if none of the four does, every extrapolated slope is positive below β* and negative above it "
    "by more than 3 standard errors, and the change of sign is located to 0.02 or better (one "
    "standard error) for every one of at least three d ≥ 4; else inconclusive.",
    origin="sharpened",
    scale="ours",
    setting=PAPER,
    tables=("exponent_estimates",),
)
def threshold_by_exponent(table: pd.DataFrame) -> Finding:
    """Compare slopes with predictions, and their change of sign with β*."""
    steps, limits = table[table["epsilon"] > 0], table[table["epsilon"] == 0]
    at_steps = (steps["slope"] - steps["exact"]) / steps["slope_se"]
    at_limit = (limits["slope"] - limits["limit"]) / limits["slope_se"]
    halves = steps["drift"] / steps["drift_se"]
    aside = limits[limits["offset"] != 0]
    signs = -np.sign(aside["offset"]) * aside["slope"] / aside["slope_se"]
    zeros = limits.drop_duplicates("d").set_index("d")[["crossing", "crossing_se"]]
    located = zeros.dropna()
    off = located["crossing"] / located["crossing_se"]
    precise = len(zeros) >= DIMENSIONS and (zeros["crossing_se"] <= PRECISION).all()
    if any(rejected(z) for z in (at_steps, at_limit, off)):
        verdict = "contradicted"
    elif precise and min(zeros.index) >= 4 and (signs > ERRORS).all() and not rejected(halves):
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    where = ", ".join(
        f"d = {d}: {zero.crossing:+.4f} ± {zero.crossing_se:.4f}" for d, zero in located.iterrows()
    )
    measured = (
        f"slopes change sign at β − β* of {where or 'no d'}; least z of {len(signs)} signs "
        f"{signs.min():.1f}; largest |z| against the discrete exponent {at_steps.abs().max():.1f} "
        f"of {len(at_steps)}, extrapolated against the prediction {at_limit.abs().max():.1f} of "
        f"{len(at_limit)}, between halves {halves.abs().max():.1f}"
    )
    shown = ", ".join(f"{epsilon:g}" for epsilon in sorted(steps["epsilon"].unique()))
    setting = (
        f"σ = 1, Gaussian V, (d−1)Δt = {shown}, T = {steps['t'].max():.3g}, β − β* from "
        f"{table['offset'].min():g} to {table['offset'].max():g}; {steps['replicas'].max()} pairs "
        "a model and step"
    )
    return Finding(verdict, measured, setting, *pooled(located))


def pooled(located: pd.DataFrame) -> tuple[float | None, float | None]:
    """Weighted mean over d of the located β − β*, and its standard error."""
    if located.empty:
        return None, None
    weight = located["crossing_se"] ** -2
    return float(weight @ located["crossing"] / weight.sum()), float(weight.sum() ** -0.5)
