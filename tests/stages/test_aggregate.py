"""Aggregation: the whole grid, once, from exactly the files it names."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from deeplimits import tables
from deeplimits.errors import UserError


@pytest.fixture
def simulated(chain: Any) -> Any:
    chain.until("aggregate")
    return chain


def aggregate(chain: Any, **changes: Any) -> Path:
    (path,) = chain.run("aggregate", chain.plan.step("aggregate", "toy2026", "walks"), **changes)
    return path


def test_the_table_is_the_sorted_union_of_the_jobs(simulated: Any) -> None:
    table = tables.read(aggregate(simulated))
    parts = [tables.read(Path(step.outputs[0])) for step in simulated.jobs("walks")]
    assert len(parts) == 2
    rows = [row for part in parts for row in part.to_pylist()]
    assert table.to_pylist() == sorted(rows, key=lambda row: tuple(row.values()))
    assert table.schema.field("position").metadata[b"unit"] == b"m"


def test_the_record_holds_what_made_it_and_nothing_of_the_split(simulated: Any) -> None:
    record = tables.record_of(tables.read(aggregate(simulated)))
    assert set(record) == {
        *("paper", "experiment", "seed", "paired", "products", "settings", "scale"),
        *("identity", "versions", "machine", "commit", "simulated_with"),
    }
    (maker,) = record["simulated_with"]
    assert maker == {name: record[name] for name in ("commit", "versions", "machine")}


@pytest.mark.parametrize("split", [[], ["kind"], ["spread", "replica"]])
def test_the_bytes_do_not_depend_on_the_split(
    toy: dict[str, Any], simulated: Any, split: list[str]
) -> None:
    before = aggregate(simulated).read_bytes()
    toy["papers"]["toy2026"]["walks"]["split"] = split
    other = type(simulated)(toy)
    other.until("aggregate")
    assert aggregate(other).read_bytes() == before


def test_old_rows_keep_their_bits_when_the_grid_grows(toy: dict[str, Any], simulated: Any) -> None:
    before = tables.read(aggregate(simulated)).to_pylist()
    axes = toy["papers"]["toy2026"]["walks"]["grid"][0]
    axes.update(kind=["0", "a", "b"], drift=[-1, 0.5, 0.7, 1], replica=[7, 2, 1, 0])
    other = type(simulated)(toy)
    other.until("aggregate")
    after = {str(row) for row in tables.read(aggregate(other)).to_pylist()}
    assert len(after) == 3 * 4 * 2 * 4 * 4
    assert {str(row) for row in before} <= after


def test_stray_files_beside_the_jobs_are_not_read(simulated: Any) -> None:
    before = aggregate(simulated).read_bytes()
    folder = Path(simulated.jobs("walks")[0].outputs[0]).parent
    (folder / "0123456789ab.parquet").write_bytes(b"")
    assert aggregate(simulated).read_bytes() == before


def spoil(chain: Any, rewrite: Any, change: Any) -> str:
    """Change the first job's table; returns its path."""
    path = chain.jobs("walks")[0].outputs[0]
    rewrite(Path(path), change)
    return path


CELL = r"cell {'kind': '\w+', 'drift': [\d.]+, 'spread': [\d.]+, 'replica': \d+}"


def test_a_missing_cell_is_named(simulated: Any, rewrite: Any) -> None:
    path = spoil(
        simulated,
        rewrite,
        lambda table: table.filter(pc.field("replica") != 1),
    )
    with pytest.raises(UserError, match=f"^{path}: lacks {CELL}"):
        aggregate(simulated)


def test_a_foreign_cell_is_named(simulated: Any, rewrite: Any) -> None:
    path = spoil(
        simulated,
        rewrite,
        lambda table: pa.concat_tables(
            [table, table.slice(0, 1).set_column(3, table.schema.field(3), pa.array([9]))]
        ),
    )
    with pytest.raises(UserError, match=f"^{path}: holds a foreign {CELL}"):
        aggregate(simulated)


def test_a_repeated_row_is_named(simulated: Any, rewrite: Any) -> None:
    spoil(simulated, rewrite, lambda table: pa.concat_tables([table, table.slice(0, 1)]))
    with pytest.raises(
        UserError, match=r"walks\.parquet: repeated row {'kind': 'a', 'drift': 0\.5"
    ):
        aggregate(simulated)


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_a_non_finite_value_is_named(simulated: Any, rewrite: Any, value: float) -> None:
    def change(table: pa.Table) -> pa.Table:
        positions = [value, *table["position"].to_pylist()[1:]]
        return table.set_column(5, table.schema.field(5), pa.array(positions))

    spoil(simulated, rewrite, change)
    with pytest.raises(UserError, match=r"column position is \w+ in the row {'kind': 'a', 'drift'"):
        aggregate(simulated)


def test_another_schema_is_named(simulated: Any, rewrite: Any) -> None:
    path = spoil(
        simulated,
        rewrite,
        lambda table: table.rename_columns(["kind", "drift", "spread", "replica", "step", "place"]),
    )
    with pytest.raises(UserError, match=f"^{path}: columns .* are expected"):
        aggregate(simulated)


def test_a_job_of_another_specification_is_refused(toy: dict[str, Any], simulated: Any) -> None:
    """The other seed's jobs have the same names, so they overwrite the files."""
    other = type(simulated)(toy | {"seed": 2})
    other.make("simulate")
    path = simulated.jobs("walks")[0].outputs[0]
    with pytest.raises(UserError, match=f"^{path}: made from another code or specification"):
        aggregate(simulated)


def test_a_grid_of_another_specification_is_refused(toy: dict[str, Any], simulated: Any) -> None:
    type(simulated)(toy | {"seed": 2}).make("grid")
    with pytest.raises(UserError, match=r"grids/walks\.parquet: made from another"):
        aggregate(simulated)


def test_a_job_that_is_left_out_is_noticed_by_the_grid(simulated: Any) -> None:
    step = simulated.plan.step("aggregate", "toy2026", "walks")
    with pytest.raises(UserError, match=r"walks\.parquet: 12 cells in the jobs, 24 in the grid"):
        aggregate(simulated, jobs=step.specification["jobs"][:1])


def test_a_job_that_is_named_twice_is_noticed(simulated: Any) -> None:
    jobs = simulated.plan.step("aggregate", "toy2026", "walks").specification["jobs"]
    with pytest.raises(UserError, match="repeated row"):
        aggregate(simulated, jobs=[*jobs, jobs[0]])


def test_a_missing_job_file_is_named(simulated: Any) -> None:
    path = Path(simulated.jobs("walks")[1].outputs[0])
    path.unlink()
    with pytest.raises(UserError, match=f"^{path}: no such table"):
        aggregate(simulated)


def test_a_damaged_job_file_is_named(simulated: Any) -> None:
    path = Path(simulated.jobs("walks")[1].outputs[0])
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(UserError, match=f"^{path}: damaged"):
        aggregate(simulated)


def test_a_failure_leaves_the_old_table(simulated: Any) -> None:
    path = aggregate(simulated)
    before = path.read_bytes()
    Path(simulated.jobs("walks")[1].outputs[0]).unlink()
    with pytest.raises(UserError):
        aggregate(simulated)
    assert path.read_bytes() == before
