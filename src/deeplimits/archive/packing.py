"""Packing: a zip whose bytes follow from its members and one date alone."""

import io
import zipfile
from collections.abc import Iterable, Mapping
from datetime import datetime

_EARLIEST = (1980, 1, 1, 0, 0, 0)  # that a zip can name
_FILE, _PROGRAM, _FOLDER = 0o100644, 0o100755, 0o040755
_IS_FOLDER = 0x10  # for DOS
_UNIX = 3


def pack(
    contents: Mapping[str, bytes],
    folders: Iterable[str],
    programs: Iterable[str],
    date: datetime,
) -> bytes:
    """A zip of files and of folders that are entries of their own.

    Members are sorted and all have the same date; `programs` are the files that can be run.
    """
    runnable = set(programs)
    names = sorted([*contents, *(f"{folder}/" for folder in folders)])
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in names:
            member = zipfile.ZipInfo(name, max(date.timetuple()[:6], _EARLIEST))
            member.create_system = _UNIX
            if name.endswith("/"):
                member.external_attr = _FOLDER << 16 | _IS_FOLDER
                archive.writestr(member, b"", zipfile.ZIP_STORED)
            else:
                member.external_attr = (_PROGRAM if name in runnable else _FILE) << 16
                archive.writestr(member, contents[name], zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()
