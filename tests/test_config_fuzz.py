"""Configurations under fuzz: each is refused in one line that names its key, or means something.

A valid configuration is changed at one place, at random, as a hand that slips would. Hypothesis
takes the same examples in every run.
"""

import copy
import functools
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deeplimits import config, config_files, session
from deeplimits.errors import UserError
from deeplimits.messages import below
from deeplimits.plan import Plan

ROOT = Path(__file__).parents[1]
SMALL = config_files.read_files([ROOT / "config.yaml", ROOT / "workflow/config/smoke.yaml"])
PAPERS = json.loads(json.dumps(SMALL))["papers"]  # products no longer share lists by anchors
WALKS = "papers.toy2026.walks"
Keys = tuple[str | int, ...]

# The fixture only puts the toy papers in place; every example works on a copy of what it returns.
fuzz = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
few = settings(fuzz, max_examples=60)

NUMBERS = st.one_of(
    st.integers(),
    st.integers(-3, 3),
    st.sampled_from([2**53 + 1, 2**63, -(2**63) - 1, 10**400]),
    st.floats(),
    st.sampled_from([1e308, 5e-324, -0.0, 0.5]),
)
TEXTS = st.one_of(
    st.text(st.characters(), max_size=8),
    st.sampled_from(
        ["1e-3", "1e400", "nan", ".inf", "0x10", "1_0", "é", "e\u0301", "\u202ea", "a b"]
    ),
    st.sampled_from(["../up", "/tmp", "~", "src", "logs", "results", "drift", "kind", "x" * 5000]),
)
OTHERS = st.one_of(
    st.none(),
    st.booleans(),
    st.dates(),
    st.datetimes(),
    st.binary(max_size=4),
    st.sampled_from([[], {}, [[]], {"a": {}}, {1: 2}, {None: 1}, {True: []}]),
)
KEYS = st.one_of(TEXTS, st.integers(-2, 2), st.booleans(), st.none(), st.floats(), st.dates())
SCALARS = NUMBERS | TEXTS | OTHERS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


def places(raw: Any, path: Keys = ()) -> Iterator[Keys]:
    """The paths of all keys and list items."""
    inside = (
        raw.items() if isinstance(raw, dict) else enumerate(raw) if isinstance(raw, list) else ()
    )
    for key, value in inside:
        yield (*path, key)
        yield from places(value, (*path, key))


def words(path: Keys) -> str:
    """The path as messages write it."""
    text = ""
    for key in path:
        text = below(text, key)
    return text


def parent(raw: Any, path: Keys) -> Any:
    for key in path[:-1]:
        raw = raw[key]
    return raw


def refused(raw: Any, then: Callable[[config.Configuration], Any] = lambda _: None) -> str:
    """Why the configuration is refused, in one line; empty where it is valid."""
    message = ""
    try:
        then(config.validate(raw))
    except UserError as error:
        message = str(error)
    assert message.isprintable()
    assert len(message) < 2000
    return message


def refusal(raw: Any) -> str:
    """Why the configuration is refused, in one line; empty where it has a plan."""
    return refused(raw, Plan)


def names(message: str, path: Keys) -> bool:
    """Whether a message is about the key, or about something that it belongs to."""
    wholes = [words(path[:length]) for length in range(1, len(path))]
    return words(path) in message or any(
        message.startswith(f"config key {whole}:") for whole in wholes
    )


@fuzz
@given(st.data())
def test_another_value_is_refused_by_its_key_or_means_something(
    toy: dict[str, Any], data: st.DataObject
) -> None:
    raw = copy.deepcopy(toy)
    path = data.draw(st.sampled_from(list(places(raw))))
    parent(raw, path)[path[-1]] = data.draw(VALUES)
    message = refusal(raw)
    assert not message or names(message, path)


# what may be left out of the toy configuration
OPTIONAL = {
    *("papers.toy2026", "papers.tiny2027", f"{WALKS}.split"),
    *(f"{WALKS}.settings.scale", f"{WALKS}.settings.offset"),
}


def test_a_key_that_is_left_out_is_named_or_has_a_default(toy: dict[str, Any]) -> None:
    for path in places(toy):
        raw = copy.deepcopy(toy)
        above = parent(raw, path)
        del above[path[-1]]
        message = refusal(raw)
        if words(path) in OPTIONAL or (isinstance(above, list) and (above or "split" in path)):
            assert not message
        else:
            assert message
            assert names(message, path)


@pytest.mark.parametrize("change", [lambda key: f"{key}s", str.upper, lambda key: f"{key} "])
def test_a_misspelt_key_is_named_with_what_was_meant(
    toy: dict[str, Any], change: Callable[[str], str]
) -> None:
    for path in places(toy):
        if isinstance(path[-1], str):
            raw = copy.deepcopy(toy)
            above, key = parent(raw, path), change(path[-1])
            above[key] = above.pop(path[-1])
            message = refusal(raw)
            assert message.startswith(f"config key {words((*path[:-1], key))}: unknown")
            if change is not str.upper:
                assert f"; did you mean '{path[-1]}'?" in message


@fuzz
@given(st.data())
def test_another_key_beside_the_known_ones_is_refused_by_name(
    toy: dict[str, Any], data: st.DataObject
) -> None:
    raw = copy.deepcopy(toy)
    inside = [path for path in places(raw) if isinstance(path[-1], str)]
    path = data.draw(st.sampled_from(inside))
    above, key = parent(raw, path), data.draw(KEYS)
    if key in above or (key in ("paired", "resources") and "grid" in above):
        return
    above[key] = data.draw(SCALARS)
    assert names(refusal(raw), (*path[:-1], key))


@few
@given(st.data())
def test_a_repeated_key_is_refused_by_name(
    toy: dict[str, Any], tmp_path: Path, data: st.DataObject
) -> None:
    """The text of the file, with the line of one key repeated at its end."""
    lines = yaml.safe_dump(toy, default_flow_style=False).splitlines()
    keyed = [line for line in lines if re.match(r" *\w+:", line)]
    line = data.draw(st.sampled_from(keyed))
    at = lines.index(line)
    lines.insert(at, line.split(":")[0] + ": 1")
    (tmp_path / "twice.yaml").write_text("\n".join(lines))
    with pytest.raises(UserError, match=f"duplicate key '{line.split(':')[0].strip()}'; keep one"):
        config_files.read_file(tmp_path / "twice.yaml")


@fuzz
@given(VALUES.map(lambda value: value if isinstance(value, dict) else {"papers": value}))
def test_what_is_no_configuration_is_refused(toy: dict[str, Any], raw: dict) -> None:
    assert refusal(raw).startswith("config key ")
    assert refusal({**toy, "papers": raw}).startswith("config key papers")


@few
@given(data=st.data())
@pytest.mark.parametrize("key", ["folders", "seed", "papers"])
def test_a_session_ends_with_the_same_message(
    toy: dict[str, Any], key: str, data: st.DataObject
) -> None:
    """It works on the configuration before it is known to be one."""
    raw = {**toy, key: data.draw(VALUES)}
    if message := refusal(raw):
        with pytest.raises(SystemExit) as caught:
            session.load(raw, [])
        assert caught.value.code == f"deeplimits: {message}"


@pytest.mark.parametrize(
    "value",
    [1 << 20_000, functools.reduce(lambda inner, _: [inner], range(5000), 0)],
    ids=["digits", "nesting"],
)
def test_a_session_ends_with_a_message_where_a_value_has_no_text(
    toy: dict[str, Any], value: Any
) -> None:
    with pytest.raises((ValueError, RecursionError)):
        repr(value)
    with pytest.raises(SystemExit, match="deeplimits: config key seed"):
        session.load({**toy, "seed": value}, [])


@few
@given(st.data())
def test_a_value_in_a_real_paper_is_refused_by_its_key_or_means_something(
    data: st.DataObject,
) -> None:
    paper = data.draw(st.sampled_from(sorted(PAPERS)))
    raw = copy.deepcopy({**SMALL, "papers": {paper: PAPERS[paper]}})
    path = data.draw(st.sampled_from([path for path in places(raw) if path[0] == "papers"]))
    parent(raw, path)[path[-1]] = data.draw(VALUES)
    message = refused(raw)
    assert not message or names(message, path)


def spelt(value: Any) -> st.SearchStrategy[str]:
    """Ways to write a value of an axis in YAML."""
    ways = [json.dumps(value)]
    if isinstance(value, str):
        ways += [f"'{value}'", value]
    elif isinstance(value, float):
        ways += [f"{value:.3e}", f"+{value:.4f}", f"{value:.1f}0", f"!!float {value}"]
        ways += [f"{value:.0f}"] * value.is_integer()
    else:
        ways += [f"+{value}", hex(value), bin(value)]
    return st.sampled_from(ways)


@few
@given(st.data())
def test_the_order_and_the_writing_of_values_change_no_key(
    toy: dict[str, Any], tmp_path: Path, data: st.DataObject
) -> None:
    product = toy["papers"]["toy2026"]["walks"]["grid"][0]
    axes = [
        f"{axis}: [{', '.join(data.draw(spelt(value)) for value in shuffled(data, values))}]"
        for axis, values in shuffled(data, product.items())
    ]
    file = tmp_path / "grid.yaml"
    file.write_text(f"grid: [{{{', '.join(axes)}}}]", encoding="utf-8")
    raw = copy.deepcopy(toy)
    raw["papers"]["toy2026"]["walks"].update(config_files.read_file(file))
    assert keys(raw) == keys(toy)


def shuffled(data: st.DataObject, values: Iterable) -> list:
    return data.draw(st.permutations(list(values)))


def keys(raw: dict[str, Any]) -> dict[tuple[str, ...], str]:
    """The key of every step."""
    steps = Plan(config.validate(raw)).steps
    return {(stage, *name): step.key for stage in steps for name, step in steps[stage].items()}
