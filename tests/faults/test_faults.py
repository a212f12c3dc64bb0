"""Every fault of a run: it completes, or stops with one message and nothing wrong behind it."""

from pathlib import Path

import pytest

import namespaces
from fault_rows import FAULTS
from faults import Fault, bash
from toy_project import Project

pytestmark = pytest.mark.matrix


@pytest.fixture
def hit(finished: Project, tmp_path: Path, request: pytest.FixtureRequest) -> Project:
    """The project that the fault meets."""
    fault: Fault = request.getfixturevalue("fault")
    if fault.needs and namespaces.way(fault.needs) is None:
        pytest.skip(f"this system allows no `unshare {fault.needs}`")
    root = tmp_path / "project"
    return Project.assemble(root) if fault.fresh else finished.copy(root)


def wrong(made: dict[str, bytes], expected: dict[str, bytes]) -> list[str]:
    """Files other than a run makes, but for hidden ones that a killed writer could not remove."""
    visible = (name for name in made if not Path(name).name.startswith("."))
    return [name for name in visible if made[name] != expected.get(name)]


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_run_survives_a_fault(fault: Fault, hit: Project, finished: Project) -> None:
    expected = finished.made()

    said = fault.happen(hit)
    assert (said.code == 0) == (not fault.says), said.text
    assert fault.says in said.text, said.text
    assert wrong(hit.made(), expected) == []

    if fault.mend:
        fault.mend[1](hit)
    for command in fault.types:
        said = bash(hit, command)
        assert said.code == 0, said.text
    assert hit.made() == expected
    assert hit.planned() == set()
    assert said.text.count("Traceback") == 0
