"""An environment that is too old is told in one line."""

from importlib import metadata
from pathlib import Path

import pytest

from deeplimits import environment
from deeplimits.errors import UserError
from imports import loaded

SOURCE = Path(__file__).parents[1] / "src"


def project(folder: Path, *dependencies: str) -> Path:
    path = folder / "pyproject.toml"
    path.write_text(f"[project]\ndependencies = {list(dependencies)}\n")
    return path


def test_the_environment_of_the_tests_is_new_enough() -> None:
    environment.refuse_old()


@pytest.mark.parametrize("requirement", ["numpy", "numpy>=1", "Scikit_Learn>=1.0,<99", "pyyaml>5"])
def test_a_version_within_the_bounds_is_taken(tmp_path: Path, requirement: str) -> None:
    environment.refuse_old(project(tmp_path, requirement))


def test_without_a_checkout_there_is_nothing_to_compare(tmp_path: Path) -> None:
    environment.refuse_old(tmp_path / "pyproject.toml")


@pytest.mark.parametrize(
    ("requirements", "message"),
    [
        (("numpy>=99",), "numpy {numpy} is installed, >=99 is needed"),
        (("nowhere>=1", "numpy"), "nowhere is not installed"),
        (
            ("nowhere>=1", "numpy>=99"),
            "nowhere is not installed; numpy {numpy} is installed, >=99 is needed",
        ),
    ],
)
def test_what_is_old_or_missing_is_named_with_the_remedy(
    tmp_path: Path, requirements: tuple[str, ...], message: str
) -> None:
    with pytest.raises(UserError) as caught:
        environment.refuse_old(project(tmp_path, *requirements))
    expected = message.format(numpy=metadata.version("numpy"))
    assert str(caught.value) == f"{expected}: run make env, or install requirements.lock"


def test_versions_are_those_of_importlib() -> None:
    for name in ("numpy", "pydantic", "PyYAML"):
        assert environment._version(name) == metadata.version(name)


def test_the_look_loads_none_of_the_libraries() -> None:
    """They may be too old to be loaded, and would take longer than the look."""
    found = loaded("from deeplimits import environment; environment.refuse_old()", SOURCE)
    assert "packaging" in found, "nothing was compared"
    assert not {"numpy", "pydantic", "yaml", "pyarrow", "snakemake"} & found
