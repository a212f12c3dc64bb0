"""Tables in Markdown."""

from collections.abc import Iterable


def row(cells: Iterable[str]) -> str:
    """One row of a table, with what would end a cell or the row escaped or left out."""
    escaped = (cell.replace("|", "\\|").replace("\n", " ") for cell in cells)
    return f"| {' | '.join(escaped)} |"
