"""Figures small enough to be tracked beside the code."""

import io
from pathlib import Path

from deeplimits import inspection, pictures, seal

WIDTH = 640  # pixels; the README shows them half as wide
COLOURS = 48


def thumbnail(path: Path, identity: str) -> bytes:
    """A PNG of the plot stage, at most `WIDTH` pixels wide, without its record.

    Raises
    ------
    UserError
        if the figure is missing, damaged or not of this identity.
    """
    seal.refuse_other(inspection.figure(path).record["identity"], identity, path)
    content = io.BytesIO()
    pictures.small(path, WIDTH, COLOURS).save(content, "PNG", optimize=True)
    return content.getvalue()
