"""Keys of the cache: a digest of the code a stage runs, of its specification, of its inputs' keys.

Snakemake compares parameters, not what a program imports, so every stage carries one parameter
`key` that changes exactly when its result could. Code counts by its syntax tree without comments
and docstrings, followed through the imports inside this package; a module that reads data files
names them in a literal `DATA` (paths relative to the module), and their bytes count too.
"""

import ast
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from deeplimits.errors import UserError

PACKAGE = "deeplimits"
SOURCE = Path(__file__).resolve().parent.parent


def canonical(value: Any) -> str:
    """JSON with sorted keys and no spaces; refuses NaN, infinities and anything JSON has not."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def key(*parts: Any) -> str:
    """Digest (32 hexadecimal digits) of JSON-able parts."""
    return hashlib.blake2b(canonical(parts).encode(), digest_size=16).hexdigest()


def module_path(module: str) -> Path | None:
    """The file of a module of this package, or None where there is no such module."""
    stem = SOURCE.joinpath(*module.split("."))
    for path in (stem.with_suffix(".py"), stem / "__init__.py"):
        if path.is_file():
            return path
    return None


def code(modules: Iterable[str]) -> str:
    """Digest of the given modules of this package and of all that they import from it."""
    return key({module: _module_digest(module) for module in closure(modules)})


def closure(modules: Iterable[str]) -> list[str]:
    """The given modules, all modules of this package that they import, and their packages."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting.extend(_imports(module))
            waiting.extend(_parents(module))
    return sorted(found)


def literal(module: str, name: str, default: Any = None) -> Any:
    """The value of a literal assigned to `name` at the top of a module, read without importing it.

    Raises
    ------
    UserError
        if the value is no literal, or there is none and no default.
    """
    for node in _tree(module).body:
        if isinstance(node, ast.Assign) and [ast.unparse(t) for t in node.targets] == [name]:
            try:
                return ast.literal_eval(node.value)
            except ValueError as error:
                raise UserError(f"{module}.{name} must be a plain literal") from error
    if default is None:
        raise UserError(f"{module} defines no {name}")
    return default


@cache
def _tree(module: str) -> ast.Module:
    path = module_path(module)
    if path is None:
        raise UserError(f"no module {module} under {SOURCE}")
    return ast.parse(path.read_bytes(), filename=str(path))


@cache
def _module_digest(module: str) -> str:
    text = "".join(f"{token}\0" for token in _tokens(_tree(module)))
    digest = hashlib.blake2b(text.encode(), digest_size=16)
    path = module_path(module)
    for name in literal(module, "DATA", default=()):
        try:
            digest.update((path.parent / name).read_bytes())
        except OSError as error:
            raise UserError(f"{module}: data file {name}: {error.strerror}") from error
    return digest.hexdigest()


@cache
def _imports(module: str) -> tuple[str, ...]:
    names: set[str] = set()
    for node in _statements(_tree(module)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise UserError(f"{module}: relative imports are not followed; import {PACKAGE}.…")
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    ours = (name for name in names if name.split(".")[0] == PACKAGE)
    return tuple(sorted(name for name in ours if module_path(name)))


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """All statements, at any depth. No expression holds one, and most of a tree is expressions."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(
            child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)
        )


def _parents(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:n]) for n in range(1, len(parts))]


def _tokens(node: ast.AST) -> list[str]:
    """The tree as text that is the same for every Python version.

    Empty fields are left out because new versions add fields that are empty in old code, and empty
    parts of f-strings because some versions make them; so are docstrings, and the version number,
    which names a release and not a behaviour.
    """
    tokens: list[str] = []
    _add_tokens(node, tokens.append)
    return tokens


def _add_tokens(node: ast.AST, add: Callable[[str], None]) -> None:
    add(type(node).__name__)
    for name in node._fields:
        value = getattr(node, name, None)
        if value is None or value == [] or name in ("kind", "type_comment"):
            continue
        add(name)
        if name == "body" and isinstance(value, list):
            value = [child for child in _without_docstring(node) if not _is_version(child)]
        elif isinstance(node, ast.JoinedStr):
            value = [child for child in value if not _is_empty_text(child)]
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                _add_tokens(child, add)
            else:
                add(ascii(child))  # repr differs with the version of Unicode
    add(".")


def _without_docstring(node: ast.AST) -> list[ast.AST]:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
        return node.body[1:]
    return node.body


def _is_version(node: ast.AST) -> bool:
    if not isinstance(node, ast.Assign):
        return False
    target = node.targets[0]
    return isinstance(target, ast.Name) and target.id == "__version__"


def _is_empty_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value == ""
