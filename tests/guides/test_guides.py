"""The tutorial and the how-tos do what they say, followed block by block in a fresh checkout."""

from pathlib import Path

import pytest

import guides
from toy_project import CHECKOUT

DOCS = CHECKOUT / "docs"
PAGES = ["tutorial.md", *sorted(f"howto/{path.name}" for path in (DOCS / "howto").glob("*.md"))]
SOON = "howto/add-a-paper.md"  # the longest, and the one that touches every stage


def read(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.chain if page == SOON else pytest.mark.matrix)
        for page in PAGES
    ],
)
def test_a_guide_works(page: str, tmp_path: Path) -> None:
    guides.follow(read(page), guides.checkout(tmp_path / "checkout"))


@pytest.mark.parametrize("page", PAGES)
def test_a_guide_has_something_to_run(page: str) -> None:
    assert any(block.kind == "sh" for block in guides.blocks(read(page)))


def test_edits_go_where_the_line_before_them_says(tmp_path: Path) -> None:
    page = """
New file `a/f`:

```yaml
one
  two
three
```

Above `two` in `a/f`:

```yaml
1.5
```

Below `two` in `a/f`:

```yaml
2.5
```

At the end of `a/f`, as said:

```yaml
4
```
"""
    guides.follow(page, tmp_path)
    assert (tmp_path / "a" / "f").read_text() == "one\n1.5\n  two\n2.5\nthree\n4\n"


@pytest.mark.parametrize(
    "page",
    [
        "Do\n\n```sh\nfalse\n```",
        "Do\n\n```sh\nfalse | true\n```",
        "Do\n\n```python\nraise SystemExit(1)\n```",
        "Do\n\n```sh\necho here\n```\n\nprints\n\n```text\nthere\n```",
        "New file `f`:\n\n```sh\n```\n\nNew file `f`:\n\n```sh\n```",
        "Glued\n```sh\ntrue\n```",
    ],
)
def test_a_guide_that_does_not_work_fails(page: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        guides.follow(page, tmp_path)


@pytest.mark.parametrize("page", ["Some\n\n```yaml\na: 1\n```", "Some\n\n```json\n{}\n```"])
def test_a_block_without_a_place_is_refused(page: str, tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        guides.follow(page, tmp_path)
