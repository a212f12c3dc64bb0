"""Steps to accuracy as CSV and LaTeX: iterations and work units until ln L is at most a target."""

import pandas as pd

from deeplimits.kale2026 import looks

TABLES = ("first_passages_estimates",)
CAPTION = (
    "Steps to accuracy of gradient descent: iterations until ln L(w_t) is at most the target for "
    "the first time (unstable rules may rise again), median over the data sets; in brackets the "
    "work, gradients plus trial losses, where it differs. A dash: not reached within the run on "
    "half of the sets. The schedule is our reconstruction; sets, targets and parameters are our "
    "choice."
)
PLACE = ["data", "gamma"]


def frame(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """All columns, in full precision; a missing number where a target is not reached."""
    return tables["first_passages_estimates"]


def latex(tables: dict[str, pd.DataFrame]) -> str:
    """A booktabs table: one line a rule and kind of set, one column a target."""
    table = tables["first_passages_estimates"]
    targets = sorted(table["target"].unique(), reverse=True)
    head = " & ".join(rf"$\ln L\le {target:g}$" for target in targets)
    lines = [
        f"% {CAPTION}",
        r"\begin{tabular}{ll" + "r" * len(targets) + "}",
        r"\toprule",
        rf"sets & rule & {head} \\",
    ]
    for (data, gamma), part in table.groupby(PLACE, sort=True):
        place = rf"{data}, $\gamma = {gamma:.2g}$"
        rules = looks.order(part["rule"].unique().tolist())
        lines += [r"\midrule", *(_line(place, rule, part, targets) for rule in rules)]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _line(place: str, rule: str, part: pd.DataFrame, targets: list[float]) -> str:
    rows = part[part["rule"] == rule].set_index("target").loc[targets]
    cells = [_cell(row["iterations"], row["work"]) for row in rows.to_dict("records")]
    return rf"{place} & {looks.label(rule)} & {' & '.join(cells)} \\"


def _cell(iterations: float, work: float) -> str:
    if pd.isna(iterations):
        return "--"
    text = f"{iterations:.0f}"
    return text if work == iterations else f"{text} [{work:.0f}]"
