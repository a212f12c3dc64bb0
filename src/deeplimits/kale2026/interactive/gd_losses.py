"""Loss of gradient descent against iterations, point by point."""

import math

import pandas as pd

from deeplimits.kale2026 import gd_panels, looks
from deeplimits.report.charts import INK, Axis, Chart, Curve, Key, Panel, decades, signed

TABLES = ("gd_losses_estimates",)

_LAW = "law y + y³/6 = γ²t (ours)"
# what the legends of the figures have between dollars → what a browser shows
_SIGNS = {r"\eta": "η", r"\gamma": "γ", r"/\sqrt{t+1}": "/√(t+1)", "^2": "²", "$": ""}
_DASHES = {"-": "", ":": "2 2", "--": "6 3"}


def chart(tables: dict[str, pd.DataFrame]) -> Chart:
    """The panels of the figure, with a point at each recorded iteration."""
    table = tables["gd_losses_estimates"]
    rules = looks.order(table["rule"].unique().tolist())
    chosen = gd_panels.panels(table)
    return Chart(
        "−ln L(w_t) of gradient descent against the iteration t, by step-size rule",
        [_panel(gd_panels.select(table, panel), plain(gd_panels.title(panel))) for panel in chosen],
        [*(Key(plain(looks.label(rule)), *_line(rule)) for rule in rules), Key(_LAW, INK, "7 3")],
    )


def plain(text: str) -> str:
    """A label of the figures without TeX."""
    for sign, shown in _SIGNS.items():
        text = text.replace(sign, shown)
    return text


def depth(value: float) -> float:
    """Length on the axis of −ln L: logarithmic beyond 1, linear below, as in the figure."""
    size = abs(value)
    return math.copysign(0.6 * size if size < 1 else 0.6 + math.log10(size), value)


def _panel(table: pd.DataFrame, title: str) -> Panel:
    depths = -table["log_loss"]
    low, high = min(0.0, depths.min()), max(depths.max(), table["law"].max())
    last = table["t"].max()
    return Panel(
        title,
        Axis("iteration t", 1, last, decades(1, last), math.log10),
        Axis("−ln L", low, high, [(-1, "−1"), (0, "0"), *decades(1, max(high, 10))], depth),
        curves=[
            *(_curve(runs.sort_values("t"), rule) for rule, runs in table.groupby("rule")),
            _law(table.drop_duplicates("t").sort_values("t")),
        ],
    )


def _curve(runs: pd.DataFrame, rule: str) -> Curve:
    points = list(zip(runs["t"], -runs["log_loss"], strict=True))
    return Curve(points, *_line(rule), [_words(row, rule) for row in runs.itertuples()])


def _words(row, rule: str) -> str:
    low, high = signed(row.log_loss_low), signed(row.log_loss_high)
    spread = f", median of {row.sets} sets, [{low}, {high}]" if row.sets > 1 else ""
    return (
        f"{plain(looks.label(rule))}, t = {row.t}: ln L = {signed(row.log_loss)}{spread}; "
        f"law {signed(-row.law)}; {row.increases} increases so far"
    )


def _law(rows: pd.DataFrame) -> Curve:
    return Curve(list(zip(rows["t"], rows["law"], strict=True)), INK, "7 3")


def _line(rule: str) -> tuple[str, str]:
    """Colour and dashes of a rule in the figures; SVG's lengths are about twice the figures'."""
    look = looks.look(rule)
    if isinstance(look.linestyle, str):
        return look.color, _DASHES[look.linestyle]
    return look.color, " ".join(f"{2 * length:g}" for length in look.linestyle[1])
