"""The zip: its bytes follow from what is in it, and every program unpacks it."""

import io
import zipfile
from datetime import UTC, datetime
from pathlib import Path

from deeplimits.archive.packing import pack

DATE = datetime(2026, 11, 30, 18, 5, 8, tzinfo=UTC)
CONTENTS = {"b.txt": b"b" * 1000, "a/run": b"#!/bin/sh\n", "a/ä.txt": b""}


def packed(contents: dict[str, bytes] = CONTENTS, date: datetime = DATE) -> bytes:
    return pack(contents, ["a"], ["a/run"], date)


def test_the_order_of_what_is_packed_does_not_matter() -> None:
    assert packed() == packed(dict(reversed(CONTENTS.items())))
    assert packed() != packed({**CONTENTS, "b.txt": b"c" * 1000})


def test_members_are_sorted_dated_and_have_their_modes(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(packed())) as archive:
        assert archive.testzip() is None
        members = archive.infolist()
        assert {name: archive.read(name) for name in CONTENTS} == CONTENTS
    assert [member.filename for member in members] == ["a/", "a/run", "a/ä.txt", "b.txt"]
    assert {member.date_time for member in members} == {(2026, 11, 30, 18, 5, 8)}
    modes = [member.external_attr >> 16 for member in members]
    assert modes == [0o040755, 0o100755, 0o100644, 0o100644]


def test_a_date_before_there_were_zips_is_moved() -> None:
    content = packed(date=datetime(1970, 1, 1, tzinfo=UTC))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
