"""Does suppressing the noise of the values degrade accuracy? One claim an arm of our protocol."""

from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import special

from deeplimits import stats
from deeplimits.claims import Finding, Verdict, claim

REFERENCE = 1.0
"""λ of the comparisons: V_ℓ x of a unit vector then has a mean square of T/L, as in the model."""
LEVEL = 0.05
"""Family-wise error rate over the conditions (a, T) of one arm."""
MARGIN = 0.01
"""A loss of accuracy that would matter: one image in a hundred."""
TRAINED = 0.95
"""Mean accuracy on the training images below which a training counts as failed."""

STATEMENT = "Suppressing the intrinsic noise degrades accuracy: "
REPORTED = (
    "Suppressing the intrinsic noise degrades accuracy (abstract); how it was suppressed, on which "
    "data and by how much is not known."
)
RULE = (
    "Paired t tests over the seeds in every condition (a, T), Holm over the conditions, family-"
    "wise 5%. Reproduced if the loss is positive in all conditions, each two-sided test rejecting "
    "zero. Contradicted if in no condition the loss reaches one point: each one-sided test rejects "
    "a loss of .01 or more. Else inconclusive"
)
PAPER = "not stated: only the abstract is known"


@claim(
    statement=f"{STATEMENT}frozen values (arm A), drawn at λ = 1 against λ = 0.",
    reported=REPORTED,
    rule=f"Loss: test accuracy at λ = 1 minus that at λ = 0. {RULE}.",
    origin="sharpened",
    scale="ours",
    setting=PAPER,
    tables=("noise_ablation_estimates",),
)
def noise_ablation_frozen(table: pd.DataFrame) -> Finding:
    """Arm A."""
    tests = _tests(table, "frozen", mu=1.0)
    return _finding(tests, tests["difference"], trained=True)


@claim(
    statement=f"{STATEMENT}trained values (arm B), started at λ = 1 against λ = 0.",
    reported=REPORTED,
    rule=f"Loss: test accuracy at λ = 1 minus that at λ = 0. {RULE}, and whenever a mean training "
    "accuracy at one of the two levels is below .95.",
    origin="sharpened",
    scale="ours",
    setting=PAPER,
    tables=("noise_ablation_estimates",),
)
def noise_ablation_trained(table: pd.DataFrame) -> Finding:
    """Arm B."""
    tests = _tests(table, "trained", mu=1.0)
    return _finding(tests, tests["difference"], trained=_trained(table, {0.0, REFERENCE}))


@claim(
    statement=f"{STATEMENT}after training at λ = 1, layers replaced by their mean (arm C, μ = 0).",
    reported=REPORTED,
    rule="Loss: test accuracy of the trained network minus that after V_ℓ ← V̄. "
    f"{RULE}, and whenever a mean training accuracy before the replacement is below .95. The "
    "replacement also takes away what the layers learned to do differently, so to be reproduced "
    "the loss must exceed that of the networks started at λ = 0, by the same test (this control "
    "was added after a first run had been seen: it turns a verdict to inconclusive only).",
    origin="sharpened",
    scale="ours",
    setting=PAPER,
    tables=("noise_ablation_estimates",),
)
def noise_ablation_suppressed(table: pd.DataFrame) -> Finding:
    """Arm C."""
    tests = _tests(table, "trained", mu=0.0)
    found = _finding(tests, -tests["difference"], trained=_trained(table, {REFERENCE}))
    excess = -tests["excess"]
    if tests.empty or excess.isna().any():
        return replace(found, verdict="inconclusive")
    zero, _ = paired_p_values(excess, tests["excess_se"], int(tests["seeds"].min()) - 1)
    beyond = bool((excess > 0).all() and (stats.holm(zero) < LEVEL).all())
    control = "; ".join(
        f"{value:+.4f} (a = {row.a:g}, T = {row.horizon:g}, Holm p = {p:.2g})"
        for value, row, p in zip(excess, tests.itertuples(), stats.holm(zero), strict=True)
    )
    measured = f"{found.measured}; beyond the loss at λ = 0: {control}".replace("-", "−")
    verdict = found.verdict if beyond or found.verdict != "reproduced" else "inconclusive"
    return replace(found, verdict=verdict, measured=measured)


def paired_p_values(loss: pd.Series, error: pd.Series, degrees: int) -> tuple[np.ndarray, ...]:
    """p-values of no loss (two-sided) and of a loss of `MARGIN` or more (one-sided).

    Where all seeds differ by the same, the error is 0 and the tests are exact: p is 0 or 1.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        t_zero = np.nan_to_num(loss / error, nan=0.0, posinf=np.inf, neginf=-np.inf)
        t_margin = np.nan_to_num((loss - MARGIN) / error, nan=0.0, posinf=np.inf, neginf=-np.inf)
    return 2 * special.stdtr(degrees, -np.abs(t_zero)), special.stdtr(degrees, t_margin)


def _tests(table: pd.DataFrame, values: str, mu: float) -> pd.DataFrame:
    """The conditions' rows of test accuracy at λ = 1, compared with their references."""
    chosen = (table["values"] == values) & (table["mu"] == mu) & (table["noise"] == REFERENCE)
    rows = table[chosen & (table["measure"] == "test")]
    return rows[rows["difference"].notna()].sort_values(["a", "horizon"])


def _trained(table: pd.DataFrame, levels: set[float]) -> bool:
    """Whether arm B reached `TRAINED` on the training images at all these levels."""
    rows = table[(table["values"] == "trained") & (table["mu"] == 1.0)]
    accuracy = rows.loc[(rows["measure"] == "train") & rows["noise"].isin(levels), "value"]
    return len(accuracy) > 0 and bool((accuracy >= TRAINED).all())


def _finding(tests: pd.DataFrame, loss: pd.Series, *, trained: bool) -> Finding:
    if tests.empty:
        return Finding("inconclusive", "no network at λ = 1 and its reference", "none")
    degrees = int(tests["seeds"].min()) - 1
    zero, margin = paired_p_values(loss, tests["difference_se"], degrees)
    verdict: Verdict = "inconclusive"
    if trained and (loss > 0).all() and (stats.holm(zero) < LEVEL).all():
        verdict = "reproduced"
    elif trained and (stats.holm(margin) < LEVEL).all():
        verdict = "contradicted"
    half = stats.critical_value(degrees=degrees) * tests["difference_se"]
    measured = "loss of test accuracy: " + "; ".join(
        f"{value:+.4f} ± {width:.4f} (a = {row.a:g}, T = {row.horizon:g}, Holm p = {p:.2g})"
        for value, width, row, p in zip(
            loss, half, tests.itertuples(), stats.holm(zero), strict=True
        )
    )
    if not trained:
        measured += "; a training failed"
    setting = f"{degrees + 1} seeds a level, L = {tests['layer'].max()}; ± is a 95% interval"
    mean = float(loss.mean())
    return Finding(verdict, measured.replace("-", "−"), setting, mean)
