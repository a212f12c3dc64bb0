"""Every other fault of a run: it completes, or stops with one message and nothing wrong behind it.

Apart from the interruptions, so that two workers share the time.
"""

from pathlib import Path

import pytest

from fault_rows import INTERRUPTIONS, SECTIONS
from fault_trial import each, survive
from faults import Fault
from toy_project import Project

pytestmark = pytest.mark.matrix

OTHERS = [fault for title, faults in SECTIONS.items() if title != INTERRUPTIONS for fault in faults]


@each(OTHERS)
def test_a_run_survives_a_fault(fault: Fault, finished: Project, tmp_path: Path) -> None:
    survive(fault, finished, tmp_path)
