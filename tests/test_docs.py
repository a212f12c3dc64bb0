"""What README and documentation point to is there: files, commands, targets, tests."""

import re
from pathlib import Path

import pytest

from deeplimits import cli

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if "_build" not in page.parts]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]

TEXTS = dict(zip(NAMES, (page.read_text(encoding="utf-8") for page in PAGES), strict=True))
EVERYTHING = "\n".join(TEXTS.values())


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_to_files(name: str) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", TEXTS[name]):
        if "://" not in target:
            assert (ROOT / name).parent.joinpath(target).exists(), target


def test_there_are_links() -> None:
    assert len(re.findall(r"\]\([^)]+\.md\)", EVERYTHING)) > 20


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"(?:`|^|\$ )make ([a-z-]+)", EVERYTHING, re.MULTILINE))
    assert {"figures", "smoke", "docs"} <= named <= targets


def test_subcommands_exist(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    known = set(re.findall(r"^    ([a-z]+)\b", capsys.readouterr().out, re.MULTILINE))
    named = set(re.findall(r"python -m deeplimits ([a-z]+)", EVERYTHING))
    assert {"show", "verdict", "costs"} <= named <= known


def test_tests_that_are_named_exist() -> None:
    named = set(re.findall(r"\btests/[\w/]+(?:\.py)?", EVERYTHING))
    assert len(named) > 3
    assert not [path for path in named if not (ROOT / path).exists()]


def test_every_page_is_in_the_site() -> None:
    index = TEXTS["docs/index.md"]
    listed = {
        line
        for block in re.findall(r"^```\{toctree\}\n(.*?)^```$", index, re.M | re.S)
        for line in block.splitlines()
    }
    pages = {name.removeprefix("docs/").removesuffix(".md") for name in NAMES}
    assert pages - {"README", "index"} <= listed
