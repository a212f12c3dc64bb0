"""Reading configuration files: as Snakemake reads them, and nothing is dropped in silence."""

import copy
import json
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from snakemake.common.configfile import load_configfile
from snakemake.settings.types import ConfigSettings
from snakemake.utils import update_config

from deeplimits import config_files
from deeplimits.errors import UserError

# One folder for all examples: every example overwrites its files.
fuzz = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)


def write(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"{index}.yaml" for index in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def read(folder: Path, *texts: str) -> dict[str, Any]:
    return config_files.read_files(write(folder, *texts))


def snakemake_reads(base: Path, *overlays: Path) -> dict[str, Any]:
    """The configuration after `configfile:` in a Snakefile, with overlays of the command line."""
    overlay = ConfigSettings(configfiles=overlays).overwrite_config
    merged = copy.deepcopy(overlay)
    for layer in (load_configfile(base), overlay):
        update_config(merged, layer)
    return merged


def test_later_files_win_key_by_key(tmp_path: Path) -> None:
    merged = read(
        tmp_path, "{a: {b: 1, c: [1, 2]}, d: 1}", "{a: {c: [3]}, e: {f: 2}}", "{e: {f: 3}}"
    )
    assert merged == {"a": {"b": 1, "c": [3]}, "d": 1, "e": {"f": 3}}


@pytest.mark.parametrize(
    "texts",
    [
        ("{a: {b: {c: 1}, d: [1]}, e: 1, f: {g: 1}}", "{a: {b: 2}, e: {x: 1}, f: {g: {h: 1}}}"),
        ("{a: &a {b: 1}, c: *a}", "{a: {b: 2}}"),
        ("{a: 1}", "{a: {}}"),
        ("{a: {z: 1}}", "{a: 3}", "{a: {b: 1}}"),
        ('{"a": 1e-3}', '\t{"b": 1E5, "c": "\\u00e9"}'),
        ("\ufeffa: 1", '\ufeff{"b": 1}'),
        ("{a: 010, b: 1:30, c: on, d: 2020-01-01, e: 1_000, f: 1e5, g: ~}",),
    ],
)
def test_files_are_merged_as_snakemake_does(tmp_path: Path, texts: tuple[str, ...]) -> None:
    assert read(tmp_path, *texts) == snakemake_reads(*write(tmp_path, *texts))


LAYER = st.dictionaries(
    st.sampled_from("abc"),
    st.recursive(
        st.sampled_from([None, True, 0, 1.5, "x", [], [{"a": 1}]]),
        lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
        max_leaves=6,
    ),
    max_size=3,
)


@fuzz
@given(st.lists(LAYER, min_size=2, max_size=3), st.booleans())
def test_any_files_are_merged_as_snakemake_does(
    tmp_path: Path, layers: list[dict], as_json: bool
) -> None:
    dump = json.dumps if as_json else yaml.safe_dump
    texts = [dump(layer) for layer in layers]
    assert read(tmp_path, *texts) == snakemake_reads(*write(tmp_path, *texts))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # duplicate keys
        ("seed: 1\nseed: 2\n", r"duplicate key 'seed'; keep one of the two.*line 2, col"),
        ("a:\n  b: {c: 1, d: 2, c: 3}\n", r"duplicate key 'c'.*line 2"),
        ("a: [{b: 1, b: 1}]\n", r"duplicate key 'b'"),
        ("1: 1\n1: 2\n", r"duplicate key 1"),
        ("on: 1\nyes: 2\n", r"duplicate key True"),
        ('{"a": {"b": 1, "b": 1}}', r"duplicate key 'b'; keep one of the two"),
        ('{"a": 1, "\\u0061": 1}', r"duplicate key 'a'"),
        # what is no configuration
        ("a: [1, 2\n", r"while parsing a flow sequence"),
        ("a: 1\n\tb: 2\n", r".*line 2"),
        ("[1, 2]\n", r"must be a mapping of keys to values"),
        ('["a"]', r"must be a mapping of keys to values"),
        ("seed", r"must be a mapping of keys to values"),
        ("", r"must be a mapping of keys to values"),
        ("# nothing but a comment\n", r"must be a mapping of keys to values"),
        ("a: 1\n---\nb: 2\n", r"expected a single document"),
        ("? [a, b]\n: 1\n", r".*unhashable key.*line 1"),
        ("a: *b\n", r"found undefined alias 'b'"),
        ("a: \x00", r".*special characters are not allowed"),
        ("a: !!python/object:os.system x\n", r"could not determine a constructor"),
        # values that don't exist
        ("a: 2020-05-45\n", r"a value is no date or number that there is: day is out of range"),
        (f"a: 59{':59' * 300}.5\n", r"a value is no date or number that there is: int too large"),
        ("a: 0b_\n", r"a value is no date or number that there is"),
        (f"a: {'9' * 5000}\n", r"a value is no date or number that there is"),
        # what has no end
        ("a: &a {b: *a}\n", r"found unconstructable recursive node"),
        ("a: &a [*a]\n", r"found unconstructable recursive node"),
        (f"a: {'[' * 700}{']' * 700}", r"nested too deeply"),
        (f'{{"a": {"[" * 9000}{"]" * 9000}}}', r"nested too deeply"),
        ("a:\n" + "- 1\n" * 500_001, r"2000007 characters are too many for YAML.*as JSON"),
    ],
    ids=lambda text: text[:30],
)
def test_files_that_are_wrong_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=rf"0\.yaml: {message}") as caught:
        read(tmp_path, text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500 + len(str(tmp_path))


def test_a_merge_key_may_be_overridden(tmp_path: Path) -> None:
    text = "{a: &a {b: 1, c: 2}, d: {<<: *a, c: 3}, e: {<<: [*a, {f: 1}]}}"
    assert read(tmp_path, text)["d"] == {"b": 1, "c": 3}
    with pytest.raises(UserError, match="duplicate key 'c'"):
        read(tmp_path, "{a: &a {b: 1}, d: {<<: *a, c: 2, c: 3}}")


def test_a_missing_or_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"gone\.yaml: can't be read: No such file"):
        config_files.read_file(tmp_path / "gone.yaml")
    with pytest.raises(UserError, match=r"can't be read: Is a directory"):
        config_files.read_file(tmp_path)
    for encoding in ("latin-1", "utf-16"):
        (tmp_path / "other.yaml").write_bytes("a: é".encode(encoding))
        with pytest.raises(UserError, match=r"other\.yaml: can't be read: .*; save it as UTF-8"):
            config_files.read_file(tmp_path / "other.yaml")


def test_a_million_values_are_read_fast_as_json(tmp_path: Path) -> None:
    start = time.process_time()
    content = read(tmp_path, json.dumps({"a": list(range(1_000_000))}))
    assert len(content["a"]) == 1_000_000
    assert time.process_time() - start < 5


TEXT = (Path(__file__).parent / "toy" / "config.yaml").read_text(encoding="utf-8")
PIECE = st.text(
    st.sampled_from("{}[],:&*!|>'\"%@`#?-~<=. \t\n\\0aé\u0301\u202e\u2028\ufeff\U0001f600"),
    max_size=4,
)


@fuzz
@given(st.data())
def test_no_text_ends_in_a_traceback(tmp_path: Path, data: st.DataObject) -> None:
    """A file with some of its characters replaced by others."""
    start = data.draw(st.integers(0, len(TEXT)))
    stop = start + data.draw(st.integers(0, 6))
    _read_or_refuse(tmp_path, (TEXT[:start] + data.draw(PIECE) + TEXT[stop:]).encode())


@fuzz
@given(st.binary(max_size=12) | st.text(max_size=12).map(str.encode))
def test_no_bytes_end_in_a_traceback(tmp_path: Path, content: bytes) -> None:
    _read_or_refuse(tmp_path, content)
    _read_or_refuse(tmp_path, b"seed: " + content)


def _read_or_refuse(folder: Path, content: bytes) -> None:
    path = folder / "fuzz.yaml"
    path.write_bytes(content)
    refusal = ""
    try:
        config_files.read_file(path)
    except UserError as error:
        refusal = str(error)
    assert len(refusal.splitlines()) <= 1
