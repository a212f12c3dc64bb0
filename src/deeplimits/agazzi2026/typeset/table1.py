"""Table 1 as CSV and LaTeX: every quantity ours / as printed."""

import pandas as pd

TABLES = ("table1",)
CAPTION = (
    "Table 1 of agazzi2026: κ(1), κ′(1), λ₁ and λ̄. Ours, in the paper's format; a printed value "
    "that differs stands beside it in brackets."
)
SYMBOLS = {
    "kappa1": r"\kappa(1)",
    "dkappa1": r"\kappa'(1)",
    "lambda1": r"\lambda_1",
    "lambda_bar": r"\bar\lambda",
}


def frame(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """All columns, in full precision."""
    return tables["table1"]


def latex(tables: dict[str, pd.DataFrame]) -> str:
    """A booktabs table in the paper's format, three significant digits."""
    head = " & ".join(["activation", "$d$", r"$\sigma_U$", r"$\sigma_W$"])
    symbols = " & ".join(f"${symbol}$" for symbol in SYMBOLS.values())
    lines = [
        f"% {CAPTION}",
        r"\begin{tabular}{lrrr" + "r" * len(SYMBOLS) + "}",
        r"\toprule",
        rf"{head} & {symbols} \\",
        r"\midrule",
        *(_line(row) for row in tables["table1"].to_dict("records")),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _line(row: dict) -> str:
    place = f"{row['activation']} & {row['d']} & {row['sigma_u']:g} & {row['sigma_w']:g}"
    values = " & ".join(_value(row[name], row[f"paper_{name}"]) for name in SYMBOLS)
    return rf"{place} & {values} \\"


def _value(ours: float, printed: float) -> str:
    text = _scientific(ours)
    if pd.notna(printed) and _scientific(printed) != text:
        text += f" [{_scientific(printed)}]"
    return text


def _scientific(value: float) -> str:
    mantissa, exponent = f"{value:.2e}".split("e")
    return rf"${mantissa}\cdot10^{{{int(exponent)}}}$"
