"""Figures are for print, look the same for every user, and render to the same bytes."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image
from pypdf import PdfReader

from deeplimits import plotstyle

# Characters that PDF strings and PNG chunks must escape or encode.
NOTES = {
    "title": "agazzi2026 fig2 (a\\b)",
    "description": "κ(1) and λ₁, “our choice”; (unbalanced",
    "record": '{"key": "a(b\\\\c", "σ": 0.1}',
}


def sample():
    """A figure with every helper in it; `__main__` below renders it in another process."""
    figure, axes = plotstyle.subplots(1, 2, width=plotstyle.COLUMN, height=1.8, sharey=True)
    x = np.linspace(0.1, 3, 20)
    for ax, name in zip(axes[0], "ab", strict=True):
        plotstyle.panel_label(ax, name)
        plotstyle.note(ax, r"$\lambda_1 = -0.3$")
        plotstyle.line(ax, x, np.exp(-x), plotstyle.SERIES[0], label="$a = 1$")
        plotstyle.band(ax, x, np.exp(-x) - 0.1, np.exp(-x) + 0.1, plotstyle.SERIES[0])
        plotstyle.errorbar(ax, x[::5], np.exp(-x[::5]), 0.05, plotstyle.SERIES[1], label="seeds")
        plotstyle.line(ax, x, 1 - x / 3, plotstyle.THEORY)
        ax.set_xlabel("depth $t$")
    axes[0, 0].legend()
    return figure


@pytest.fixture
def style():
    with plotstyle.context():
        yield


@pytest.fixture(scope="module")
def rendered():
    """The sample in both forms, each from a figure of its own."""
    with plotstyle.context():
        return {form: plotstyle.render(sample(), form, **NOTES) for form in ("pdf", "png")}


@pytest.fixture
def panel(style):
    figure, axes = plotstyle.subplots(1, 1, width=plotstyle.COLUMN, height=2)
    return figure, axes[0, 0]


class TestContext:
    def test_earlier_settings_come_back_also_after_an_error(self):
        with matplotlib.rc_context({"lines.linewidth": 7.5}):
            before = dict(matplotlib.rcParams)

            def fail():
                with plotstyle.context():
                    assert matplotlib.rcParams["lines.linewidth"] != 7.5
                    raise KeyError

            with pytest.raises(KeyError):
                fail()
            assert dict(matplotlib.rcParams) == before

    def test_no_text_starts_below_the_smallest_size(self, style):
        kinds = ("font.size", "fontsize", "titlesize", "labelsize")
        sizes = {k: v for k, v in matplotlib.rcParams.items() if k.endswith(kinds)}
        assert len(sizes) >= 9
        for name, size in sizes.items():
            assert float(size) >= plotstyle.SMALLEST, name

    def test_bytes_depend_on_no_user_setting_and_no_hash_seed(self, rendered, tmp_path):
        """A user's matplotlibrc, another hash seed and another process give the same files."""
        (tmp_path / "matplotlibrc").write_text(
            "font.size: 20\nlines.linewidth: 9\nfigure.facecolor: red\nsavefig.bbox: tight\n"
            "savefig.dpi: 31\npdf.fonttype: 3\naxes.grid: True\nimage.cmap: jet\n"
        )
        environment = os.environ | {
            "MATPLOTLIBRC": str(tmp_path),
            "PYTHONHASHSEED": "77",
            "PYTHONPATH": str(Path(plotstyle.__file__).parents[1]),
        }
        subprocess.run(
            [sys.executable, __file__, str(tmp_path)], env=environment, check=True, timeout=120
        )
        for form, content in rendered.items():
            assert (tmp_path / f"figure.{form}").read_bytes() == content


class TestLooks:
    def test_series_differ_in_colour_in_dashes_and_in_marker(self):
        for part in ("color", "linestyle", "marker"):
            values = [getattr(look, part) for look in plotstyle.SERIES]
            assert len(set(values)) == len(values), part

    def test_series_stand_out_from_paper(self):
        """Contrast ratio to white (WCAG: (L₁ + .05)/(L₂ + .05)) of 2 or more; yellow has 1.3."""
        for look in plotstyle.SERIES:
            assert 1.05 / (luminance(look.color) + 0.05) >= 2, look
        assert 1.05 / (luminance(plotstyle.YELLOW) + 0.05) < 2

    @pytest.mark.parametrize("vision", ["protanopia", "deuteranopia"])
    def test_first_four_series_stay_apart_without_red_or_green_cones(self, vision):
        """Linear RGB as seen with one cone type missing (Machado, Oliveira, Fernandes 2009)."""
        seen = [MACHADO[vision] @ linear(look.color) for look in plotstyle.SERIES[:4]]
        for i, first in enumerate(seen):
            for second in seen[:i]:
                assert np.abs(first - second).max() > 0.1

    def test_brown_and_olive_would_not_stay_apart(self):
        """The measure of the test above does find a pair that must not be used together."""
        seen = [MACHADO["deuteranopia"] @ linear(color) for color in ("#a05000", "#6f6f00")]
        assert np.abs(seen[0] - seen[1]).max() < 0.1


class TestFigure:
    @pytest.mark.parametrize(
        ("width", "height"),
        [(5.0, 2.0), (plotstyle.COLUMN, 0.0), (plotstyle.PAGE, 9.1), (plotstyle.PAGE, np.nan)],
    )
    def test_refuses_what_does_not_fit_the_page(self, width, height):
        with pytest.raises(ValueError, match="width must be"):
            plotstyle.figure(width, height)

    def test_panels_come_as_a_grid_even_when_single(self, style):
        figure, axes = plotstyle.subplots(2, 1, width=plotstyle.PAGE, height=3, sharex=True)
        assert axes.shape == (2, 1)
        assert figure.get_size_inches().tolist() == [plotstyle.PAGE, 3]
        assert axes[0, 0].get_shared_x_axes().joined(axes[0, 0], axes[1, 0])


class TestDrawing:
    def test_band_fills_between_its_ends_without_an_outline(self, panel):
        _, ax = panel
        plotstyle.band(ax, [0, 1], [2, 3], [5, 7], plotstyle.SERIES[0], label="5–95%")
        (area,) = ax.collections
        corners = {tuple(vertex) for vertex in area.get_paths()[0].vertices}
        assert corners == {(0, 2), (1, 3), (1, 7), (0, 5)}
        assert area.get_linewidth() == 0
        assert area.get_label() == "5–95%"

    @pytest.mark.parametrize(
        ("error", "ends"),
        [([0.5, 1.0], [(0.5, 1.5), (1.0, 3.0)]), ([[0.1, 0.2], [1, 2]], [(0.9, 2), (1.8, 4)])],
    )
    def test_errorbar_reaches_from_below_to_above(self, panel, error, ends):
        _, ax = panel
        plotstyle.errorbar(ax, [0, 1], [1, 2], error, plotstyle.SERIES[2])
        (bars,) = ax.collections
        drawn = [tuple(segment[:, 1]) for segment in bars.get_segments()]
        np.testing.assert_allclose(drawn, ends)

    @pytest.mark.parametrize("joined", [True, False])
    def test_points_are_joined_only_if_asked(self, panel, joined):
        _, ax = panel
        plotstyle.errorbar(ax, [0, 1], [1, 2], 0.1, plotstyle.SERIES[0], joined=joined)
        assert ax.lines[0].get_linestyle() == ("-" if joined else "None")

    def test_line_takes_colour_and_dashes_of_its_look(self, panel):
        _, ax = panel
        plotstyle.line(ax, [0, 1], [0, 1], plotstyle.THEORY, label="theory")
        (drawn,) = ax.lines
        assert (drawn.get_color(), drawn.get_label()) == (plotstyle.BLACK, "theory")
        assert drawn.is_dashed()

    @pytest.mark.parametrize(
        ("corner", "x", "y"),
        [
            ("upper left", 0, 1),
            ("upper right", 1, 1),
            ("lower left", 0, 0),
            ("lower right", 1, 0),
        ],
    )
    def test_note_stands_inside_its_corner(self, panel, corner, x, y):
        figure, ax = panel
        plotstyle.note(ax, "a = 1", corner)
        figure.draw_without_rendering()
        (text,) = ax.texts
        box = text.get_window_extent()
        (left, bottom), (right, top) = ax.transAxes.inverted().transform(box)
        assert 0 <= left < right <= 1
        assert 0 <= bottom < top <= 1
        assert ((left + right) / 2 > 0.5) == x
        assert ((bottom + top) / 2 > 0.5) == y

    def test_panel_label_leaves_room_for_a_title(self, panel):
        _, ax = panel
        ax.set_title("ReLU")
        plotstyle.panel_label(ax, "b")
        assert (ax.get_title(loc="left"), ax.get_title()) == ("b", "ReLU")


class TestRender:
    @pytest.mark.parametrize("form", ["pdf", "png"])
    def test_the_same_bytes_again_and_after_the_other_form(self, style, rendered, form):
        other = {"pdf": "png", "png": "pdf"}[form]
        figure = sample()
        plotstyle.render(figure, other, **NOTES)
        assert plotstyle.render(figure, form, **NOTES) == rendered[form]
        assert plotstyle.render(figure, form, **NOTES) == rendered[form]

    def test_both_forms_share_one_layout(self, style):
        figure, places = sample(), []
        for form in ("png", "pdf"):
            plotstyle.render(figure, form, **NOTES)
            places.append([ax.get_position().bounds for ax in figure.axes])
        assert places[0] == places[1]

    def test_other_data_give_other_bytes(self, style, rendered):
        figure = sample()
        figure.axes[0].lines[0].set_ydata(np.zeros(20))
        assert plotstyle.render(figure, "png", **NOTES) != rendered["png"]

    def test_pdf_carries_the_notes_and_nothing_else(self, rendered):
        reader = PdfReader(io.BytesIO(rendered["pdf"]))
        assert reader.metadata == {
            "/Title": NOTES["title"],
            "/Subject": NOTES["description"],
            "/Keywords": NOTES["record"],
        }
        assert matplotlib.__version__.encode() not in rendered["pdf"]

    def test_png_carries_the_notes_and_nothing_else(self, rendered):
        with Image.open(io.BytesIO(rendered["png"])) as image:
            image.load()
            seal = image.text.pop("Seal")
            assert re.fullmatch("deeplimits-seal:[0-9a-f]{32}", seal)
            assert image.text == {
                "Title": NOTES["title"],
                "Description": NOTES["description"],
                "deeplimits": NOTES["record"],
            }

    def test_a_long_record_survives(self, style):
        empty, long = plotstyle.figure(plotstyle.COLUMN, 1), NOTES | {"record": "x" * 100_000}
        pdf = plotstyle.render(empty, "pdf", **long)
        assert len(PdfReader(io.BytesIO(pdf)).metadata["/Keywords"]) == 100_000
        with Image.open(io.BytesIO(plotstyle.render(empty, "png", **long))) as image:
            image.load()
            assert len(image.text["deeplimits"]) == 100_000

    def test_size_on_paper_is_the_size_of_the_figure(self, rendered):
        page = PdfReader(io.BytesIO(rendered["pdf"])).pages[0]
        points = (float(page.mediabox.width), float(page.mediabox.height))
        assert points == pytest.approx((72 * plotstyle.COLUMN, 72 * 1.8), abs=0.1)
        with Image.open(io.BytesIO(rendered["png"])) as image:
            assert image.size == (680, 360)

    def test_fonts_are_embedded_as_truetype(self, rendered):
        page = PdfReader(io.BytesIO(rendered["pdf"])).pages[0]
        fonts = [font.get_object() for font in page["/Resources"]["/Font"].values()]
        assert fonts
        for font in fonts:
            (descendant,) = font["/DescendantFonts"]
            assert "/FontFile2" in descendant.get_object()["/FontDescriptor"].get_object()
            assert "DejaVuSans" in font["/BaseFont"]

    def test_refuses_small_text_with_its_words(self, panel):
        figure, ax = panel
        ax.set_xlabel("depth", fontsize=5.5)
        with pytest.raises(ValueError, match=r"'depth' has 5\.5 pt"):
            plotstyle.render(figure, "png", **NOTES)

    def test_refuses_small_tick_labels(self, panel):
        figure, ax = panel
        ax.tick_params(labelsize=4)
        with pytest.raises(ValueError, match=r"has 4(\.0)? pt"):
            plotstyle.render(figure, "png", **NOTES)

    def test_refuses_a_figure_that_was_resized(self, panel):
        figure, _ = panel
        figure.set_size_inches(5, 2)
        with pytest.raises(ValueError, match="5"):
            plotstyle.render(figure, "pdf", **NOTES)

    def test_refuses_other_forms(self, panel):
        with pytest.raises(ValueError, match="'svg': must be pdf or png"):
            plotstyle.render(panel[0], "svg", **NOTES)


# Simulation of dichromacy on linear RGB, the paper's table at severity 1.
MACHADO = {
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
}


def linear(color):
    """Linear RGB of an sRGB colour."""
    rgb = np.array(to_rgb(color))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def luminance(color):
    return linear(color) @ [0.2126, 0.7152, 0.0722]


if __name__ == "__main__":
    assert "matplotlib.pyplot" not in sys.modules
    with plotstyle.context():
        for form in ("pdf", "png"):
            target = Path(sys.argv[1]) / f"figure.{form}"
            target.write_bytes(plotstyle.render(sample(), form, **NOTES))
