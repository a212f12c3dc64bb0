"""What becomes of the tokens in the long run: repulsion, weak synchronization, two points."""

import pandas as pd

from deeplimits.claims import Finding, claim

PAPER = "T = 5 in Figs. 2–6 and 20 in Fig. 1; the statements are about t → ∞"
AXES = ["activation", "d", "sigma_u", "sigma_w", "a", "tokens", "layers_per_unit"]
ERRORS = 3.5
"""Standard errors that resolve a trend: two-sided 5e-4 a test, below 3% for 60 tests."""
STEADY = 1.0
"""Where no fall is predicted, a plateau moves by less than this (in e-folds) over T/2 → T."""
CLOCK = 1.0
"""Over T/2 → T the predicted exponent must be good for this many e-folds, else T is too short."""
ROUNDING = -60.0
"""Mean log gap of tokens that agree to rounding; it can't fall further."""


def trend(run: pd.DataFrame, quantity: str = "") -> str:
    """Name the drift of a mean log gap over two doublings of t: falling, steady or unresolved.

    With e the top exponent of noise and attention at this Δt, synchrony would make it fall by eT
    over T/2 → T. Where |e|T < `CLOCK` the horizon decides nothing: unresolved. Falling: over
    T/4 → T/2 and T/2 → T the mean falls, the second time by more than `ERRORS` standard errors and
    more than the first, as it must at a constant rate (an approach to a plateau slows down); or it
    is down at rounding. Steady: over T/2 → T, with `ERRORS` standard errors around it, it falls
    by less than half of what e < 0 predicts, or moves by less than `STEADY` where e ≥ 0.
    """
    run = run.sort_values("t").set_index("t")
    horizon = run.index.max()
    last, before = run.loc[horizon], run.loc[horizon / 2]
    drift, margin = last[f"{quantity}drift"], ERRORS * last[f"{quantity}drift_se"]
    predicted = last["discrete_exponent"] * horizon
    if last[f"log_{quantity}gap"] < ROUNDING:
        return "falling"
    if abs(predicted) < CLOCK:
        return "unresolved"
    if drift < -margin and drift < before[f"{quantity}drift"] < 0:
        return "falling"
    steady = drift - margin > predicted / 2 if predicted < 0 else abs(drift) + margin < STEADY
    return "steady" if steady else "unresolved"


def trends(table: pd.DataFrame, quantity: str = "") -> dict[tuple, str]:
    """The trend of every cell."""
    return {cell: trend(run, quantity) for cell, run in table.groupby(AXES)}


def setting(table: pd.DataFrame) -> str:
    """Horizon, steps, sizes and runs of `ext_horizons_estimates`."""
    steps = ", ".join(f"1/{n}" for n in sorted(table["layers_per_unit"].unique()))
    sizes = ", ".join(str(n) for n in sorted(table["tokens"].unique()))
    runs = table["replicas"].max()
    return f"T = {table['t'].max():g}, Δt = {steps}, N = {sizes}, m = ∞, {runs} runs a cell"


def described(cells: dict[tuple, str]) -> str:
    """Cells in words, for example "relu d=64 σ=0.1 (N=16, Δt=1/20): steady"."""
    return "; ".join(
        f"{activation} d={d} σ={sigma:g} (N={tokens}, Δt=1/{layers}): {what}"
        for (activation, d, sigma, _, _, tokens, layers), what in cells.items()
    )


def odd(table: pd.DataFrame) -> pd.Series:
    """Rows where G is odd: an odd activation without bias."""
    no_bias = (table["sigma_u"] == 0) & (table["sigma_w"] == 0)
    return table["activation"].isin(["tanh", "erf", "none"]) & no_bias


def agreement(found: dict, expected: dict, table: pd.DataFrame) -> Finding:
    """Compare trends with what is expected; a cell resolved otherwise contradicts."""
    others = {cell: what for cell, what in found.items() if what != expected[cell]}
    if set(others.values()) - {"unresolved"}:
        verdict = "contradicted"
    elif others or not found:
        verdict = "inconclusive"
    else:
        verdict = "reproduced"
    agree = len(found) - len(others)
    measured = f"{agree} of {len(found)} cells as predicted"
    if others:
        measured += f"; otherwise: {described(others)}"
    return Finding(verdict, measured, setting(table), agree)


@claim(
    statement="Under repulsion, a = −1, strong enough noise wins: tokens synchronize exactly when "
    "λ₁ < −1.",
    reported="Fifth remark ('strong enough noise wins in the end'); the threshold is ours.",
    rule="The mean log gap is followed to T/4, T/2 and T, at two steps and two N. Reproduced if it "
    "falls (over the second half by 3.5 standard errors, and more than in the quarter before) in "
    "every cell with λ₁ < −1 and is steady (moves by less than one e-fold, within 3.5 standard "
    "errors) in every other; contradicted if a cell is resolved the other way; else inconclusive, "
    "as where T/2 is shorter than the time in which the predicted exponent works one e-fold.",
    origin="sharpened",
    scale="ours",
    setting=PAPER,
    tables=("ext_horizons_estimates",),
)
def noise_against_repulsion(table: pd.DataFrame) -> Finding:
    """Compare each cell's trend with the sign of λ₁ + 1."""
    repulsive = table[table["a"] == -1]
    exponents = repulsive.groupby(AXES)["lambda1"].first()
    expected = {cell: "falling" if value < -1 else "steady" for cell, value in exponents.items()}
    return agreement(trends(repulsive), expected, table)


@claim(
    statement="Where λ₁ < 0 and G is not odd, noise alone synchronizes the tokens (weakly: in "
    "probability).",
    reported="Theorem on weak synchronization; no numbers.",
    rule="Without attention, in every cell with λ₁ < 0 and G not odd the mean log gap falls over "
    "T/4 → T/2 → T, over the second half by more than 3.5 standard errors, at both steps. "
    "Contradicted if a cell is steady; inconclusive if one is unresolved.",
    origin="paper",
    scale="ours",
    setting=PAPER,
    tables=("ext_horizons_estimates",),
)
def weak_synchronization(table: pd.DataFrame) -> Finding:
    """Follow the mean log gap where λ₁ < 0."""
    cells = table[(table["a"] == 0) & ~odd(table) & (table["lambda1"] < 0)]
    found = trends(cells)
    return agreement(found, dict.fromkeys(found, "falling"), table)


@claim(
    statement="With odd φ and no bias (tanh) the attractor is two opposite points.",
    reported="Fig. 1 and the theory's remark on odd G.",
    rule="Without attention, in every cell with G odd the mean log of 1 − |cosine| falls over "
    "T/4 → T/2 → T, over the second half by more than 3.5 standard errors, at both steps, while "
    "the mean gap 1 − cosine stays within 3.5 standard errors of its value at T/2. Contradicted if "
    "1 − |cosine| is steady or the gap falls; else inconclusive.",
    origin="paper",
    scale="ours",
    setting=PAPER,
    tables=("ext_horizons_estimates",),
)
def two_opposite_points(table: pd.DataFrame) -> Finding:
    """Follow 1 − |cosine| and 1 − cosine where G is odd."""
    cells = table[(table["a"] == 0) & odd(table) & (table["activation"] != "none")]
    if cells.empty:
        return Finding("inconclusive", "no odd activation without bias configured", setting(table))
    axial, plain = list(trends(cells, "axial_").values()), trends(cells).values()
    last = cells[cells["t"] == cells["t"].max()]
    moved = (last["drift"].abs() > ERRORS * last["drift_se"]).sum()
    if "steady" in axial or "falling" in plain:
        verdict = "contradicted"
    elif set(axial) == {"falling"} and moved == 0:
        verdict = "reproduced"
    else:
        verdict = "inconclusive"
    slowest = last.loc[last["axial_drift"].idxmax()]
    return Finding(
        verdict,
        f"1 − |cosine| falling in {axial.count('falling')} of {len(axial)} cells (least fall "
        f"over the second half {-slowest.axial_drift:.2f} ± {slowest.axial_drift_se:.2f} e-folds); "
        f"gap unmoved in {len(last) - moved}",
        setting(cells),
        float(slowest.axial_drift),
        float(slowest.axial_drift_se),
    )
