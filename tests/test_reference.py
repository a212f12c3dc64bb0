"""The reference of configuration keys."""

from pathlib import Path
from typing import Any

from deeplimits import reference

PAGE = Path(__file__).parents[1] / "docs" / "configuration.md"


def test_the_page_is_in_step() -> None:
    command = "python -m deeplimits reference > docs/configuration.md"
    assert PAGE.read_text(encoding="utf-8") == reference.text(), f"run: {command}"


def test_the_page_says_what_each_key_allows(toy: dict[str, Any]) -> None:
    lines = reference.text().splitlines()
    for line in (
        "| `seed` | int, ≥ 0, < 9223372036854775808 |  | root seed of all random streams |",
        "| `limits.cells` | int, ≥ 1 |  | largest number of cells of one experiment |",
        "## `papers.toy2026`",
        "### `walks`",
        "| `grid[].drift` | list of float, ≥ -10, ≤ 10 |  | mean of one step |",
        "| `grid[].kind` | list of str |  | a label |",
        "| `settings.scale` | float, > 0 | `1.0` | factor of all positions |",
    ):
        assert line in lines
    assert any(
        line.startswith("| `scale` | `paper` or `reduced` or `stress` |  | ") for line in lines
    )


def keys(value: Any, path: str = "") -> set[str]:
    """Every key of a configuration, without the names of papers and experiments."""
    if isinstance(value, list):
        return {key for item in value for key in keys(item, f"{path}[]")}
    if not isinstance(value, dict):
        return {path}
    return {
        key for name, inner in value.items() for key in keys(inner, f"{path}.{name}".lstrip("."))
    }


def test_the_page_names_every_key_in_use(toy: dict[str, Any]) -> None:
    text = reference.text()
    walks = toy.pop("papers")["toy2026"]["walks"]
    used = keys(toy) | {key.rstrip("[]") for key in keys(walks)}
    assert len(used) > 15
    assert not {key for key in used if f"| `{key}` |" not in text}


def test_a_bar_in_a_description_does_not_end_its_cell() -> None:
    table = reference._table([("`key`", "float", "", "|x| at most")])
    assert r"| \|x\| at most |" in table
