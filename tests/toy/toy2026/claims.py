"""One claim."""

import pandas as pd

from deeplimits.claims import Finding, claim

TABLES = ("walks_estimates", "constants")


@claim(
    statement="Walks go where their drift points.",
    reported="ours",
    rule="reproduced if the mean end at the largest drift is positive",
    scale="ours",
    setting="not stated",
    tables=("walks_estimates",),
)
def drift_decides(ends: pd.DataFrame) -> Finding:
    """Look at the largest drift."""
    end = ends.sort_values("drift")["end"].iloc[-1]
    verdict = "reproduced" if end > 0 else "contradicted"
    return Finding(verdict, f"mean end {end:.2f}", "see config", float(end))
