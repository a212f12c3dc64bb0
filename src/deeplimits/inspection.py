"""What rides along with a table or a figure, in words."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from deeplimits.errors import UserError


def describe(path: Path) -> str:
    """The record of a table (with its columns) or of a figure (with its caption).

    Raises
    ------
    UserError
        if the file is missing, damaged or not made by deeplimits.
    """
    readers: dict[str, Callable[[Path], str]] = {".parquet": _table, ".png": _png, ".pdf": _pdf}
    if path.suffix not in readers:
        raise UserError(f"{path}: only {', '.join(readers)} files carry a record")
    if not path.is_file():
        raise UserError(f"{path}: no such file")
    return readers[path.suffix](path)


def _table(path: Path) -> str:
    from deeplimits import tables

    table = tables.read(path)
    lines = [_pretty(tables.record_of(table)), "", f"{len(table)} rows"]
    for column in table.schema:
        notes = {name.decode(): text.decode() for name, text in (column.metadata or {}).items()}
        unit = f" [{notes['unit']}]" if notes.get("unit", "1") != "1" else ""
        lines.append(f"  {column.name} ({column.type}){unit}: {notes.get('meaning', '')}")
    return "\n".join(lines)


def _png(path: Path) -> str:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as image:
            image.load()  # text chunks may stand behind the pixels
            text = image.text
    except (UnidentifiedImageError, OSError, AttributeError) as error:
        raise UserError(f"{path}: damaged ({error}); delete it and run again") from error
    return _figure(path, text.get("Title"), text.get("Description"), text.get("deeplimits"))


def _pdf(path: Path) -> str:
    from pypdf import PdfReader
    from pypdf.errors import PdfReadError

    try:
        notes = PdfReader(path).metadata or {}
    except (PdfReadError, OSError, ValueError) as error:
        raise UserError(f"{path}: damaged ({error}); delete it and run again") from error
    return _figure(path, notes.get("/Title"), notes.get("/Subject"), notes.get("/Keywords"))


def _figure(path: Path, title: str | None, caption: str | None, record: str | None) -> str:
    try:
        parsed = json.loads(record or "")
    except json.JSONDecodeError as error:
        raise UserError(f"{path}: carries no record of deeplimits") from error
    return f"{title}\n\n{caption}\n\n{_pretty(parsed)}"


def _pretty(record: dict[str, Any]) -> str:
    return json.dumps(record, indent=2, sort_keys=True, ensure_ascii=False)
