"""The declarations: every column of every estimate plays one role, and plays it once."""

from typing import Any

import pytest

from deeplimits import registry
from deeplimits.errors import UserError
from deeplimits.schema import Column
from deeplimits.verification.declaration import Compared, declared, roles

COLUMNS = tuple(
    Column(name, "float64", "1", name) for name in ("t", "x", "x_se", "y", "y_low", "y_high", "z")
)
Y = {"y": ("y_low", "y_high")}


@pytest.mark.parametrize("paper", registry.papers())
def test_every_estimate_is_declared(paper: str) -> None:
    for experiment, compared in declared(paper).items():
        module = registry.load(paper, "estimates", experiment)
        found = roles(module.COLUMNS, module.KEY, compared, experiment)
        assert list(found) == [column.name for column in module.COLUMNS]
        kinds = {column.name: column.dtype for column in module.COLUMNS}
        for name, role in found.items():
            assert role not in ("measured", "error") or kinds[name] == "float64", name
        assert compared.count is None or kinds[compared.count] == "int64"
        assert compared.along is None or found[compared.along] == "key"


def test_a_column_plays_the_role_of_its_name_or_of_its_declaration() -> None:
    assert roles(COLUMNS, ["t"], Compared(intervals=Y, random=("z",)), "here") == {
        **{"t": "key", "x": "measured", "x_se": "error"},
        **{"y": "measured", "y_low": "error", "y_high": "error", "z": "random"},
    }
    assert roles(COLUMNS, ["t"], Compared(), "here")["y"] == "exact"


@pytest.mark.parametrize(
    ("columns", "compared", "message"),
    [
        (COLUMNS, Compared(random=("w",)), r"here: no column 'w'; known: t, x, .*"),
        (COLUMNS, Compared(random=("x",)), r"here: column 'x' is measured and random"),
        (COLUMNS, Compared(random=("t",)), r"here: column 't' is key and random"),
        (COLUMNS[2:], Compared(), r"here: 'x_se' is the error of no column; declare it"),
    ],
)
def test_a_wrong_declaration_is_refused(columns: Any, compared: Compared, message: str) -> None:
    with pytest.raises(UserError, match=f"^{message}$"):
        roles(columns, ["t"], compared, "here")


def test_an_experiment_without_a_declaration_is_refused(
    toy: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list(declared("toy2026")) == ["walks"]
    assert declared("tiny2027") == {}
    module = registry.load("toy2026", "comparisons")
    monkeypatch.setattr(module, "COMPARED", {})
    with pytest.raises(UserError, match=r"toy2026\.comparisons\.COMPARED: walks is not declared"):
        declared("toy2026")
    monkeypatch.setattr(module, "COMPARED", {"walks": Compared(), "powers": Compared()})
    with pytest.raises(UserError, match=r"COMPARED: powers has no estimates"):
        declared("toy2026")
    monkeypatch.setattr(registry, "members", lambda paper, room: ["squares"])
    with pytest.raises(UserError, match=r"tiny2027\.comparisons: no such module; declare there"):
        declared("tiny2027")
