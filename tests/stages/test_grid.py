"""The grid table: one row a cell, with its seed."""

from typing import Any

from deeplimits import grid, tables


def test_the_grid_holds_each_cell_with_its_seed(chain: Any) -> None:
    (path,) = chain.make("grid", "toy2026", "walks")
    rows = tables.read(path).to_pylist()
    assert len(rows) == 2 * 2 * 2 * 3
    assert list(rows[0]) == ["kind", "drift", "spread", "replica", "seed"]
    for row in rows:
        seed = row.pop("seed")
        assert int(seed, 16) == grid.seed(1, "toy2026/walks", row, []).entropy


def test_cells_share_the_seed_along_paired_axes(toy: dict[str, Any], chain: Any) -> None:
    toy["papers"]["toy2026"]["walks"]["paired"] = ["spread", "kind"]
    (path,) = type(chain)(toy).make("grid", "toy2026", "walks")
    frame = tables.frame(tables.read(path))
    assert (frame.groupby(["drift", "replica"])["seed"].nunique() == 1).all()
    assert frame["seed"].nunique() == 2 * 3
