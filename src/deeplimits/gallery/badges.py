"""Badges: a name and what is so, as small pictures that need no other server."""

from xml.sax.saxutils import escape

HEIGHT = 20  # pixels
_LETTER, _MARGIN = 6.6, 6  # of Verdana at 11 pixels, on average and rounded up
_GREEN, _AMBER, _BLUE, _GREY = "#1f6f43", "#8a5a00", "#1f5a8a", "#444444"


def badge(name: str, text: str, colour: str) -> str:
    """An SVG of a name on grey and a text on a colour, which white letters can be read on."""
    left, right = (round(len(part) * _LETTER + 2 * _MARGIN) for part in (name, text))
    label = escape(f"{name}: {text}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{HEIGHT}" '
        f'role="img" aria-label="{label}">\n'
        f"<title>{label}</title>\n"
        f'<rect width="{left}" height="{HEIGHT}" fill="{_GREY}"/>\n'
        f'<rect x="{left}" width="{right}" height="{HEIGHT}" fill="{colour}"/>\n'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" '
        'text-anchor="middle">\n'
        f"{_text(name, left / 2, left)}\n{_text(text, left + right / 2, right)}\n</g>\n</svg>\n"
    )


def _text(text: str, middle: float, width: int) -> str:
    return f'<text x="{middle}" y="14" textLength="{width - 2 * _MARGIN}">{escape(text)}</text>'


def claims(reproduced: int, judged: int) -> str:
    """How many of the claims hold; green where all do."""
    colour = _GREEN if reproduced == judged else _AMBER
    return badge("claims reproduced", f"{reproduced} of {judged}", colour)


def figures(count: int) -> str:
    """How many figures one command rebuilds."""
    return badge("figures rebuilt", str(count), _BLUE)


def python(oldest: str) -> str:
    """The oldest Python that will do."""
    return badge("Python", f"≥ {oldest}", _BLUE)


def licence(name: str) -> str:
    """The licence."""
    return badge("licence", name, _BLUE)
