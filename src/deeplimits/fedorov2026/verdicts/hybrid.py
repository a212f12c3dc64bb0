"""The threshold of the hybrid model, by exponents at both ends and by where the tokens go."""

import numpy as np
import pandas as pd

from deeplimits.claims import Finding, claim
from deeplimits.fedorov2026.verdicts.exponents import ERRORS, rejected

LONG = 8.0
"""|r − 1|e^{−β}T from which outcomes at T are asked for."""
DECIDED = 0.75
"""Share at the predicted end that outcomes must exceed."""
SETTLED = 0.95
"""Share from which it need not grow any more."""
ASTRAY = 0.1
"""Share at the other end that they must stay below."""


@claim(
    statement="Hybrid model: tokens end in consensus for ε² < 2e^{−β} and antipodal for "
    "ε² > 2e^{−β}.",
    reported="The threshold; the form of the model, the exponents and the simulation are ours.",
    rule="With r = ε²/(2e^{−β}). Exponents: the slopes of log(1 + ρ) near −1 and of log(1 − ρ) "
    "near 1, extrapolated to Δt → 0, agree with 2e^{−β} − ε² and e^{2β}(ε² − 2e^{−β}), and at "
    "every step with the exact exponents of the discrete chain (two-sided z, Holm, family-wise 1% "
    "each), and have the predicted sign by more than 3 standard errors on both sides of r = 1. "
    "Outcomes, where |r − 1|e^{−β}T ≥ 8: the share within 1e-3 of the predicted end grows "
    "from T/4 to T/2 and from there to T (95% Wilson intervals apart, or 0.95 reached), at T the "
    "lower end of its interval exceeds 0.75 and the upper end of the other end's is below 0.1. "
    "Reproduced if all of this holds for at least two β, on both sides of r = 1; contradicted if a "
    "family of exponents rejects, or such a share at T has its upper end below one half; else "
    "inconclusive.",
    origin="paper",
    scale="ours",
    setting="not stated: only the abstract and a note on the theory were read",
    tables=("hybrid_estimates", "hybrid_exponent_estimates"),
)
def hybrid_threshold(outcomes: pd.DataFrame, exponents: pd.DataFrame) -> Finding:
    """Check the signs at both ends, and the outcomes where the horizon suffices."""
    steps, limits = exponents[exponents["step"] > 0], exponents[exponents["step"] == 0]
    at_steps = (steps["slope"] - steps["exact"]) / steps["slope_se"]
    at_limit = (limits["slope"] - limits["limit"]) / limits["slope_se"]
    signs = np.sign(limits["limit"]) * limits["slope"] / limits["slope_se"]
    fates = fates_of(outcomes)
    missed = fates["high"] < 0.5
    ended = fates["grows"] & (fates["low"] > DECIDED) & (fates["astray_high"] < ASTRAY)
    if rejected(at_steps) or rejected(at_limit) or missed.any():
        verdict = "contradicted"
    elif both_sides(limits) and both_sides(fates) and (signs > ERRORS).all() and ended.all():
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    ends = "; ".join(
        f"β = {beta:g}: " + ", ".join(f"{fate.share:.3f} at r = {fate.ratio:g}" for fate in rows)
        for beta, rows in ((beta, part.itertuples()) for beta, part in fates.groupby("beta"))
    )
    measured = (
        f"least z of {len(signs)} signs {signs.min():.1f}; largest |z| against the discrete "
        f"exponents {at_steps.abs().max():.1f} of {len(at_steps)}, extrapolated against the "
        f"predictions {at_limit.abs().max():.1f} of {len(at_limit)}; share at the predicted end at "
        f"T: {ends or 'horizon too short'}"
    )
    setting = (
        f"from ρ = 0, e^(−β)T = {outcomes['clock'].max():g}, Δt = {outcomes['dt'].min():.2g} to "
        f"{outcomes['dt'].max():.2g}, {outcomes['replicas'].max()} pairs a model; slopes: e^βΔt = "
        f"{', '.join(f'{step:g}' for step in sorted(steps['step'].unique()))}, "
        f"{steps['replicas'].max()} pairs"
    )
    return Finding(verdict, measured, setting, float(signs.min()) if len(signs) else None)


def fates_of(outcomes: pd.DataFrame) -> pd.DataFrame:
    """One row a model whose horizon suffices: the predicted share at T, its trend, the other's."""
    rows = []
    for (beta, ratio), runs in outcomes.groupby(["beta", "ratio"]):
        last = runs["clock"].max()
        if abs(ratio - 1) * last < LONG - 1e-9:  # rounding of the clock
            continue
        sides = ("consensus", "antipodal") if ratio < 1 else ("antipodal", "consensus")
        expected, other = (
            runs[runs["outcome"] == side].set_index("clock").sort_index() for side in sides
        )
        quarter, half, end = (
            expected.iloc[np.abs(expected.index - last * part).argmin()] for part in (0.25, 0.5, 1)
        )
        grows = all(
            later["low"] > earlier["high"] or later["share"] >= SETTLED
            for earlier, later in ((quarter, half), (half, end))
        )
        fate = {"beta": beta, "ratio": ratio, "grows": grows, **end[["share", "low", "high"]]}
        rows.append({**fate, "astray_high": other.iloc[-1]["high"]})
    columns = ["beta", "ratio", "grows", "share", "low", "high", "astray_high"]
    return pd.DataFrame(rows, columns=columns).astype({"grows": bool})


def both_sides(models: pd.DataFrame) -> bool:
    """Whether there are models on both sides of r = 1 for two β or more, and for every one."""
    sides = [
        (part["ratio"] < 1).any() and (part["ratio"] > 1).any()
        for _, part in models.groupby("beta")
    ]
    return len(sides) >= 2 and all(sides)
