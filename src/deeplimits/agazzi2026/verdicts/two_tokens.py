"""Two tokens under noise alone: exponents, mean gaps, and whether they meet. All of it is ours."""

from itertools import pairwise

import numpy as np
import pandas as pd

from deeplimits import stats
from deeplimits.agazzi2026 import two_tokens
from deeplimits.claims import Finding, claim

LEVEL = 0.01
"""Family-wise error rate of a group of tests."""
ERRORS = 3.0
"""Standard errors that resolve a sign: one-sided 1.35e-3 a test."""
PAPER = "none: the paper simulates 64 tokens to T = 5 at Δt = 1/30 and measures no rate"


def rejected(z: np.ndarray) -> bool:
    """Whether two-sided z tests reject any of a family at `LEVEL` (Holm)."""
    return bool((stats.holm(stats.p_value(z)) < LEVEL).any())


def swish_parameter(table: pd.DataFrame) -> pd.Series:
    """The b of swish(b), NaN in other rows."""
    return table["activation"].str.extract(r"^swish\((.*)\)$", expand=False).astype(float)


@claim(
    statement="log(1 − u) of two close tokens has slope 2λ₁ in the limit Δt → 0.",
    reported="λ₁ is the top Lyapunov exponent of the noise flow; no slope is measured.",
    rule="Two-sided z tests in three families, Holm, family-wise 1% each: the slope at every step "
    "against the exact exponent of the discrete chain; the slope extrapolated to Δt → 0 (a "
    "quadratic in the step) against 2λ₁; and the slope over the second half of the run against "
    "that over the first. Contradicted if one of the first two rejects. Reproduced if none does, "
    "the mean over models of slope/2λ₁ comes closer to 1 with every smaller step, by more than 3 "
    "standard errors, and no extrapolated slope has an error above 0.2·|2λ₁|; else inconclusive.",
    origin="paper",
    scale="ours",
    setting=PAPER,
    tables=("ext_lyapunov_estimates",),
)
def slope_is_twice_lambda1(table: pd.DataFrame) -> Finding:
    """Compare slopes with the exact exponent at each step, and with 2λ₁ in the limit."""
    steps, limits = table[table["epsilon"] > 0], table[table["epsilon"] == 0]
    at_steps = (steps["slope"] - steps["exact"]) / steps["slope_se"]
    at_limit = (limits["slope"] - limits["limit"]) / limits["slope_se"]
    halves = steps["drift"] / steps["drift_se"]
    ratios = mean_ratios(table)
    precise = (limits["slope_se"] <= 0.2 * limits["limit"].abs()).all()
    if rejected(at_steps) or rejected(at_limit):
        verdict = "contradicted"
    elif not rejected(halves) and approaches_one(ratios) and precise:
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    trend = ", ".join(
        f"{ratio:.3f} ± {error:.3f} (ε = {epsilon:g})" for epsilon, ratio, error in ratios
    )
    measured = (
        f"mean of slope/2λ₁ over {len(limits)} models: {trend}; largest |z| against the discrete "
        f"exponent {at_steps.abs().max():.1f} of {len(steps)}, extrapolated against 2λ₁ "
        f"{at_limit.abs().max():.1f} of {len(limits)}, between halves {halves.abs().max():.1f}"
    )
    shown = ", ".join(f"{epsilon:g}" for epsilon in sorted(steps["epsilon"].unique()))
    setting = f"κ(1)(d−1)Δt = {shown}; {steps['replicas'].max()} pairs a model and step, m = ∞"
    _, value, error = ratios[-1]
    return Finding(verdict, measured, setting, value, error)


def mean_ratios(table: pd.DataFrame) -> list[tuple[float, float, float]]:
    """ε, mean over models of slope/2λ₁ and its standard error, from the largest step to ε = 0."""
    scaled = table.assign(
        ratio=table["slope"] / table["limit"], error=table["slope_se"] / table["limit"].abs()
    )
    return [
        (float(epsilon), part["ratio"].mean(), np.sqrt((part["error"] ** 2).sum()) / len(part))
        for epsilon, part in scaled.groupby("epsilon")
    ][::-1]


def approaches_one(ratios: list[tuple[float, float, float]]) -> bool:
    """Whether the mean ratio comes closer to 1 with every smaller step, beyond doubt."""
    return all(
        abs(before - 1) - abs(after - 1) > ERRORS * np.hypot(before_error, after_error)
        for (_, before, before_error), (_, after, after_error) in pairwise(ratios)
    )


@claim(
    statement="E[1 − u_t] of two tokens follows the one-dimensional backward equation.",
    reported="The limit equation of the tokens; the two-token equation and the test are ours.",
    rule="The simulated mean, extrapolated to Δt → 0 (log mean, a quadratic in Δt), at every depth "
    "that the replicas resolve. Reproduced if all lie within 3 standard errors of the solution "
    "(if it is right, one of n fails by chance with probability at most 0.0027n), at the last "
    "depth no error exceeds 20%, and the mean bias |ln(mean/exact)| there falls with every smaller "
    "step. Contradicted if two-sided z tests reject at family-wise 1% (Holm); else inconclusive.",
    origin="ours",
    scale="ours",
    setting=PAPER,
    tables=("ext_moment_estimates",),
)
def mean_gap_follows_backward_equation(table: pd.DataFrame) -> Finding:
    """Compare log means in standard errors."""
    off = np.log(table["gap"] / table["exact"])
    table = table.assign(off=off, relative=table["gap_se"] / table["gap"])
    limit = table[table["dt"] == 0]
    z = limit["off"] / limit["relative"]
    last = table[table["t"] == table.groupby(two_tokens.AXES)["t"].transform("max")]
    precise = last.loc[last["dt"] == 0, "relative"].max() <= 0.2
    biases = mean_biases(last)
    if rejected(z):
        verdict = "contradicted"
    elif z.abs().max() <= ERRORS and precise and all(np.diff(biases) < 0):
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    measured = (
        f"largest |z| {z.abs().max():.2f}, root mean square {np.sqrt((z**2).mean()):.2f} of "
        f"{len(z)} points of {len(last[last['dt'] == 0])} models; mean |ln(mean/exact)| at the "
        f"last depth {', '.join(f'{bias:.3f}' for bias in biases)} from the largest step to Δt → 0"
    )
    setting = f"{limit['replicas'].max()} pairs a model and step, m = ∞, {len(biases) - 1} steps"
    return Finding(verdict, measured, setting, float(z.loc[z.abs().idxmax()]), 1.0)


def mean_biases(last: pd.DataFrame) -> list[float]:
    """Mean over models of |ln(mean/exact)| at the last depth: largest step first, Δt = 0 last."""
    rank = last.groupby(two_tokens.AXES)["dt"].rank(ascending=False)
    return last["off"].abs().groupby(rank).mean().tolist()


def settles(table: pd.DataFrame) -> pd.Series:
    """Whether each model's local rate tends to its predicted decay, over T/4, T/2 and T.

    The excess of the rate over the decay is at T no more than 1.6/T (theory: 3/(2T) as T → ∞ where
    the decay is an edge, less where it is an eigenvalue), and its size falls by a factor of 1.5 or
    more with each doubling, unless it is below 0.2/T.
    """
    excess = table[["rate_quarter", "rate_half", "rate"]].sub(table["decay"], axis=0).abs()
    small = excess.le(0.2 / table["t"], axis=0)
    first = small["rate_half"] | (excess["rate_half"] <= excess["rate_quarter"] / 1.5)
    second = small["rate"] | (excess["rate"] <= excess["rate_half"] / 1.5)
    return (excess["rate"] <= 1.6 / table["t"]) & first & second


def exact_setting(table: pd.DataFrame) -> str:
    """Horizons of `ext_backward_estimates`."""
    return f"backward equation, Δt → 0, m = ∞, T = {table['t'].min():.3g} to {table['t'].max():.3g}"


def named(table: pd.DataFrame) -> str:
    """Models in words, e.g. "relu d=5 σ=0"."""
    return ", ".join(f"{m.activation} d={m.d} σ={m.sigma_u:g}" for m in table.itertuples())


@claim(
    statement="E[1 − u_t], and with it the energy, decays at the lesser of −min Λ and ν.",
    reported="The theorem bounds the rate where λ̄ < 0; the exact rate is ours.",
    rule="Exact numbers, no test. Reproduced if in every model the local rate of decay tends to "
    "that value: at T its excess is at most 1.6/T (theory: 3/(2T)), and falls by a factor of 1.5 "
    "or more from T/4 to T/2 and from T/2 to T, unless it is below 0.2/T. Contradicted if the "
    "excess at T is larger and has not fallen since T/4; else inconclusive.",
    origin="ours",
    scale="ours",
    setting=PAPER,
    tables=("ext_backward_estimates",),
)
def mean_gap_decays_at_the_lesser_rate(table: pd.DataFrame) -> Finding:
    """Follow the local rate of every model."""
    settled = settles(table)
    excess = (table["rate"] - table["decay"]) * table["t"]
    before = (table["rate_quarter"] - table["decay"]).abs() * table["t"]
    away = ~settled & (excess.abs() > 1.6) & (excess.abs() >= before)
    verdict = "contradicted" if away.any() else "reproduced" if settled.all() else "inconclusive"
    bulk = table["bulk"].notna() & (table["bulk"] > 0)
    measured = (
        f"{settled.sum()} of {len(table)} models, in {bulk.sum()} of them ν > 0 below −min Λ; "
        f"excess at T between {excess.min():.2f}/T and {excess.max():.2f}/T"
    )
    if not settled.all():
        measured += f"; otherwise: {named(table[~settled])}"
    return Finding(verdict, measured, exact_setting(table), float(excess.abs().max()))


@claim(
    statement="The energy decays even where λ̄ > 0: for ReLU without bias, d ≥ 3, at rate 1/(8d).",
    reported="The theorem needs λ̄ < 0; beyond it nothing is stated.",
    rule="Models with λ̄ > 0, λ₁ < 0 and a field that is not odd. Exact numbers: the predicted "
    "rate is positive, the local rate tends to it (as in mean_gap_decays_at_the_lesser_rate), and "
    "for ReLU without bias at d ≥ 3 it is 1/(8d) to 1e-9. Simulation, the same ReLU models: the "
    "mean of 1 − u, extrapolated to Δt → 0, falls from the first to the last depth and from the "
    "middle one, by more than 3 standard errors. Contradicted if a predicted rate is not positive "
    "or differs from 1/(8d), or a simulated mean rises by as much; else inconclusive.",
    origin="ours",
    scale="ours",
    setting=PAPER,
    tables=("ext_backward_estimates", "ext_moment_estimates"),
)
def energy_decays_at_positive_lambda_bar(exact: pd.DataFrame, simulated: pd.DataFrame) -> Finding:
    """Look at the models that the theorem leaves out."""
    models = exact[(exact["lambda_bar"] > 0) & (exact["lambda1"] < 0) & (exact["bulk"] != 0)]
    relu = models[(models["activation"] == "relu") & (models["d"] >= 3) & (models["sigma_u"] == 0)]
    relu = relu[relu["sigma_w"] == 0]
    equal = np.isclose(relu["decay"], 0.125 / relu["d"], rtol=1e-9, atol=0.0)
    falls = simulated_falls(simulated, relu)
    if (models["decay"] <= 0).any() or not equal.all() or (falls < -ERRORS).any():
        verdict = "contradicted"
    elif len(falls) and settles(models).all() and (falls > ERRORS).all():
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    rates = ", ".join(
        f"{m.activation} d={m.d} σ={m.sigma_u:g} (λ̄ = {m.lambda_bar:.3g}): {m.rate:.4g} → "
        f"{m.decay:.4g}"
        for m in models.itertuples()
    )
    measured = f"local rates at T → predicted: {rates}; least z of the simulated falls " + (
        f"{falls.min():.1f}" if len(falls) else "none"
    )
    return Finding(verdict, measured, exact_setting(models))


def simulated_falls(simulated: pd.DataFrame, models: pd.DataFrame) -> np.ndarray:
    """Z of the fall of the extrapolated mean from the first and the middle to the last depth."""
    limit = simulated[simulated["dt"] == 0].merge(models[two_tokens.AXES], on=two_tokens.AXES)
    falls = []
    for _, curve in limit.sort_values("t").groupby(two_tokens.AXES):
        last = curve.iloc[-1]
        for earlier in (curve.iloc[0], curve.iloc[(len(curve) - 1) // 2]):
            # Depths of one run are positively correlated: the error is at most this.
            error = np.hypot(earlier["gap_se"], last["gap_se"])
            falls.append((earlier["gap"] - last["gap"]) / error)
    return np.array(falls)


@claim(
    statement="Where λ₁ < 0 two tokens meet if G is not odd; if it is odd they become equal or "
    "opposite, each with probability ½.",
    reported="Theorem on weak synchronization; no numbers.",
    rule="Share of pairs closer than 1e-3 (1 − u, or 1 − |u| for odd G) at T/4, T/2 and T. "
    "Reproduced if in every model with λ₁ < 0 the lower end of the 95% Wilson interval at T "
    "exceeds 0.95, the share falls neither from T/4 to T/2 nor from there to T (beyond its "
    "interval), and for odd G the interval of 1 − u < 1e-3 at T (all pairs) lies within 0.1 of ½. "
    "Contradicted if the upper end at T is below 0.95 although T is long: the exponent of the "
    "discrete chain moves log(1 − u) beyond log 1e-3 by two of its standard deviations, "
    "4√((κ(1)+κ′(1))T) in all; else inconclusive.",
    origin="paper",
    scale="ours",
    setting=PAPER,
    tables=("ext_pairs_estimates",),
)
def two_tokens_meet(table: pd.DataFrame) -> Finding:
    """Follow the share of pairs that have met where λ₁ < 0."""
    lasts, apart, rising, halved = [], [], [], []
    for _, runs in table[table["lambda1"] < 0].groupby(two_tokens.AXES):
        quarter, half, last = shares(runs)
        lasts.append(last)
        rising += [quarter["share"] <= half["share_high"], half["share"] <= last["share_high"]]
        apart.append(last["share_high"] < 0.95 and is_long(last))
        if last["odd"]:
            halved.append(last["met_low"] > 0.4 and last["met_high"] < 0.6)
    last = pd.DataFrame(lasts)
    if any(apart):
        verdict = "contradicted"
    elif (last["share_low"] > 0.95).all() and all(rising) and all(halved):
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    measured = (
        f"least share at T {last['share'].min():.3f} (its 95% interval from "
        f"{last['share_low'].min():.3f}) of {len(last)} models"
    )
    if last["odd"].any():
        odd = last[last["odd"]]
        ends = ", ".join(
            f"{m.met:.3f} [{m.met_low:.3f}, {m.met_high:.3f}]" for m in odd.itertuples()
        )
        measured += f"; odd G, share that became equal: {ends}"
    return Finding(verdict, measured, pair_setting(table), float(last["share"].min()))


def shares(runs: pd.DataFrame) -> list[pd.Series]:
    """Rows of one model at T/4, T/2 and T, with the share that matters: axial for odd G."""
    name = "axial" if runs["odd"].iloc[0] else "met"
    runs = runs.assign(
        share=runs[name], share_low=runs[f"{name}_low"], share_high=runs[f"{name}_high"]
    )
    last = runs["t"].max()
    return [runs.loc[(runs["t"] - last * part).abs().idxmin()] for part in (0.25, 0.5, 1.0)]


def is_long(last: pd.Series) -> bool:
    """Whether the chain's exponent has had time to bring typical pairs together."""
    moved = -2.0 * last["discrete_exponent"] * last["t"]
    return bool(moved > -np.log(1e-3) + 4.0 * np.sqrt(last["clock"]))


def pair_setting(table: pd.DataFrame) -> str:
    """Horizon and sizes of `ext_pairs_estimates`."""
    return (
        f"(κ(1)+κ′(1))T = {table['clock'].max():g}, Δt = {table['dt'].min():.3g} to "
        f"{table['dt'].max():.3g}, {table['replicas'].max()} pairs a model, m = ∞"
    )


@claim(
    statement="λ₁ < 0 is not generic: swish(b) without bias has λ₁ > 0 in a bounded window of b "
    "once d is large, and there two tokens do not meet.",
    reported="The paper's four activations all have λ₁ < 0 (Table 1); no counter-example is given.",
    rule="Three conditions. Exact numbers: for a d the window opens and closes within the grid, "
    "for another there is none. Slopes of log(1 − u): more than 3 standard errors above zero for "
    "every b inside the window of its d and below zero outside, at every step and extrapolated "
    "(one-sided 1.35e-3 a test). Pairs: inside, at T, the upper end of the 95% Wilson interval of "
    "the share that has met is below 0.1 and the mean of 1 − u exceeds 0 by more than 10 standard "
    "errors and has moved by less than 20% since T/4; outside, the lower end exceeds 0.95. "
    "Contradicted if a slope has the wrong sign by 3 standard errors, or more than half of the "
    "pairs inside have met at T; else inconclusive.",
    origin="ours",
    scale="ours",
    setting=PAPER,
    tables=("ext_swish_estimates", "ext_lyapunov_estimates", "ext_pairs_estimates"),
)
def swish_is_a_counter_example(
    windows: pd.DataFrame, slopes: pd.DataFrame, pairs: pd.DataFrame
) -> Finding:
    """Check both sides of the window."""
    bounded = windows["opens"].notna() & windows["closes"].notna()
    z = signed_slopes(windows, slopes)
    inside, outside = pairs_by_side(windows, pairs)
    parted = all(stays_apart(runs) for runs in inside)
    met = all(shares(runs)[-1]["met_low"] > 0.95 for runs in outside)
    together = any(shares(runs)[-1]["met"] > 0.5 for runs in inside)
    complete = bounded.any() and windows["opens"].isna().any() and inside and outside and len(z)
    if (z < -ERRORS).any() or together:
        verdict = "contradicted"
    elif complete and (z > ERRORS).all() and parted and met:
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    spans = ", ".join(
        f"d={w.d} b from {w.opens:.2f} to {w.closes:.0f}" for w in windows[bounded].itertuples()
    )
    ends = [shares(runs)[-1] for runs in (*inside, *outside)]
    fates = ", ".join(
        f"{end['activation']} {end['met']:.3f} met, mean of 1 − u {end['gap']:.3g} ± "
        f"{end['gap_se']:.2g}"
        for end in ends
    )
    measured = (
        f"window {spans or 'none'}; none for d = "
        f"{', '.join(str(d) for d in windows.loc[windows['opens'].isna(), 'd'])}; least z of "
        f"{len(z)} signs {z.min() if len(z) else np.nan:.1f}; at T: {fates}"
    )
    return Finding(verdict, measured, pair_setting(pairs), float(z.min()) if len(z) else None)


def signed_slopes(windows: pd.DataFrame, slopes: pd.DataFrame) -> np.ndarray:
    """Z of the slopes of swish(b), positive where the sign is that of the window of its d."""
    rows = slopes.assign(b=swish_parameter(slopes)).dropna(subset="b").merge(windows, on="d")
    return (np.where(is_inside(rows), 1.0, -1.0) * rows["slope"] / rows["slope_se"]).to_numpy()


def pairs_by_side(
    windows: pd.DataFrame, pairs: pd.DataFrame
) -> tuple[list[pd.DataFrame], list[pd.DataFrame]]:
    """The runs of each swish(b) inside and outside the window of its d."""
    rows = pairs.assign(b=swish_parameter(pairs)).dropna(subset="b").merge(windows, on="d")
    sides: tuple[list[pd.DataFrame], list[pd.DataFrame]] = ([], [])
    for _, runs in rows.groupby(["d", "b"]):
        sides[0 if is_inside(runs).iloc[0] else 1].append(runs)
    return sides


def is_inside(rows: pd.DataFrame) -> pd.Series:
    """Whether b lies where λ₁ > 0; a window that does not close in the grid is open above."""
    return (rows["b"] > rows["opens"]) & ~(rows["b"] > rows["closes"])


def stays_apart(runs: pd.DataFrame) -> bool:
    """Whether the pairs have settled without meeting."""
    quarter, _, last = shares(runs)
    steady = abs(last["gap"] / quarter["gap"] - 1) < 0.2
    return bool(last["met_high"] < 0.1 and last["gap"] > 10 * last["gap_se"] and steady)
