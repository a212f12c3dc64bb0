"""What rides along with a table or a figure, in words."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from deeplimits import seal
from deeplimits.errors import UserError


@dataclass(frozen=True)
class Notes:
    """What rides along with a figure."""

    title: str
    caption: str
    record: dict[str, Any]


def describe(path: Path) -> str:
    """The record of a table (with its columns) or of a figure (with its caption).

    Raises
    ------
    UserError
        if the file is missing, damaged or not made by deeplimits.
    """
    if path.suffix not in (".parquet", *_FIGURES):
        raise UserError(f"{path}: only {', '.join(('.parquet', *_FIGURES))} files carry a record")
    if not path.is_file():
        raise UserError(f"{path}: no such file")
    if path.suffix == ".parquet":
        return _table(path)
    notes = figure(path)
    return f"{notes.title}\n\n{notes.caption}\n\n{_pretty(notes.record)}"


def figure(path: Path) -> Notes:
    """The notes of a figure.

    Raises
    ------
    UserError
        if the file can't be read, is damaged, or not made by deeplimits.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: can't be read ({error.strerror})") from error
    seal.refuse_broken(content, path)
    start, notes = _FIGURES[path.suffix]
    try:
        if content.startswith(start):
            return notes(io.BytesIO(content))
    except (KeyError, json.JSONDecodeError):
        pass  # drawn with our look by another program
    raise UserError(f"{path}: carries no record of deeplimits; delete it and run again")


def _table(path: Path) -> str:
    from deeplimits import tables

    table = tables.read(path)
    lines = [_pretty(tables.record_of(table)), "", f"{len(table)} rows"]
    for column in table.schema:
        notes = {name.decode(): text.decode() for name, text in (column.metadata or {}).items()}
        unit = f" [{notes['unit']}]" if notes.get("unit", "1") != "1" else ""
        lines.append(f"  {column.name} ({column.type}){unit}: {notes.get('meaning', '')}")
    return "\n".join(lines)


def _png(stream: BinaryIO) -> Notes:
    from PIL import Image

    with Image.open(stream) as image:
        image.load()  # text chunks may stand behind the pixels
        text = image.text
    return Notes(text["Title"], text["Description"], json.loads(text["deeplimits"]))


def _pdf(stream: BinaryIO) -> Notes:
    from pypdf import PdfReader

    text = PdfReader(stream).metadata
    return Notes(text["/Title"], text["/Subject"], json.loads(text["/Keywords"]))


# suffix → (how such a file starts, what reads its notes)
_FIGURES: dict[str, tuple[bytes, Callable[[BinaryIO], Notes]]] = {
    ".png": (b"\x89PNG", _png),
    ".pdf": (b"%PDF", _pdf),
}


def _pretty(record: dict[str, Any]) -> str:
    return json.dumps(record, indent=2, sort_keys=True, ensure_ascii=False)
