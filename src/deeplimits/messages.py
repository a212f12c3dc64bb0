"""Messages about the configuration: one line with the key, the value and what is allowed.

Pydantic's complaints are put into these words; a misspelt key gets the nearest known one. Keys and
values that are long or can't be printed are shortened and escaped.
"""

import datetime
import difflib
import itertools
import math
import re
import reprlib
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from deeplimits.errors import UserError


class _Short(reprlib.Repr):
    """Values in at most a line: long ones with dots in the middle, dates as YAML writes them."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxdict = 12
        self.maxlevel = 4
        self.maxstring = self.maxother = 80

    def repr_int(self, value: int, level: int) -> str:
        if abs(value) < 10**40:
            return repr(value)
        return f"a whole number of {value.bit_length()} bits"  # Python refuses to write the longest

    def repr_date(self, value: datetime.date, level: int) -> str:
        return value.isoformat()

    def repr_dict(self, value: dict, level: int) -> str:
        if level <= 0:
            return "{...}"
        items = (
            f"{self.repr1(k, level - 1)}: {self.repr1(v, level - 1)}" for k, v in value.items()
        )
        more = ["..."] if len(value) > self.maxdict else []
        return "{" + ", ".join([*itertools.islice(items, self.maxdict), *more]) + "}"

    repr_datetime = repr_date
    repr_OrderedDict = repr_dict  # noqa: N815 (of a JSON file that Snakemake read)


_SHORT = _Short()


def shown(value: Any) -> str:
    """The value as messages show it."""
    text = _SHORT.repr(value)
    return text if len(text) <= 200 else f"{text[:150]}...{text[-40:]}"


def below(where: str, key: Any) -> str:
    """The path of a key or an index below the key `where`: `papers.toy.walks.grid[0].drift`."""
    if isinstance(key, int) and not isinstance(key, bool):
        return f"{where}[{key}]"
    plain = isinstance(key, str) and re.fullmatch(r"[\w\-]{1,60}", key)
    return f"{where}." * bool(where) + (key if plain else shown(key))


def repeated(values: Iterable[Hashable]) -> list[Any]:
    """The values that stand more than once."""
    return [value for value, count in Counter(values).items() if count > 1]


def refuse_unknown(
    found: Mapping[str, Any] | Sequence[str], known: Sequence[str], where: str
) -> None:
    """Refuse the names, keys or items below the key `where`, that are not known.

    Raises
    ------
    UserError
        naming the first of them and the nearest known one.
    """
    keys = isinstance(found, Mapping)
    for index, name in enumerate(found):
        if name not in known:
            subject = f"{below(where, name)}:" if keys else f"{below(where, index)}: {shown(name)}"
            raise UserError(_unknown(subject, name, known))


def _unknown(subject: str, name: str, known: Sequence[str]) -> str:
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"; did you mean '{nearest[0]}'?" if nearest else ""
    return f"config key {subject} unknown{hint} (known: {', '.join(known)})"


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
    path = where
    for part in first["loc"]:
        path = below(path, part)
    if first["type"] == "extra_forbidden":
        text = _unknown(f"{path}:", first["loc"][-1], list(_fields(model, first["loc"][:-1])))
    elif first["type"] == "missing":
        field = _fields(model, first["loc"][:-1])[first["loc"][-1]]
        text = f"config key {path}: missing; {field.description}"
    else:
        whole = isinstance(first["input"], Mapping) and not first["loc"]
        value = "" if whole else f"{shown(first['input'])} "
        text = f"config key {path}: {value}{_reason(first)}"
    others = len(complaints) - 1
    return text + (f" (and {others} more)" if others else "")


def _reason(complaint: Mapping[str, Any]) -> str:
    """What is allowed, and how to write what YAML read as another type."""
    reason = re.sub(r"^Value error, |^\w+ (?=should )", "", complaint["msg"])
    reason = reason.replace("dictionary", "mapping").replace(" after validation", "")
    return reason + _advice(complaint["type"], complaint["input"])


def _advice(kind: str, value: Any) -> str:
    """How to write the value so that YAML reads it as it was meant; empty if nothing helps."""
    if kind == "string_type" and not isinstance(value, list | Mapping):
        return "; if text is meant, put it in quotes"
    if kind == "literal_error" and isinstance(value, bool | datetime.date | None):
        return "; if a word is meant, put it in quotes"
    if kind not in ("float_type", "int_type") or (number := _number(value)) is None:
        return ""
    if kind == "int_type":
        whole = abs(number) < 2**63 and number == int(number)
        return "; it was read as text" + (f", write {int(number)}" if whole else "")
    # YAML wants a point in a mantissa: 1e-05 is text, 1.0e-05 a number.
    mantissa, *exponent = repr(float(number)).split("e")
    mantissa += "" if "." in mantissa else ".0"
    return f"; it was read as text, write {'e'.join([mantissa, *exponent])}"


def _number(value: Any) -> Decimal | None:
    """The number that a text stands for, None if it stands for none that a float can hold."""
    try:
        number = Decimal(value) if isinstance(value, str) else Decimal("nan")
    except InvalidOperation:
        return None
    return number if math.isfinite(number) and math.isfinite(float(number)) else None


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
