"""`docs/faults.md` says what the tests of this folder try."""

import fault_page
from toy_project import CHECKOUT


def test_the_page_is_in_step() -> None:
    """If not: PYTHONPATH=src python tests/support/fault_page.py > docs/faults.md"""
    assert (CHECKOUT / "docs" / "faults.md").read_text(encoding="utf-8") == fault_page.text()
