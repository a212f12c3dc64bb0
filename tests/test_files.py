"""Files are written whole or not at all."""

import fcntl
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from deeplimits.errors import UserError
from deeplimits.files import write_whole

ENVIRONMENT = {"PYTHONPATH": str(Path(__file__).parents[1] / "src")}


def test_folders_are_made_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a" / "ä b" / "file"
    write_whole(path, b"content")
    assert path.read_bytes() == b"content"
    assert list(path.parent.iterdir()) == [path]


def test_an_old_file_is_replaced_and_not_written_into(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"old")
    os.link(path, link)
    write_whole(path, b"new")
    assert (path.read_bytes(), link.read_bytes()) == (b"new", b"old")


def test_the_file_has_the_permissions_of_the_umask(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write_whole(tmp_path / "file", b"")
        assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(mask)


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(*((os, "fsync") if call == "fsync" else (Path, "replace")), fail)
    with pytest.raises(UserError, match=r"file: can't be written: No space left"):
        write_whole(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_where_a_folder_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").write_bytes(b"")
    with pytest.raises(UserError, match=r"folder/file: can't be written"):
        write_whole(tmp_path / "folder" / "file", b"")


def test_an_interrupt_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "file", b"new")
    assert not list(tmp_path.iterdir())


def leftover(path: Path) -> Path:
    """What a killed writer of the file leaves."""
    left = path.with_name(f".{path.name}.abcd1234")
    left.write_bytes(b"half")
    return left


def test_a_writer_killed_half_way_leaves_the_old_file_and_the_next_one_cleans_up(
    tmp_path: Path,
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    code = (
        "import os, pathlib, signal, sys; from deeplimits.files import write_whole\n"
        "def kill(handle):\n"
        "    os.ftruncate(handle, 1); os.kill(os.getpid(), signal.SIGKILL)\n"
        "os.fsync = kill; write_whole(pathlib.Path(sys.argv[1]), b'new')"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], env=ENVIRONMENT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 2
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["file.parquet", "file[1]*.png"])
def test_what_a_killed_writer_left_is_removed(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    left, other = leftover(path), leftover(tmp_path / "other")
    write_whole(path, b"new")
    assert not left.exists()
    assert other.exists()
    assert path.read_bytes() == b"new"


def test_what_another_writer_still_writes_is_left_alone(tmp_path: Path) -> None:
    left = leftover(tmp_path / "file")
    with left.open("rb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        write_whole(tmp_path / "file", b"new")
        assert left.exists()


def test_a_temporary_file_that_was_removed_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, removed = fcntl.flock, []

    def slow(handle: int, operation: int) -> None:
        if not removed:
            removed.extend(tmp_path.iterdir())
            removed[0].unlink()
        lock(handle, operation)

    monkeypatch.setattr(fcntl, "flock", slow)
    write_whole(tmp_path / "file", b"new")
    assert len(removed) == 1
    assert (tmp_path / "file").read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


def test_a_file_system_without_locks_is_written_too_and_nothing_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    left = leftover(tmp_path / "file")
    write_whole(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert left.exists()
