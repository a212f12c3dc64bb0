"""Mean end of the walks of each drift."""

import pandas as pd

from deeplimits.schema import Column

KEY = ("kind", "drift")
COLUMNS = (
    Column("kind", "string", "1", "a label"),
    Column("drift", "float64", "1", "drift of one step"),
    Column("end", "float64", "1", "mean end"),
)


def estimate(table: pd.DataFrame) -> pd.DataFrame:
    """Average the last positions."""
    last = table[table["step"] == table["step"].max()]
    return (
        last.groupby(list(KEY), as_index=False)["position"]
        .mean()
        .rename(columns={"position": "end"})
    )
