"""The powers, printed."""

import pandas as pd

TABLES = ("powers",)
CAPTION = "The powers."


def frame(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """All of them."""
    return tables["powers"]


def latex(tables: dict[str, pd.DataFrame]) -> str:
    """The values, one a line."""
    return "".join(f"{value:.2f} \\\\\n" for value in tables["powers"]["value"])
