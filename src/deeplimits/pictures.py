"""Figures made small."""

from pathlib import Path

from PIL import Image


def small(path: Path, widest: int, colours: int) -> Image.Image:
    """The picture in a file, at most `widest` pixels wide, in a palette of so many colours.

    A palette makes a plot a few times smaller, and nobody sees it.
    """
    with Image.open(path) as image:
        picture = image.convert("RGB")
    if picture.width > widest:
        height = round(picture.height * widest / picture.width)
        picture = picture.resize((widest, height), Image.Resampling.LANCZOS)
    return picture.quantize(colours, dither=Image.Dither.NONE)
