"""Table 1, number by number."""

import pandas as pd

from deeplimits.claims import Finding, claim

QUANTITIES = ("kappa1", "dkappa1", "lambda1", "lambda_bar")


@claim(
    statement="κ(1), κ′(1), λ₁ and λ̄ of four activations, three dimensions and two biases.",
    reported="Table 1, 96 numbers of three significant digits.",
    rule="reproduced if each of our values, formatted as printed, equals the printed string; "
    "contradicted if one differs; inconclusive if the configuration leaves any of the 96 out",
    origin="paper",
    scale="paper",
    setting="no simulation",
    tables=("table1",),
)
def table1_values(table: pd.DataFrame) -> Finding:
    """Compare the formatted numbers."""
    printed = table.dropna(subset=[f"paper_{name}" for name in QUANTITIES])
    pairs = [
        (f"{row[name]:.2e}", f"{row[f'paper_{name}']:.2e}")
        for row in printed.to_dict("records")
        for name in QUANTITIES
    ]
    equal = sum(ours == paper for ours, paper in pairs)
    if equal < len(pairs):
        verdict = "contradicted"
    else:
        verdict = "reproduced" if len(pairs) == 96 else "inconclusive"
    return Finding(
        verdict, f"{equal} of {len(pairs)} numbers equal", "closed forms and quadrature", equal
    )
