"""What a configuration file can hold and neither a table nor a specification can.

The schema can't say this of every value, so it is looked for first, at any depth.
"""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from deeplimits.errors import UserError
from deeplimits.messages import below, shown

DEEPEST = 20  # levels of nesting; the keys that there are need half as many


def refuse(raw: Mapping[str, Any]) -> None:
    """Refuse keys that are no text, broken text, whole numbers beyond 64 bits, endless nesting.

    Raises
    ------
    UserError
        naming the first of them by its path.
    """
    if found := _find(raw, 0):
        path, reason = found
        raise UserError(f"config key {reduce(below, path, '')}: {reason}")


def _find(value: Any, depth: int) -> tuple[list[Any], str] | None:
    """The path of the first oddity below a value, and what is wrong there."""
    if isinstance(value, str):
        return None if _is_whole(value) else ([], _broken(value))
    if isinstance(value, int):
        return None if -(2**63) <= value < 2**63 else ([], _large(value))
    if not isinstance(value, Mapping | list):
        return None
    if depth > DEEPEST:
        return [], f"nested more than {DEEPEST} deep"
    for key, inner in value.items() if isinstance(value, Mapping) else enumerate(value):
        if isinstance(value, Mapping) and not isinstance(key, str):
            return [key], "a key must be text; quote it"
        if isinstance(key, str) and not _is_whole(key):
            return [key], _broken(key)
        if found := _find(inner, depth + 1):
            path, reason = found
            return [key, *path], reason
    return None


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _broken(text: str) -> str:
    return f"{shown(text)} holds half of a character; write the whole one"


def _large(number: int) -> str:
    return (
        f"{shown(number)} does not fit into 64 bits; where fractions are allowed, write a large "
        "number with a point, as in 1.0e+30"
    )
