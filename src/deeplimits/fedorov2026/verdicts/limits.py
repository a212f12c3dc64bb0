"""Convergence in law of the discrete model as its depth L grows."""

import pandas as pd

from deeplimits import stats
from deeplimits.claims import Finding, claim

LEVEL = 0.01
"""Error rate of a test, or of a family of them."""
SLOPE = -0.9
"""Slope that the weak error has to fall short of: −1 is expected."""
LAWS = {"gaussian", "rademacher"}
MODELS = 2
"""Least number of models of each law of the entries."""


@claim(
    statement="As L → ∞ the discrete model converges in law to a system driven by a common matrix "
    "Brownian motion, for Gaussian and for bounded entries of V: weak errors of two tokens fall at "
    "least like L^(−0.9).",
    reported="Convergence in distribution (abstract); no rate is known to us, 1/L is our "
    "expectation.",
    rule="E f(ρ_T) − its limit, for three smooth f, by the one-dimensional backward equation; "
    "weighted slope of ln|error| against ln L, points under 3 standard errors dropped. Reproduced "
    "if, for Gaussian and for Rademacher V and at least two models each, every curve keeps four L "
    "or more and its slope is below −0.9 (one-sided z, 1% each, all must), and no slope over the "
    "three largest L kept is above −0.9 (Holm over curves, family-wise 1%). Contradicted if a "
    "slope of either kind is above −0.9 (Holm, family-wise 1%); else inconclusive.",
    origin="sharpened",
    scale="ours",
    setting="not stated: only the abstract and a note on the theory were read",
    tables=("deep_limit_estimates",),
)
def converges_to_common_noise_limit(table: pd.DataFrame) -> Finding:
    """Compare the slopes in L with −0.9."""
    curves = ["entries", "d", "beta", "rho0", "horizon", "function"]
    kept = table[table["resolved"]].groupby(curves)["layers"].count()
    fits = table.drop_duplicates(curves).set_index(curves)
    kept = kept.reindex(fits.index, fill_value=0)
    fitted = fits.dropna(subset="slope")
    whole, last = (
        ((fitted[name] - SLOPE) / fitted[f"{name}_se"]).to_numpy() for name in ("slope", "last")
    )
    slower = any((stats.holm(stats.p_value_above(z)) < LEVEL).any() for z in (whole, last))
    models = fits.reset_index().drop_duplicates(curves[:-1])["entries"].value_counts()
    complete = models.index.isin(LAWS).sum() == len(LAWS) and models.min() >= MODELS
    resolved = len(fitted) == len(fits) and kept.min() >= 4
    if slower:
        verdict = "contradicted"
    elif complete and resolved and (stats.p_value_above(-whole) < LEVEL).all():
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    slopes = "; ".join(
        f"{law} V: slopes {part['slope'].min():.3f} to {part['slope'].max():.3f} "
        f"(± {part['slope_se'].max():.3f} at most), of the three largest L "
        f"{part['last'].min():.2f} to {part['last'].max():.2f} (± {part['last_se'].max():.2f})"
        for law, part in fitted.groupby(level="entries")
    )
    measured = (
        f"{slopes or 'no slope'}; {len(fitted)} of {len(fits)} curves fitted, {kept.sum()} of "
        f"{len(table)} errors above 3 standard errors"
    )
    layers = table["layers"]
    setting = (
        f"σ = 1, softmax, L = {layers.min()} to {layers.max()}, T = {table['horizon'].min():g} to "
        f"{table['horizon'].max():g}, {table['replicas'].min()} to {table['replicas'].max()} pairs"
    )
    if fitted.empty:
        return Finding(verdict, measured, setting)
    worst = fitted.loc[fitted["slope"].idxmax()]
    return Finding(verdict, measured, setting, float(worst["slope"]), float(worst["slope_se"]))
