"""Reading configuration files as Snakemake does, but refusing what it drops or lets pass.

Snakemake reads a file as JSON or else as YAML, and merges the files before our code sees them. By
then duplicate keys are gone, so the files are read here too.
"""

import json
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

import yaml

from deeplimits.errors import UserError
from deeplimits.messages import repeated, shown

LARGEST_YAML = 2_000_000  # bytes; YAML takes some 20 s for so many, JSON a fraction of one


def read_files(paths: Iterable[Path]) -> dict[str, Any]:
    """Read and merge configuration files exactly as Snakemake does.

    The first is the base; the others, merged with one another, are laid over it.

    Raises
    ------
    UserError
        as `read_file`.
    """
    from snakemake.utils import update_config  # only here: a session has merged files already

    base, *overlays = map(read_file, paths)
    overlay: dict[str, Any] = {}
    for content in overlays:
        update_config(overlay, content)
    merged: dict[str, Any] = {}
    for content in (base, overlay):
        update_config(merged, content)
    return merged


def read_file(path: Path) -> dict[str, Any]:
    """Read one file.

    Raises
    ------
    UserError
        if it can't be read, is neither JSON nor YAML, is no mapping, or has a duplicate key.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: can't be read: {error}; save it as UTF-8") from error
    except OSError as error:
        raise UserError(f"{path}: can't be read: {error.strerror}") from error
    try:
        content = _parse(path, text)
    except yaml.YAMLError as error:
        raise UserError(f"{path}: {' '.join(str(error).split())}") from error
    except (ValueError, ArithmeticError) as error:  # the 45th of May, a number of 5000 digits
        raise UserError(f"{path}: a value is no date or number that there is: {error}") from error
    except RecursionError as error:
        raise UserError(f"{path}: nested too deeply") from error
    if not isinstance(content, dict):
        raise UserError(f"{path}: must be a mapping of keys to values")
    return content


def _parse(path: Path, text: str) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if twice := repeated(key for key, _ in pairs):
            raise UserError(f"{path}: duplicate key {shown(twice[0])}; keep one of the two")
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError:
        if len(text) > LARGEST_YAML:
            raise UserError(
                f"{path}: {len(text)} characters are too many for YAML, which is slow; write the "
                "file as JSON"
            ) from None
        return yaml.load(text, Loader=_UniqueKeys)


class _UniqueKeys(yaml.SafeLoader):
    """Refuses a mapping that repeats a key, and an alias inside what it stands for."""

    def construct_document(self, node: yaml.Node) -> Any:
        self.deep_construct = True  # at once and not later, so an alias of a parent is noticed
        return super().construct_document(node)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable):
                continue  # refused by the original
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None,
                    None,
                    f"duplicate key {shown(key)}; keep one of the two",
                    key_node.start_mark,
                )
            seen.add(key)
        return super().construct_mapping(node, deep)
