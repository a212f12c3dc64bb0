"""Figures small enough to be tracked beside the code."""

import io
from pathlib import Path

from PIL import Image

from deeplimits import inspection, seal

WIDTH = 640  # pixels; the README shows them half as wide
COLOURS = 48  # a palette makes a plot a few times smaller, and nobody sees it


def thumbnail(path: Path, identity: str) -> bytes:
    """A PNG of the plot stage, `WIDTH` pixels wide, without its record.

    Raises
    ------
    UserError
        if the figure is missing, damaged or not of this identity.
    """
    seal.refuse_other(inspection.figure(path).record["identity"], identity, path)
    with Image.open(path) as image:
        height = round(image.height * WIDTH / image.width)
        small = image.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)
    content = io.BytesIO()
    small.quantize(COLOURS, dither=Image.Dither.NONE).save(content, "PNG", optimize=True)
    return content.getvalue()
