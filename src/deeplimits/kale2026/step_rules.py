"""What a step-size rule is, and finding rules by name: `get("constant(10)")`.

A rule is one function decorated by `rule`. It receives the margin γ it is told of each run, an
array of shape (P, S), and at most one number from its name; it returns a function that the driver
calls once an iteration, t = 0, 1, …, as log_step(t, seen) and that returns ln η_t, shape (P, S).
What the rule must remember lives in its closure. `seen` is an `Observation` of w_t: GD shows the
full loss and gradient, SGD those of the one sample drawn. Logarithms reach where e^x does not.
The rules themselves are in `schedules`.
"""

import difflib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, NamedTuple, Protocol

import numpy as np
from pydantic import AfterValidator

from deeplimits.kale2026 import checks


class Observation(Protocol):
    """What a rule sees of w_t; SGD shows the sampled loss ℓ_{i_t} in place of L."""

    @property
    def log_loss(self) -> np.ndarray:
        """Logarithm of L(w_t)."""

    @property
    def log_gradient_norm(self) -> np.ndarray:
        """Logarithm of |∇L(w_t)|."""


class Searchable(Observation, Protocol):
    """What GD shows a rule registered with `line_search`."""

    def log_loss_after(self, log_step: np.ndarray, where: np.ndarray) -> np.ndarray:
        """Return ln L(w_t − η∇L(w_t)): a trial, counted as work of the runs `where`."""


LogStep = Callable[[int, Observation], np.ndarray]


class _Entry(NamedTuple):
    factory: Callable[..., LogStep]
    line_search: bool


_ENTRIES: dict[str, _Entry] = {}


@dataclass(frozen=True)
class Rule:
    """A step-size rule with its parameter; two of the same name are equal.

    Attributes
    ----------
    name
        Canonical name, as `get` takes it.
    parameters
        The number in the name, if any.
    """

    name: str
    parameters: tuple[float, ...]

    def start(self, gamma: np.ndarray) -> LogStep:
        """Return the function log_step(t, seen) of fresh runs told the margins `gamma` (P, S)."""
        checks.margin("gamma", gamma)
        return self._entry.factory(gamma, *self.parameters)

    @property
    def line_search(self) -> bool:
        """Whether the rule tries steps out, which only GD allows."""
        return self._entry.line_search

    @property
    def _entry(self) -> _Entry:
        return _ENTRIES[_head(self.name)]


def rule(
    name: str, *, line_search: bool = False
) -> Callable[[Callable[..., LogStep]], Callable[..., LogStep]]:
    """Register a factory gamma → log_step, or (gamma, parameter) → log_step, under a name."""

    def register(factory: Callable[..., LogStep]) -> Callable[..., LogStep]:
        _ENTRIES[name] = _Entry(factory, line_search)
        return factory

    return register


def names() -> tuple[str, ...]:
    """Names of all rules; those that take a number are shown with its name, as "constant(eta)"."""
    return tuple(_signature(head) for head in _ENTRIES)


def get(name: str) -> Rule:
    """Return the rule called `name`, with a positive number in brackets where it takes one.

    Raises
    ------
    ValueError
        If there is none of that name; the message lists the names and suggests the nearest.
    """
    head, bracket, inside = name.partition("(")
    if head not in _ENTRIES or (bracket and not inside.endswith(")")):
        nearest = difflib.get_close_matches(head, _ENTRIES, n=1)
        hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
        raise ValueError(f"unknown rule {name!r}; known are {', '.join(names())}{hint}")
    parameter = _parameter(head)
    if not bracket:
        if parameter is not None and parameter.default is inspect.Parameter.empty:
            raise ValueError(f"rule {head!r} needs its number: {_signature(head)}")
        return Rule(head, ())
    if parameter is None:
        raise ValueError(f"rule {head!r} takes no number, got {name!r}")
    try:
        value = float(inside[:-1])
    except ValueError:
        raise ValueError(f"{name!r}: {parameter.name} must be a number") from None
    checks.positive(f"{name!r}: {parameter.name}", value)
    return Rule(f"{head}({repr(value).removesuffix('.0')})", (value,))


def get_without_search(name: str) -> Rule:
    """Return the rule called `name`, for SGD.

    Raises
    ------
    ValueError
        As `get`, and for a rule that searches along a line.
    """
    found = get(name)
    refuse_search(found)
    return found


def refuse_search(chosen: Rule) -> None:
    """Refuse a rule that searches along a line, with a ValueError that names it."""
    if chosen.line_search:
        raise ValueError(f"rule {chosen.name!r} needs a line search, which SGD does not offer")


RuleName = Annotated[str, AfterValidator(lambda name: get(name).name)]
"""A validated name in canonical form, for typed settings of GD."""

SgdRuleName = Annotated[str, AfterValidator(lambda name: get_without_search(name).name)]
"""The same for SGD."""


def _head(name: str) -> str:
    return name.partition("(")[0]


def _parameter(head: str) -> inspect.Parameter | None:
    """The number that a rule takes after gamma."""
    parameters = list(inspect.signature(_ENTRIES[head].factory).parameters.values())
    return parameters[1] if len(parameters) > 1 else None


def _signature(head: str) -> str:
    parameter = _parameter(head)
    return head if parameter is None else f"{head}({parameter.name})"
