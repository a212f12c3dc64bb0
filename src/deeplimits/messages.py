"""Messages about the configuration: one line with the key, the value and what is allowed.

Pydantic's complaints are put into these words; a misspelt key gets the nearest known one.
"""

import difflib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from deeplimits.errors import UserError


def refuse_unknown(found: Iterable[str], known: Sequence[str], where: str) -> None:
    """Refuse the names below the key `where` that are not known.

    Raises
    ------
    UserError
        naming the first of them and the nearest known one.
    """
    for name in found:
        if name not in known:
            raise UserError(_unknown(f"{where}.{name}", name, known))


def _unknown(where: str, name: str, known: Sequence[str]) -> str:
    nearest = difflib.get_close_matches(str(name), known, n=1, cutoff=0.5)
    hint = f"; did you mean '{nearest[0]}'?" if nearest else ""
    return f"config key {where}: unknown{hint} (known: {', '.join(known)})"


def typed(model: type[BaseModel], data: Mapping[str, Any], where: str) -> Any:
    """The data below the key `where` as a model.

    Raises
    ------
    UserError
        with the message of the first complaint.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise UserError(message(error, model, where)) from None


def message(error: ValidationError, model: type[BaseModel] | None, where: str) -> str:
    """One line for the first of pydantic's complaints; the number of the others behind it.

    `model` is what was validated at the key `where`, None for a single value.
    """
    complaints = error.errors(include_url=False)
    # A misspelt key is both unknown and missing; only the former suggests what was meant.
    first = next((c for c in complaints if c["type"] == "extra_forbidden"), complaints[0])
    path = _join(where, first["loc"])
    if first["type"] == "invalid_key" or "[key]" in first["loc"]:
        text = f"config key {path}: a key must be text"
    elif first["type"] == "extra_forbidden":
        text = _unknown(path, str(first["loc"][-1]), list(_fields(model, first["loc"][:-1])))
    elif first["type"] == "missing":
        field = _fields(model, first["loc"][:-1])[first["loc"][-1]]
        text = f"config key {path}: missing; {field.description}"
    else:
        whole = isinstance(first["input"], Mapping) and not first["loc"]
        value = "" if whole else f"{first['input']!r} "
        text = f"config key {path}: {value}{_reason(first)}"
    others = len(complaints) - 1
    return text + (f" (and {others} more)" if others else "")


def _join(where: str, location: Sequence[str | int]) -> str:
    """The path of a key in words: `papers.toy.walks.grid[0].drift`."""
    path = where
    for part in location:
        if part != "[key]":
            path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path


def _reason(complaint: Mapping[str, Any]) -> str:
    """What is allowed, and how to write a number that YAML read as text."""
    value, kind = complaint["input"], complaint["type"]
    reason = re.sub(r"^Value error, |^\w+ (?=should )", "", complaint["msg"])
    reason = reason.replace("dictionary", "mapping").replace(" after validation", "")
    number = _number(value) if kind in ("float_type", "int_type") else math.nan
    if not math.isfinite(number):
        return reason
    if kind == "int_type":
        return f"{reason}; it was read as text" + (
            f", write {number:.0f}" if number % 1 == 0 else ""
        )
    # YAML wants a point in a mantissa: 1e-05 is text, 1.0e-05 a number.
    mantissa, *exponent = repr(number).split("e")
    mantissa += "" if "." in mantissa else ".0"
    return f"{reason}; it was read as text, write {'e'.join([mantissa, *exponent])}"


def _number(value: Any) -> float:
    """The number that a text stands for, NaN if it stands for none."""
    try:
        return float(value) if isinstance(value, str) else math.nan
    except ValueError:
        return math.nan


def _fields(model: type[BaseModel], path: Sequence[str | int]) -> dict[str, Any]:
    """The fields of the model that stands at `path` below `model`."""
    kind: Any = model
    for part in path:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            kind = kind.model_fields[part].annotation
        else:
            kind = get_args(kind)[-1]
        if get_origin(kind) not in (dict, list) and get_args(kind):  # Optional[Model]
            kind = get_args(kind)[0]
    return kind.model_fields
