"""How a fault is tried: brought about, looked at, mended, and compared with a run without it."""

from collections.abc import Iterable
from pathlib import Path

import pytest

import namespaces
from faults import Fault, bash
from toy_project import Project


def each(faults: Iterable[Fault]) -> pytest.MarkDecorator:
    """A test for each of the faults."""
    return pytest.mark.parametrize("fault", [pytest.param(one, id=one.name) for one in faults])


def survive(fault: Fault, finished: Project, folder: Path) -> None:
    """Try a fault on a project in `folder`; what is made must be as in the finished one.

    Skips the test where the system does not let the fault be brought about.
    """
    if fault.needs and namespaces.way(fault.needs) is None:
        pytest.skip(f"this system allows no `unshare {fault.needs}`")
    root = folder / "project"
    project = Project.assemble(root) if fault.fresh else finished.copy(root)
    expected = finished.made()

    said = fault.happen(project)
    assert (said.code == 0) == (not fault.says), said.text
    assert fault.says in said.text, said.text
    assert "Traceback" not in said.text or "an injected failure" in said.text, said.text
    assert _wrong(project.made(), expected) == []

    if fault.mend:
        fault.mend[1](project)
    for command in fault.types:
        said = bash(project, command)
        assert said.code == 0, said.text
    assert project.made() == expected
    assert project.planned() == set()


def _wrong(made: dict[str, bytes], expected: dict[str, bytes]) -> list[str]:
    """Files other than a run makes, but for hidden ones that a killed writer could not remove."""
    visible = (name for name in made if not Path(name).name.startswith("."))
    return [name for name in visible if made[name] != expected.get(name)]
