"""One claim."""

import pandas as pd

from deeplimits.claims import Finding, claim

TABLES = ("walks_estimates",)


@claim(
    statement="Walks go where their drift points.",
    reported="ours",
    rule="reproduced if the mean end at the largest drift is above zero by two standard errors",
    origin="ours",
    scale="ours",
    setting="not stated",
    tables=("walks_estimates",),
)
def drift_decides(ends: pd.DataFrame) -> Finding:
    """Look at the largest drift and, of its walks, at the narrowest."""
    last = ends.sort_values(["drift", "spread"], ascending=[False, True]).iloc[0]
    end, error = float(last["end"]), float(last["end_se"])
    verdict = "reproduced" if end > 2 * error else "inconclusive"
    return Finding(verdict, f"mean end {end:.2f} ± {error:.2f}", "see config", end, error)


CLAIMS = (drift_decides,)
