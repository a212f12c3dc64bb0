"""Code digests: what counts as the same code, and what does not."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deeplimits import digest
from deeplimits.errors import UserError

PACKAGE = Path(digest.__file__).parent


class Package:
    """A package `deeplimits` of its own, written module by module."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.write("deeplimits.__init__", "")

    def write(self, module: str, text: str) -> Path:
        path = self.source.joinpath(*module.split(".")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def code(self, *modules: str) -> str:
        self.forget()
        return digest.code(modules)

    def forget(self) -> None:
        """Make `digest` read every module again."""
        for cached in (digest._tree, digest._module_digest, digest._imports):
            cached.cache_clear()

    def closure(self, *modules: str) -> list[str]:
        self.code(*modules)
        return digest.closure(modules)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Package]:
    monkeypatch.setattr(digest, "SOURCE", tmp_path)
    package = Package(tmp_path)
    yield package
    package.forget()


BEFORE = '''\
"""Document."""
import math
RATE = 1000.0

class Walk:
    """Document."""
    length = 3

def area(radius, *, scale=2):
    """Document."""
    label = f"r = {radius:.2f}"
    return label, scale * math.pi * radius ** 2, "text", 5
'''

SAME = {
    "comment": lambda text: text.replace("RATE", "# a comment\nRATE") + "# at the end\n",
    "trailing comment": lambda text: text.replace("length = 3", "length = 3  # three"),
    "docstrings": lambda text: text.replace("Document.", "Say it in other words."),
    "no docstrings": lambda text: text.replace('"""Document."""\n    label', "label"),
    "empty lines": lambda text: text.replace("\n\n", "\n\n\n\n"),
    "parentheses": lambda text: text.replace("radius ** 2", "(radius**2)"),
    "quotes": lambda text: text.replace('"text"', "'text'"),
    "adjacent strings": lambda text: text.replace('"text"', '"te" "xt"'),
    "spelling of a number": lambda text: text.replace("1000.0", "1e3"),
    "type comment": lambda text: text.replace("length = 3", "length = 3  # type: int"),
    "Windows line ends": lambda text: text.replace("\n", "\r\n"),
    "nothing": lambda text: text,
}

OTHER = {
    "a number": lambda text: text.replace("1000.0", "1000.1"),
    "type of a number": lambda text: text.replace("1000.0", "1000"),
    "an operator": lambda text: text.replace("radius ** 2", "radius * 2"),
    "order of operations": lambda text: text.replace("radius ** 2", "(radius * math.pi) ** 2"),
    "a string": lambda text: text.replace('"text"', '"other"'),
    "text or bytes": lambda text: text.replace('"text"', 'b"text"'),
    "format of an f-string": lambda text: text.replace(":.2f", ":.3f"),
    "text of an f-string": lambda text: text.replace("r = ", "R = "),
    "a default": lambda text: text.replace("scale=2", "scale=3"),
    "kind of an argument": lambda text: text.replace("*, scale", "scale"),
    "a name": lambda text: text.replace("RATE", "SPEED"),
    "a class attribute": lambda text: text.replace("length = 3", "length = 4"),
    "a base class": lambda text: text.replace("class Walk", "class Walk(int)"),
    "a decorator": lambda text: text.replace("def area", "@print\ndef area"),
    "an annotation": lambda text: text.replace("(radius,", "(radius: float,"),
    "a statement less": lambda text: text.replace("RATE = 1000.0\n", ""),
    "order of statements": lambda text: "RATE = 1000.0\n" + text.replace("RATE = 1000.0\n", ""),
    "an import": lambda text: text.replace("import math", "import cmath as math"),
    "1 or True": lambda text: text.replace(", 5", ", True"),
}


@pytest.mark.parametrize("edit", SAME.values(), ids=SAME)
def test_the_same_code_in_other_words_has_the_same_digest(
    package: Package, edit: Callable[[str], str]
) -> None:
    package.write("deeplimits.a", BEFORE)
    before = package.code("deeplimits.a")
    package.write("deeplimits.a", edit(BEFORE))
    assert package.code("deeplimits.a") == before


@pytest.mark.parametrize("edit", OTHER.values(), ids=OTHER)
def test_other_code_has_another_digest(package: Package, edit: Callable[[str], str]) -> None:
    assert edit(BEFORE) != BEFORE
    package.write("deeplimits.a", BEFORE)
    before = package.code("deeplimits.a")
    package.write("deeplimits.a", edit(BEFORE))
    assert package.code("deeplimits.a") != before


def test_true_and_one_are_told_apart(package: Package) -> None:
    package.write("deeplimits.a", "x = 1")
    before = package.code("deeplimits.a")
    package.write("deeplimits.a", "x = True")
    assert package.code("deeplimits.a") != before


def test_the_version_number_does_not_count(package: Package) -> None:
    package.write("deeplimits.a", "x = 1")
    package.write("deeplimits.__init__", '__version__ = "1.0"')
    before = package.code("deeplimits.a")
    package.write("deeplimits.__init__", '__version__ = "2.0"')
    assert package.code("deeplimits.a") == before
    package.write("deeplimits.__init__", '__version__ = "2.0"\nx = 2')
    assert package.code("deeplimits.a") != before


@pytest.mark.parametrize(
    "statement",
    [
        "import deeplimits.b",
        "import math, deeplimits.b as b",
        "from deeplimits import b",
        "from deeplimits import b as other",
        "from deeplimits.b import f",
        "from deeplimits.b import *",
        "def g():\n    from deeplimits import b\n    return b",
        "class G:\n    def g(self):\n        import deeplimits.b",
        "try:\n    import deeplimits.b\nexcept ImportError:\n    pass",
    ],
)
def test_imported_modules_count_wherever_they_are_imported(
    package: Package, statement: str
) -> None:
    package.write("deeplimits.a", statement)
    package.write("deeplimits.b", "def f(): return 1")
    before = package.code("deeplimits.a")
    package.write("deeplimits.b", "def f(): return 2")
    assert package.code("deeplimits.a") != before


def test_imports_are_followed_through_modules_packages_and_circles(package: Package) -> None:
    package.write("deeplimits.a", "from deeplimits.room import b\nimport numpy")
    package.write("deeplimits.room.__init__", "from deeplimits import c")
    package.write("deeplimits.room.b", "import deeplimits.a")
    package.write("deeplimits.c", "")
    package.write("deeplimits.unrelated", "")
    assert package.closure("deeplimits.a") == [
        "deeplimits",
        "deeplimits.a",
        "deeplimits.c",
        "deeplimits.room",
        "deeplimits.room.b",
    ]


def test_a_module_that_is_not_imported_does_not_count(package: Package) -> None:
    package.write("deeplimits.a", "# from deeplimits import b")
    package.write("deeplimits.b", "x = 1")
    before = package.code("deeplimits.a")
    package.write("deeplimits.b", "x = 2")
    assert package.code("deeplimits.a") == before


def test_a_renamed_module_counts(package: Package) -> None:
    package.write("deeplimits.a", "x = 1")
    package.write("deeplimits.b", "x = 1")
    assert package.code("deeplimits.a") != package.code("deeplimits.b")


def test_data_files_count_by_their_bytes(package: Package) -> None:
    path = package.write("deeplimits.a", 'DATA = ("table.csv",)')
    data = path.with_name("table.csv")
    data.write_bytes(b"1,2\n")
    before = package.code("deeplimits.a")
    data.touch()
    assert package.code("deeplimits.a") == before
    data.write_bytes(b"1,3\n")
    assert package.code("deeplimits.a") != before


def test_a_missing_data_file_is_named(package: Package) -> None:
    package.write("deeplimits.a", 'DATA = ("table.csv",)')
    with pytest.raises(UserError, match=r"deeplimits\.a: .*table\.csv"):
        package.code("deeplimits.a")


@pytest.mark.parametrize("statement", ["from . import b", "from .b import f", "from .. import b"])
def test_relative_imports_are_refused(package: Package, statement: str) -> None:
    package.write("deeplimits.a", statement)
    with pytest.raises(UserError, match=r"deeplimits\.a: relative imports"):
        package.code("deeplimits.a")


def test_an_unknown_module_is_named(package: Package) -> None:
    with pytest.raises(UserError, match=r"no module deeplimits\.missing"):
        package.code("deeplimits.missing")


def test_a_literal_is_read_without_running_the_module(package: Package) -> None:
    package.write(
        "deeplimits.a",
        'raise SystemExit\nTABLES = ("a", "b")\nCAPTION = (\n    "one "\n    "two"\n)\n',
    )
    package.code("deeplimits.a")
    assert digest.literal("deeplimits.a", "TABLES") == ("a", "b")
    assert digest.literal("deeplimits.a", "CAPTION") == "one two"
    assert digest.literal("deeplimits.a", "DATA", default=()) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "defines no TABLES"),
        ("def f():\n    TABLES = ()", "defines no TABLES"),
        ("TABLES = tuple(x)", "TABLES must be a plain literal"),
        ('TABLES = f"{1}"', "TABLES must be a plain literal"),
    ],
)
def test_a_literal_that_is_none_or_not_there_is_named(
    package: Package, text: str, message: str
) -> None:
    package.write("deeplimits.a", text)
    package.code()
    with pytest.raises(UserError, match=rf"deeplimits\.a\W.*{message}"):
        digest.literal("deeplimits.a", "TABLES")


SYNTAX = '''\
"""Much of the language."""
from __future__ import annotations
import numpy as np
x: int = 1_000
y, *z = [1, 2.5e-300, 3j, b"\\x00", "Λ λ̄ 🫨", None, ..., True, -0.0, 10**30]
f"{x!r:>{y}} {x=} {'nested'} {{}}" "tail"
def f(a, /, b=1, *c, d: float = 2, **e) -> str | None:
    global x
    x += 1; x @= 2
    return None
async def g():
    """Document."""
    async with a as b, c: await d
    async for i in j: yield i
class C(B, metaclass=M):
    @property
    def p(self): return
for i, in j: continue
else: del k[1:2, ::3, None]
while (n := 1) < 2 <= 3 is not 4: break
try: assert a, "b"
except* (KeyError, ValueError) as error: raise X from error
else: pass
finally: lambda: (yield)
match v:
    case {"k": [1, *_], **rest} if v: ...
    case Point(x=0) | None | -1 as w: nonlocal_ = {**a, "b": 1}
{i for i in j if k if l}; {k: v for k, v in z}; (*a, b); print(*a, **b)
a if not b or c and d else ~e
'''


def test_the_digest_does_not_depend_on_the_version_of_python(package: Package) -> None:
    """Golden: computed with Python 3.11.7, 3.12.1 and 3.13.0, which agree."""
    package.write("deeplimits.a", SYNTAX)
    assert package.code("deeplimits.a") == "cf38e5a33ef4f049b00690f02a4d8ffd"


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.name)
def test_every_module_may_be_laid_out_anew(path: Path) -> None:
    """`ast.unparse` drops the comments and all formatting."""
    tree = ast.parse(path.read_bytes())
    again = ast.parse(ast.unparse(tree))
    assert list(digest._tokens(again)) == list(digest._tokens(tree))


def test_canonical_json_is_one_form_and_refuses_what_json_has_not() -> None:
    assert digest.canonical({"b": 1, "a": [1.0, "λ"]}) == '{"a":[1.0,"\\u03bb"],"b":1}'
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="not JSON compliant"):
            digest.canonical([value])


def test_keys_tell_parts_order_and_types_apart() -> None:
    keys = {digest.key(*parts) for parts in [(), (1,), (1.0,), ("1",), (1, 2), (2, 1), ([1, 2],)]}
    assert len(keys) == 7
    assert digest.key({"a": 1, "b": 2}) == digest.key({"b": 2, "a": 1})
    assert all(len(key) == 32 for key in keys)
