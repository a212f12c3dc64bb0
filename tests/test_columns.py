"""The reference of the tables' columns."""

from pathlib import Path
from typing import Any

import pytest

from deeplimits import columns
from deeplimits.schema import Column

PAGE = Path(__file__).parents[1] / "docs" / "columns.md"


def test_the_page_is_in_step() -> None:
    command = "python -m deeplimits columns > docs/columns.md"
    assert PAGE.read_text(encoding="utf-8") == columns.text(), f"run: {command}"


def test_the_page_has_every_table_and_column(toy: dict[str, Any]) -> None:
    lines = columns.text().splitlines()
    tables = [line for line in lines if line.startswith("### ")]
    assert tables == ["### `squares`", "### `powers`", "### `walks`", "### `walks_estimates`"]
    for line in (
        "| `drift` | float64, key |  | mean of one step |",
        "| `step` | int64, key |  | index of the step |",
        "| `position` | float64 | m | position after the step |",
        "| `end_se` | float64 | m | its standard error |",
        "| `value` | float64, may be missing |  | the number that decides, where there is one |",
    ):
        assert line in lines


@pytest.mark.parametrize("meaning", ["|x| at most"])
def test_a_bar_in_a_meaning_does_not_end_its_cell(meaning: str) -> None:
    row = columns._row(Column("x", "float64", "1", meaning), key=False)
    assert row == r"| `x` | float64 |  | \|x\| at most |"
