"""The look of all figures, for print, and their rendering to bytes.

Sizes are those of the printed page, so a figure is read at the size it was designed for. Colours
are Okabe and Ito's, told apart with any colour vision (Okabe and Ito 2008, "Color Universal
Design"); line styles and markers differ too, so that a grey copy still reads. Text is set by
matplotlib's mathtext, without TeX. Nothing here keeps a global state: figures are made without
pyplot, and the settings hold inside `context()` only, whatever the user's matplotlibrc says.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import matplotlib
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.figure import Figure
from matplotlib.text import Text
from numpy.typing import ArrayLike

from deeplimits import seal

COLUMN = 3.4
"""Width of a column, in inches."""
PAGE = 7.0
"""Width of a page, in inches."""
TALLEST = 9.0
"""Height of a page, in inches."""
SMALLEST = 6.0
"""Smallest size of text, in points."""

BLACK = "#000000"
ORANGE = "#E69F00"
SKY = "#56B4E9"
GREEN = "#009E73"
YELLOW = "#F0E442"
BLUE = "#0072B2"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"


@dataclass(frozen=True)
class Look:
    """How one series of data is drawn: colour, line style and marker."""

    color: str
    linestyle: str | tuple[float, tuple[float, ...]]
    marker: str


SERIES = (
    Look(BLUE, "-", "o"),
    Look(VERMILLION, (0, (5, 1.5)), "s"),
    Look(GREEN, (0, (5, 1.5, 1, 1.5)), "^"),
    Look(PURPLE, (0, (1, 1.2)), "D"),
    Look(ORANGE, (0, (8, 2)), "v"),
    Look(SKY, (0, (5, 1.5, 1, 1.5, 1, 1.5)), "P"),
)
"""Looks of series that are compared, in this order. Yellow is left out: too pale for a line."""

THEORY = Look(BLACK, (0, (4, 2)), "x")
"""A prediction, drawn over what it predicts."""
BOUND = Look(BLACK, (0, (1, 1.5)), "")
"""A bound of a theorem, a threshold, or a level such as zero."""

_STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, hence the same on every machine
    "mathtext.fontset": "dejavusans",
    "text.usetex": False,
    "font.size": 7,
    "axes.titlesize": 7,
    "axes.labelsize": 7,
    "figure.titlesize": 8,
    "figure.labelsize": 7,
    "legend.fontsize": SMALLEST,
    "legend.title_fontsize": SMALLEST,
    "xtick.labelsize": SMALLEST,
    "ytick.labelsize": SMALLEST,
    "axes.linewidth": 0.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlepad": 3,
    "axes.labelpad": 2,
    "axes.prop_cycle": cycler(
        color=[look.color for look in SERIES], linestyle=[look.linestyle for look in SERIES]
    ),
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "xtick.minor.width": 0.35,
    "ytick.minor.width": 0.35,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.minor.size": 1.5,
    "ytick.minor.size": 1.5,
    "lines.linewidth": 1.0,
    "lines.markersize": 3.0,
    "patch.linewidth": 0.5,
    "errorbar.capsize": 1.5,
    "legend.frameon": False,
    "legend.handlelength": 2.6,  # long enough to show the dash pattern
    "legend.borderaxespad": 0.3,
    "legend.labelspacing": 0.3,
    "figure.constrained_layout.w_pad": 0.02,
    "figure.constrained_layout.h_pad": 0.02,
    "savefig.dpi": 200,
    "pdf.fonttype": 42,  # TrueType: text can be searched, and journals accept it
    "svg.hashsalt": "deeplimits",
}


@contextmanager
def context() -> Iterator[None]:
    """Matplotlib's own defaults and our style on top; the settings from before come back after."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


def figure(width: float, height: float) -> Figure:
    """An empty figure of `width` (COLUMN or PAGE) times `height` inches.

    Raises
    ------
    ValueError
        if it does not fit a printed column or page.
    """
    if width not in (COLUMN, PAGE) or not 0 < height <= TALLEST:
        raise ValueError(
            f"a figure of {width} × {height} in: the width must be {COLUMN} (a column) or {PAGE} "
            f"(a page), the height at most {TALLEST}"
        )
    return Figure(figsize=(width, height), layout="constrained")


def subplots(
    rows: int, columns: int, *, width: float, height: float, **options: Any
) -> tuple[Figure, np.ndarray]:
    """A figure and its panels as an array of shape (rows, columns), one of each included.

    `options` go to `matplotlib.figure.Figure.subplots` (`sharex`, `width_ratios`, …).
    """
    made = figure(width, height)
    return made, made.subplots(rows, columns, squeeze=False, **options)


def line(ax: Axes, x: ArrayLike, y: ArrayLike, look: Look, label: str | None = None) -> None:
    """Draw y against x as a line without markers."""
    ax.plot(x, y, color=look.color, linestyle=look.linestyle, label=label)


def band(
    ax: Axes,
    x: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    look: Look,
    *,
    opacity: float = 0.25,
    label: str | None = None,
) -> None:
    """Fill between `low` and `high`; bands of one panel should differ in opacity or colour."""
    ax.fill_between(x, low, high, color=look.color, alpha=opacity, linewidth=0, label=label)


def errorbar(
    ax: Axes,
    x: ArrayLike,
    y: ArrayLike,
    error: ArrayLike,
    look: Look,
    *,
    label: str | None = None,
    joined: bool = False,
) -> None:
    """Draw points with error bars, joined by the look's line if asked.

    `error` has shape (n,) or, for the lengths below and above the point, (2, n).
    """
    ax.errorbar(
        x,
        y,
        yerr=error,
        color=look.color,
        linestyle=look.linestyle if joined else "none",
        marker=look.marker,
        elinewidth=0.6,
        label=label,
    )


def panel_label(ax: Axes, text: str) -> None:
    """Name a panel ("a", "b", …) in bold, above its left edge."""
    ax.set_title(text, loc="left", fontweight="bold")


def note(
    ax: Axes,
    text: str,
    corner: Literal["upper left", "upper right", "lower left", "lower right"] = "upper right",
) -> None:
    """Write small text into a corner of the panel, on a pale ground that keeps it readable."""
    vertical, horizontal = corner.split()
    ax.annotate(
        text,
        xy=(float(horizontal == "right"), float(vertical == "upper")),
        xycoords="axes fraction",
        xytext=(-2 if horizontal == "right" else 2, -2 if vertical == "upper" else 2),
        textcoords="offset points",
        ha=horizontal,
        va="top" if vertical == "upper" else "bottom",
        fontsize=SMALLEST,
        bbox={"facecolor": "white", "alpha": 0.75, "linewidth": 0, "pad": 0.8},
    )


def render(
    figure: Figure, form: Literal["pdf", "png"], *, title: str, description: str, record: str
) -> bytes:
    """The content of the figure's file, the same bytes at every call, inside `context()`.

    The three texts ride along: in a PDF as Title, Subject and Keywords, in a PNG as the text
    chunks Title, Description and deeplimits. Neither date nor version enters. A seal tells when the
    file is damaged. The first call fixes the layout, so that PDF and PNG agree.

    Raises
    ------
    ValueError
        if the form is unknown, the width is neither a column's nor a page's, or a text is smaller
        than `SMALLEST`.
    """
    FigureCanvasAgg(figure)  # measures text alike whatever is rendered first
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    _require_readable(figure)
    buffer = io.BytesIO()
    match form:
        case "pdf":
            notes = {"Title": title, "Subject": description, "Keywords": record}
            absent = dict.fromkeys(("Creator", "Producer", "CreationDate"))
            FigureCanvasPdf(figure).print_figure(buffer, format="pdf", metadata=notes | absent)
            # a remark behind the table of objects, whose places it must not move
            head, word, tail = buffer.getvalue().rpartition(b"startxref")
            content = head + f"%{seal.BLANK}\n".encode() + word + tail
        case "png":
            notes = {"Title": title, "Description": description, "deeplimits": record}
            extra = {seal.PNG_KEYWORD: seal.BLANK, "Software": None}
            FigureCanvasAgg(figure).print_figure(buffer, format="png", metadata=notes | extra)
            content = buffer.getvalue()
        case _:
            raise ValueError(f"form {form!r}: must be pdf or png")
    return seal.sealed(content)


def _require_readable(figure: Figure) -> None:
    if figure.get_figwidth() not in (COLUMN, PAGE):
        raise ValueError(f"a figure {figure.get_figwidth()} in wide: use {COLUMN} or {PAGE}")
    for text in figure.findobj(Text):
        size, words = text.get_fontsize(), text.get_text()
        if size < SMALLEST and words.strip() and text.get_visible():
            raise ValueError(f"text {words!r} has {size} pt: at least {SMALLEST} needed")
