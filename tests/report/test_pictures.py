"""Pictures: small, of the right pixels, and only of the figure that is asked for."""

import base64
import io
import json
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from deeplimits import plotstyle, seal
from deeplimits.errors import UserError
from deeplimits.files import write_whole
from deeplimits.report import pictures


@pytest.fixture
def figure(tmp_path: Path) -> Path:
    """A PNG as the plot stage writes it."""
    path = tmp_path / "figure.png"
    with plotstyle.context():
        drawn = Figure(figsize=(3.4, 2))
        drawn.subplots().plot([0, 1], [1, 0])
        record = json.dumps({"identity": "i" * 32, "tables": {}})
        write_whole(
            path,
            plotstyle.render(drawn, "png", title="t", description="The caption.", record=record),
        )
    return path


def decoded(picture: pictures.Picture) -> Image.Image:
    head, _, text = picture.uri.partition(",")
    assert head == "data:image/png;base64"
    return Image.open(io.BytesIO(base64.b64decode(text)))


def test_a_picture_looks_like_its_figure_and_is_smaller(figure):
    picture = pictures.picture(figure, "i" * 32)
    assert picture.caption == "The caption."
    assert picture.record["identity"] == "i" * 32
    small = decoded(picture)
    with Image.open(figure) as whole:
        assert small.size == whole.size == (picture.width, picture.height)
        off = np.abs(np.subtract(whole.convert("RGB"), small.convert("RGB"), dtype=float))
    assert off.mean() < 1
    assert len(base64.b64decode(picture.uri.partition(",")[2])) < figure.stat().st_size


def test_a_wide_figure_keeps_its_proportions(figure, monkeypatch):
    monkeypatch.setattr(pictures, "WIDEST", 100)
    with Image.open(figure) as whole:
        proportion = whole.height / whole.width
    picture = pictures.picture(figure, "i" * 32)
    assert decoded(picture).size == (100, round(100 * proportion))


def test_another_identity_is_refused(figure):
    with pytest.raises(UserError, match="made from another code or specification"):
        pictures.picture(figure, "j" * 32)


def test_a_damaged_figure_is_refused(figure):
    content = bytearray(figure.read_bytes())
    content[len(content) // 2] ^= 1
    figure.write_bytes(content)
    with pytest.raises(UserError, match=seal.DAMAGED):
        pictures.picture(figure, "i" * 32)
