"""Releases: written from a finished run, small, and refused where they can't be trusted."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from deeplimits import registry, released, tables
from deeplimits.errors import UserError
from deeplimits.verification import release
from deeplimits.verification.declaration import Compared, declared
from toy_chain import Chain
from toy_project import CHECKOUT

RELEASED = CHECKOUT / "released"
FOLDER = Path("released")


@pytest.fixture
def run(chain: Chain) -> Chain:
    for stage in ("grid", "simulate", "aggregate", "estimate"):
        chain.make(stage)
    return chain


def write() -> list[str]:
    return release.write(FOLDER, Path("results"), [("toy2026", "walks")])


def columns() -> Any:
    return registry.load("toy2026", "estimates", "walks").COLUMNS


def test_a_release_holds_the_estimates_and_what_made_them(run: Chain) -> None:
    assert write() == ["toy2026/walks: 8 of 8 rows"]
    record = release.read_record(FOLDER)["toy2026/walks"]
    assert (record["seed"], record["scale"], record["settings"]["steps"]) == (1, "paper", 4)
    assert [machine["architecture"] for machine in record["machines"]] != []
    read = release.read(FOLDER, "toy2026/walks", columns(), record["digest"])
    made = tables.frame(tables.read(Path("results/toy2026/walks_estimates.parquet")))
    pd.testing.assert_frame_equal(read, made.astype({"kind": object}), rtol=1e-8)


def test_a_release_is_written_alike_twice(run: Chain) -> None:
    write()
    before = {path: path.read_bytes() for path in FOLDER.rglob("*.*")}
    write()
    assert {path: path.read_bytes() for path in FOLDER.rglob("*.*")} == before


def test_estimates_of_another_table_are_refused(run: Chain, toy: dict[str, Any]) -> None:
    other = Chain(toy | {"seed": 2})
    for stage in ("grid", "simulate", "aggregate"):
        other.make(stage)
    with pytest.raises(UserError, match=r"walks_estimates\.parquet: not made from the table"):
        write()
    assert not FOLDER.exists()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda path: path.unlink(), "no such file; take it from"),
        (lambda path: path.write_bytes(path.read_bytes().replace(b"1", b"2")), "changed after"),
    ],
)
def test_a_changed_release_is_refused(run: Chain, damage: Any, message: str) -> None:
    write()
    damage(FOLDER / "toy2026/walks.csv")
    record = release.read_record(FOLDER)["toy2026/walks"]
    with pytest.raises(UserError, match=rf"released/toy2026/walks\.csv: {message}"):
        release.read(FOLDER, "toy2026/walks", columns(), record["digest"])


def test_a_release_of_other_columns_is_refused(run: Chain) -> None:
    write()
    record = release.read_record(FOLDER)["toy2026/walks"]
    with pytest.raises(UserError, match=r"other columns than the estimates have now \(end_se\)"):
        release.read(FOLDER, "toy2026/walks", columns()[:-1], record["digest"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        *((None, "no such file; name a folder"), ("{", "can't be read")),
        ("[]", "no record of a release"),
    ],
)
def test_a_folder_without_a_record_is_refused(
    tmp_path: Path, content: str | None, message: str
) -> None:
    if content is not None:
        (tmp_path / "record.json").write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match=rf"record\.json: {message}"):
        release.read_record(tmp_path)


def test_four_rows_stay_along_an_axis_and_a_bounded_number_of_all() -> None:
    model, t = np.divmod(np.arange(7 * 200), 7)
    frame = pd.DataFrame({"model": model, "t": t + 0.5})
    kept = release.thinned(frame, ["model", "t"], Compared(along="t"))
    assert len(kept) == release.ROWS
    assert set(kept["t"]) == {1.5, 3.5, 5.5, 6.5}
    few = release.thinned(frame[frame["model"] < 3], ["model", "t"], Compared(along="t"))
    assert few.to_numpy().tolist() == [
        [float(m), t] for m in range(3) for t in (1.5, 3.5, 5.5, 6.5)
    ]


def test_another_model_moves_few_rows_of_a_release() -> None:
    frame = pd.DataFrame({"model": np.arange(1001)})
    many, all_but_one = (
        set(release.thinned(part, ["model"], Compared())["model"]) for part in (frame, frame[:-1])
    )
    assert len(many - all_but_one) <= 1


def test_the_tracked_release_is_in_step_with_the_estimates() -> None:
    record = release.read_record(RELEASED)
    names = {f"{paper}/{name}" for paper in registry.papers() for name in declared(paper)}
    assert set(record) == names
    for name, origin in record.items():
        module = registry.load(*_places(name))
        table = release.read(RELEASED, name, module.COLUMNS, origin["digest"])
        assert len(table) == origin["rows"] > 0
        assert not table.duplicated(list(module.KEY)).any()
        missing = table.isna().any()
        assert {column for column in table if missing[column]} <= {
            column.name for column in module.COLUMNS if column.nullable
        }
        assert origin["scale"] == "paper"
        assert origin["versions"]["deeplimits"]
        assert len(origin["commit"].rstrip("+")) == 40


def test_the_tracked_release_is_small_and_holds_nothing_else() -> None:
    record = json.loads((RELEASED / release.RECORD).read_text(encoding="utf-8"))
    files = {path for path in RELEASED.rglob("*") if path.is_file()}
    assert files == {
        *(RELEASED / f"{name}.csv" for name in record),
        *(RELEASED / name for name in ("README.md", release.RECORD)),
        *released.stress_files(RELEASED),
    }
    assert sum(path.stat().st_size for path in files) < 1_000_000


def _places(name: str) -> tuple[str, str, str]:
    paper, _, experiment = name.partition("/")
    return paper, "estimates", experiment
