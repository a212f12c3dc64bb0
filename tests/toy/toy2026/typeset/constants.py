"""The constants, printed."""

import pandas as pd

TABLES = ("constants",)
CAPTION = "The constants."


def frame(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """All of them."""
    return tables["constants"]


def latex(tables: dict[str, pd.DataFrame]) -> str:
    """The values, one a line."""
    return "".join(f"{value:.2f} \\\\\n" for value in tables["constants"]["value"])
