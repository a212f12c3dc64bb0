"""Papers and their modules are found by name, without importing them."""

import sys
from typing import Any, Literal

import pytest
from pydantic import Field

from deeplimits import registry
from deeplimits.schema import Axes, Dimension


def test_the_toy_papers_and_their_rooms_are_found(toy: dict[str, Any]) -> None:
    loaded = set(sys.modules)  # other tests of this process may have imported some
    assert registry.papers() == ["tiny2027", "toy2026"]
    assert registry.members("toy2026", "experiments") == ["powers", "walks"]
    assert registry.members("toy2026", "estimates") == ["walks"]
    assert registry.members("toy2026", "figures") == ["ends", "powers"]
    assert registry.members("toy2026", "typeset") == ["powers"]
    assert registry.members("toy2026", "attic") == []
    assert registry.has_claims("toy2026")
    assert registry.members("tiny2027", "figures") == []
    assert not registry.has_claims("tiny2027")
    assert set(sys.modules) == loaded


def test_a_module_is_loaded_by_its_name(toy: dict[str, Any]) -> None:
    module = registry.load("toy2026", "experiments", "walks")
    assert module.__name__ == registry.name("toy2026", "experiments", "walks")


def test_the_columns_of_an_experiment_are_its_axes_and_its_own(toy: dict[str, Any]) -> None:
    columns, keys = registry.experiment_columns(registry.load("toy2026", "experiments", "walks"))
    assert [column.name for column in columns] == [
        *("kind", "drift", "spread", "replica"),
        *("step", "position"),
    ]
    assert keys == ["kind", "drift", "spread", "replica", "step"]
    assert [column.dtype for column in columns[:4]] == ["string", "float64", "float64", "int64"]
    assert columns[1].meaning == "mean of one step"


def test_axes_of_every_kind_have_a_column() -> None:
    class Cell(Axes):
        d: Dimension = Field(description="a size")
        flag: bool = Field(description="a flag")
        name: Literal["relu", "tanh"] = Field(description="a name")
        sign: Literal[-1, 1] = Field(description="a sign")

    columns = registry.axis_columns(Cell)
    assert [(c.name, c.dtype) for c in columns] == [
        ("d", "int64"),
        ("flag", "bool"),
        ("name", "string"),
        ("sign", "int64"),
    ]


@pytest.mark.parametrize("kind", [list[int], float | None, dict, complex])
def test_an_axis_that_fits_no_column_is_named(kind: Any) -> None:
    Cell = type("Cell", (Axes,), {"__annotations__": {"odd": kind}})
    with pytest.raises(TypeError, match=r"axis odd: .*must be float, int, str, bool or a Literal"):
        registry.axis_columns(Cell)
