"""How each rule is drawn and named, the same in all figures."""

from deeplimits.plotstyle import BLACK, BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION, Look

GREY = "#7F7F7F"

_LOOKS = {
    "reconstructed": ("reconstruction (ours)", Look(BLUE, "-", "o")),
    "reconstructed_averaged": (
        "ours, mean of sampled losses",
        Look(VERMILLION, (0, (5, 1.5, 1, 1.5)), "X"),
    ),
    "reconstructed_capped": ("ours, capped by the sampled loss", Look(SKY, (0, (3, 1)), "P")),
    "constant": ("constant", Look(GREY, (0, (1, 1.2)), "s")),
    "horizon_tuned": (r"horizon-tuned, $\eta = \gamma^2 T$", Look(ORANGE, (0, (8, 2)), "v")),
    "gradient_normalized": ("gradient-normalized", Look(GREEN, (0, (5, 1.5, 1, 1.5)), "^")),
    "inverse_sqrt": (r"$\eta/\sqrt{t+1}$", Look(GREEN, (0, (8, 2)), "<")),
    "loss_normalized": (r"loss-normalized, $1/L$", Look(PURPLE, (0, (5, 1.5)), "D")),
    "armijo": ("Armijo", Look(SKY, (0, (5, 1.5, 1, 1.5, 1, 1.5)), "P")),
    "large_adaptive": ("large adaptive", Look(VERMILLION, (0, (3, 1)), "X")),
}
_LARGE_CONSTANT = Look(GREY, "-", "s")
_OTHER = Look(BLACK, (0, (5, 1.5, 1, 1.5)), "x")


def head(rule: str) -> str:
    """Name of a rule without its number."""
    return rule.partition("(")[0]


def number(rule: str) -> float | None:
    """The number of a rule, if it has one."""
    inside = rule.partition("(")[2]
    return float(inside[:-1]) if inside else None


def look(rule: str) -> Look:
    """Look of a rule; constant steps above 1 are drawn solid, rules of the user in black."""
    if head(rule) == "constant" and number(rule) > 1:
        return _LARGE_CONSTANT
    return _LOOKS[head(rule)][1] if head(rule) in _LOOKS else _OTHER


def label(rule: str) -> str:
    """Name of a rule in a legend, with its number."""
    words = _LOOKS[head(rule)][0] if head(rule) in _LOOKS else head(rule).replace("_", " ")
    if number(rule) is None:
        return words
    symbol = "T" if head(rule) == "horizon_tuned" else r"\eta"
    return rf"{words}, ${symbol} = {number(rule):g}$"


def order(rules: list[str]) -> list[str]:
    """Rules in the order of a legend: ours first, baselines by their speed, other rules last."""
    known = list(_LOOKS)
    places = {
        rule: known.index(head(rule)) if head(rule) in known else len(known) for rule in rules
    }
    return sorted(rules, key=lambda rule: (places[rule], number(rule) or 0.0, rule))
