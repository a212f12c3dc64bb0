"""The simulation stage: rows of the cells of one job."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from deeplimits import grid, tables
from deeplimits.errors import UserError
from deeplimits.rng import generator


def test_a_job_holds_the_rows_of_its_cells(chain: Any) -> None:
    step = chain.jobs("walks")[0]
    (path,) = chain.run("simulate", step)
    rows = tables.read(path, step.identity).to_pylist()
    assert list(rows[0]) == ["kind", "drift", "spread", "replica", "step", "position"]
    assert len(rows) == grid.size(step.specification["products"]) * 4
    assert rows == sorted(rows, key=lambda row: tuple(row.values()))


def test_the_rows_of_a_cell_come_from_its_own_seed(chain: Any) -> None:
    (path, *_) = chain.make("simulate", "toy2026", "walks")
    row = tables.read(path).to_pylist()[-1]
    cell = {name: row[name] for name in ("kind", "drift", "spread", "replica")}
    draws = generator(grid.seed(1, "toy2026/walks", cell, [])).standard_normal(4)
    end = 2.0 * np.sum(cell["drift"] + cell["spread"] * draws) + 3.0
    assert row["position"] == pytest.approx(end, rel=1e-14)


def test_the_rows_do_not_depend_on_the_split(toy: dict[str, Any], chain: Any) -> None:
    def rows(split: list[str]) -> list[dict]:
        toy["papers"]["toy2026"]["walks"]["split"] = split
        paths = type(chain)(toy).make("simulate", "toy2026", "walks")
        found = [row for path in paths for row in tables.read(path).to_pylist()]
        return sorted(found, key=lambda row: tuple(row.values()))

    assert rows(["drift"]) == rows([]) == rows(["replica", "kind"])


WRONG: dict[str, tuple[Callable[[dict], dict], str]] = {
    "NaN": (lambda rows: rows | {"position": [1.0, np.nan, 2.0, 3.0]}, "column position is None"),
    "infinity": (
        lambda rows: rows | {"position": [1.0, np.inf, 2.0, 3.0]},
        "column position is inf",
    ),
    "type": (lambda rows: rows | {"position": [1, 2, "a", 4]}, "column position: "),
    "length": (lambda rows: rows | {"position": [1.0]}, "columns of different lengths"),
    "repeated row": (lambda rows: rows | {"step": [0, 1, 1, 2]}, "repeated row"),
    "extra column": (lambda rows: rows | {"speed": [1, 2, 3, 4]}, "columns \\['speed'\\]"),
    "missing column": (lambda rows: {"step": rows["step"]}, "columns \\['position'\\] are missing"),
}


@pytest.mark.parametrize(("spoil", "message"), WRONG.values(), ids=WRONG)
def test_rows_that_do_not_fit_the_schema_name_the_cell(
    chain: Any,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[dict], dict],
    message: str,
) -> None:
    from deeplimits.toy2026.experiments import walks

    right = walks.simulate

    def wrong(cell: Any, settings: Any, seed: Any) -> dict:
        rows = right(cell, settings, seed)
        return spoil(rows) if cell.replica == 1 else rows

    monkeypatch.setattr(walks, "simulate", wrong)
    step = chain.jobs("walks")[0]
    cell = r"cell {'drift': 0.5, 'kind': 'a', 'replica': 1, 'spread': 0.1}"
    with pytest.raises(UserError, match=f"^toy2026/walks: {cell}: {message}"):
        chain.run("simulate", step)
