"""Every interruption: it stops with one message and nothing wrong behind it."""

from pathlib import Path

import pytest

from fault_rows import INTERRUPTIONS, SECTIONS
from fault_trial import each, survive
from faults import Fault
from toy_project import Project

pytestmark = pytest.mark.matrix


@each(SECTIONS[INTERRUPTIONS])
def test_a_run_survives_an_interruption(fault: Fault, finished: Project, tmp_path: Path) -> None:
    survive(fault, finished, tmp_path)
