"""Figures as the page holds them: small enough to be sent along, sharp enough to be read."""

import base64
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deeplimits import inspection, pictures, seal

WIDEST = 1400  # pixels: twice the width of the page's text
COLOURS = 256


@dataclass(frozen=True)
class Picture:
    """A figure: its data URI, its size in pixels, its caption and its record."""

    uri: str
    width: int
    height: int
    caption: str
    record: dict[str, Any]


def picture(path: Path, identity: str) -> Picture:
    """The picture of a PNG that was made by the plot stage.

    Raises
    ------
    UserError
        if the file is missing, damaged or made from another specification.
    """
    notes = inspection.figure(path)
    seal.refuse_other(notes.record["identity"], identity, path)
    small = pictures.small(path, WIDEST, COLOURS)
    content = io.BytesIO()
    small.save(content, "PNG")
    text = base64.b64encode(content.getvalue()).decode()
    return Picture(
        f"data:image/png;base64,{text}", small.width, small.height, notes.caption, notes.record
    )
