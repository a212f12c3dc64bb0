"""Tables: schemas, what is refused, and that no damage is read as data."""

import io
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deeplimits import provenance, seal, tables
from deeplimits.errors import UserError
from deeplimits.schema import Column

COLUMNS = (
    Column("kind", "string", "1", "a label"),
    Column("n", "int64", "1", "a count"),
    Column("t", "float64", "s", "a time"),
    Column("gap", "float64", "1", "may be missing", nullable=True),
    Column("done", "bool", "1", "a flag"),
)
KEYS = ("kind", "n")
DATA = {
    "kind": ["b", "a", "a"],
    "n": np.array([1, 2, 1]),
    "t": np.array([0.5, 1.5, 2.5]),
    "gap": np.array([np.nan, 0.1, 0.2]),
    "done": np.array([True, False, True]),
}
RECORD = {"identity": "abc", "seed": 5, "settings": {"λ": 0.1}}


def build(**changes: Any) -> pa.Table:
    return tables.build(COLUMNS, {**DATA, **changes}, KEYS, "origin")


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "table.parquet"
    tables.write(path, build(), RECORD)
    return path


def test_types_units_and_meanings_are_in_the_schema(written: Path) -> None:
    schema = tables.read(written).schema
    assert schema.names == ["kind", "n", "t", "gap", "done"]
    assert [str(kind) for kind in schema.types] == ["string", "int64", "double", "double", "bool"]
    assert schema.field("t").metadata == {b"unit": b"s", b"meaning": b"a time"}
    assert [field.nullable for field in schema] == [False, False, False, True, False]


def test_rows_are_sorted_by_the_keys(written: Path) -> None:
    table = tables.read(written)
    assert table["kind"].to_pylist() == ["a", "a", "b"]
    assert table["n"].to_pylist() == [1, 2, 1]
    assert table["t"].to_pylist() == [2.5, 1.5, 0.5]
    assert table["gap"].to_pylist() == [0.2, 0.1, None]


def test_the_order_of_rows_and_columns_does_not_reach_the_file(tmp_path: Path) -> None:
    mixed = {name: DATA[name][::-1] for name in reversed(DATA)}
    for name, data in (("one", DATA), ("other", mixed)):
        tables.write(tmp_path / name, tables.build(COLUMNS, data, KEYS, ""), RECORD)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_the_record_rides_along(written: Path) -> None:
    record = tables.record_of(tables.read(written, "abc"))
    assert record == {
        **RECORD,
        "versions": provenance.versions(),
        "machine": provenance.machine(),
        "commit": provenance.commit(),
    }


def test_other_readers_read_the_file(written: Path) -> None:
    frame = pd.read_parquet(written)
    assert frame["t"].tolist() == [2.5, 1.5, 0.5]


def test_the_file_is_compressed_with_zstd_and_has_page_checksums(written: Path) -> None:
    """A flipped bit of a page is noticed by any reader that verifies, without the seal."""
    column = pq.ParquetFile(written).metadata.row_group(0).column(2)
    assert column.compression == "ZSTD"
    content = bytearray(written.read_bytes())
    content[column.dictionary_page_offset + column.total_compressed_size - 1] ^= 1
    with pytest.raises(OSError, match="CRC checksum verification failed"):
        pq.read_table(pa.BufferReader(bytes(content)), page_checksum_verification=True)


def test_frames_have_nan_where_values_are_missing(written: Path) -> None:
    frame = tables.frame(tables.read(written))
    assert frame["gap"].dtype == np.float64
    assert np.isnan(frame["gap"].iloc[2])


@pytest.mark.parametrize(
    "kind", [list, np.array, pa.array, lambda x: pa.chunked_array([x[:1], x[1:]])]
)
def test_values_may_come_in_any_container(kind: Any) -> None:
    plain = {name: np.asarray(values).tolist() for name, values in DATA.items()}
    table = tables.build(
        COLUMNS,
        {n: kind(v) for n, v in plain.items() if n != "gap"} | {"gap": DATA["gap"]},
        KEYS,
        "",
    )
    assert table.equals(build())


def test_frames_can_be_written_again() -> None:
    frame = tables.frame(build())
    again = tables.build(COLUMNS, {name: frame[name] for name in frame.columns}, KEYS, "")
    assert again.equals(build())


def test_whole_numbers_become_floats() -> None:
    assert build(t=[1, 2, 3])["t"].to_pylist() == [3.0, 2.0, 1.0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"t": [0.5, float("nan"), 1.0]}, r"column t is None in the row {'kind': 'a', 'n': 2}"),
        ({"t": [0.5, None, 1.0]}, r"column t is None in the row {'kind': 'a', 'n': 2}"),
        ({"t": [0.5, 1.0, float("inf")]}, r"column t is inf in the row {'kind': 'a', 'n': 1}"),
        (
            {"gap": [0.5, -float("inf"), None]},
            r"column gap is -inf in the row {'kind': 'a', 'n': 2}",
        ),
        ({"kind": ["a", "b", None]}, r"column kind is None in the row {'kind': None, 'n': 1}"),
        ({"n": [1, 1, 1]}, r"repeated row {'kind': 'a', 'n': 1}"),
        ({"t": [1.0, 2.0]}, r"columns of different lengths: {.*'t': 2"),
        ({"t": ["1.0", "2.0", "3.0"]}, r"column t: string where float64 is expected"),
        (
            {"t": pa.array(["1", "2", "3"], pa.large_string())},
            r"column t: large_string where float64",
        ),
        ({"t": [True, False, True]}, r"column t: bool where float64 is expected"),
        ({"t": [2**62 + 1, 2, 3]}, r"column t: Integer value \d+ not in range"),
        ({"n": [1.0, 2.0, 3.0]}, r"column n: double where int64 is expected"),
        ({"n": [True, False, True]}, r"column n: bool where int64 is expected"),
        ({"n": [2**70, 2, 3]}, r"column n: .*too large"),
        ({"n": np.array([1, 2, 3], dtype="int32")}, r"column n: int32 where int64 is expected"),
        ({"done": [0, 1, 1]}, r"column done: int64 where bool is expected"),
        ({"kind": [1, 2, 3]}, r"column kind: int64 where string is expected"),
        ({"t": np.zeros((3, 1))}, r"column t: only handle 1-dimensional arrays"),
        ({"t": [1.0, "a", 2.0]}, r"column t: Could not convert 'a'"),
        ({"t": 1.0}, r"column t: .*not iterable"),
        ({"extra": [1, 2, 3]}, r"columns \['extra'\]"),
    ],
)
def test_what_does_not_fit_the_schema_is_refused(changes: dict, message: str) -> None:
    with pytest.raises(UserError, match=f"^origin: {message}"):
        build(**changes)


def test_a_missing_column_is_refused() -> None:
    with pytest.raises(UserError, match=r"^origin: columns \['t'\] are missing"):
        tables.build(COLUMNS, {name: DATA[name] for name in DATA if name != "t"}, KEYS, "origin")


def test_without_keys_there_is_one_row() -> None:
    column = (Column("x", "float64", "1", "a number"),)
    assert tables.build(column, {"x": [1.0]}, (), "origin")["x"].to_pylist() == [1.0]
    with pytest.raises(UserError, match=r"^origin: 2 rows where one is expected"):
        tables.build(column, {"x": [1.0, 2.0]}, (), "origin")
    with pytest.raises(UserError, match=r"^origin: column x is inf"):
        tables.build(column, {"x": [float("inf")]}, (), "origin")


def test_a_table_without_rows_keeps_its_schema(tmp_path: Path) -> None:
    empty = tables.build(COLUMNS, {name: [] for name in DATA}, KEYS, "")
    tables.write(tmp_path / "empty.parquet", empty, RECORD)
    read = tables.read(tmp_path / "empty.parquet", "abc")
    assert len(read) == 0
    tables.expect(read, COLUMNS, tmp_path)


def test_every_flipped_bit_is_detected(written: Path) -> None:
    content = written.read_bytes()
    draw = random.Random(20260429)
    flips = {(draw.randrange(len(content)), draw.randrange(8)) for _ in range(2000)}
    for position, bit in flips:
        damaged = bytearray(content)
        damaged[position] ^= 1 << bit
        written.write_bytes(damaged)
        with pytest.raises(UserError, match=r"table\.parquet: damaged"):
            tables.read(written)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_a_truncated_file_is_detected(written: Path, share: float) -> None:
    content = written.read_bytes()
    written.write_bytes(content[: int(share * len(content))])
    with pytest.raises(UserError, match=r"table\.parquet: damaged"):
        tables.read(written)


def test_two_files_glued_together_are_detected(written: Path) -> None:
    written.write_bytes(2 * written.read_bytes())
    with pytest.raises(UserError, match=r"table\.parquet: damaged"):
        tables.read(written)


def test_data_that_look_like_a_seal_do_no_harm(tmp_path: Path) -> None:
    text = f"deeplimits-seal:{'0' * 32}"
    table = build(kind=[text, f"{text}.", "a"])
    tables.write(tmp_path / "table.parquet", table, {**RECORD, "note": text})
    assert tables.read(tmp_path / "table.parquet", "abc").equals(table)


def test_a_table_of_another_program_is_refused(tmp_path: Path) -> None:
    pq.write_table(build(), tmp_path / "table.parquet")
    with pytest.raises(UserError, match="not made by deeplimits"):
        tables.read(tmp_path / "table.parquet")


def test_a_sealed_file_that_is_no_parquet_is_refused(tmp_path: Path) -> None:
    """Only a fault of ours could make one; it must not end in a traceback either."""
    content = seal.sealed(f"no parquet {seal.BLANK}".encode())
    (tmp_path / "table.parquet").write_bytes(content)
    with pytest.raises(UserError, match="can't be read"):
        tables.read(tmp_path / "table.parquet")


def test_a_missing_file_is_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"gone\.parquet: no such table; run snakemake"):
        tables.read(tmp_path / "gone.parquet")


def test_a_folder_in_place_of_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't be read"):
        tables.read(tmp_path)


def test_a_foreign_identity_is_refused(written: Path) -> None:
    with pytest.raises(UserError, match=r"table\.parquet: made from another .*abc, expected xyz"):
        tables.read(written, "xyz")


def test_a_process_may_end_right_after_reading(written: Path) -> None:
    """With `pq.read_table` about one in ten was aborted: 20 see it with probability 0.88."""
    code = (
        "import sys; from pathlib import Path; from deeplimits import tables;"
        "tables.read(Path(sys.argv[1]))"
    )
    for _ in range(20):
        done = subprocess.run(
            [sys.executable, "-c", code, str(written)],
            env={"PYTHONPATH": str(Path(tables.__file__).parents[1])},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "other",
    [
        COLUMNS[:-1],
        (*COLUMNS[:-1], Column("ready", "bool", "1", "a flag")),
        (*COLUMNS[:-1], Column("done", "int64", "1", "a flag")),
        (*COLUMNS[:-1], Column("done", "bool", "1", "a flag", nullable=True)),
        COLUMNS[::-1],
    ],
)
def test_another_schema_is_refused(written: Path, other: tuple[Column, ...]) -> None:
    table = tables.read(written)
    tables.expect(table, COLUMNS, written)
    with pytest.raises(UserError, match=r"table\.parquet: columns .* are expected"):
        tables.expect(table, other, written)


def test_a_failure_while_writing_keeps_the_old_file(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = written.read_bytes()

    def fail(table: pa.Table, sink: io.BytesIO, **options: Any) -> None:
        sink.write(b"PAR1 half of it")
        raise OSError("stop")

    monkeypatch.setattr(pq, "write_table", fail)
    with pytest.raises(OSError, match="stop"):
        tables.write(written, build(), RECORD)
    assert written.read_bytes() == before
    assert list(written.parent.iterdir()) == [written]


def test_a_record_that_json_has_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        tables.write(tmp_path / "table.parquet", build(), {**RECORD, "seed": float("nan")})
    assert not list(tmp_path.iterdir())
