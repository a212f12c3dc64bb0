"""The gallery as it is written from a finished run, and as it goes stale."""

import dataclasses
import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from deeplimits import config, config_files
from deeplimits.errors import UserError
from deeplimits.gallery import block, record, writing
from deeplimits.plan import Plan
from toy_chain import Chain

ROOT = Path(__file__).parents[2]
README = f"# A project\n\n{block.START}\n{block.END}\n\nMore.\n"
PICTURE = Path("docs/gallery/toy2026-ends.png")
RECORD = Path("docs/gallery/record.json")


@pytest.fixture
def written(chain: Chain) -> Plan:
    """The plan of a finished toy run whose gallery has just been written."""
    chain.until("typeset")
    for stage in ("plot", "judge", "summarize"):
        chain.make(stage)
    Path("README.md").write_text(README, encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", "pyproject.toml")
    assert writing.write(chain.plan, Path())[0].startswith(f"{PICTURE}: ")
    return chain.plan


def test_the_gallery_of_this_checkout_is_what_its_code_would_show() -> None:
    raw = config_files.read_files([ROOT / "config.yaml"])
    assert writing.stale(Plan(config.validate(raw)), ROOT) == []


def test_what_was_just_written_is_not_stale(written: Plan) -> None:
    assert writing.stale(written, Path()) == []


def test_pictures_are_small_and_carry_no_record(written: Plan) -> None:
    with Image.open(PICTURE) as image:
        assert (image.width, image.mode) == (640, "P")
        assert not image.text


def test_the_readme_counts_verdicts_and_shows_what_is_declared(written: Plan) -> None:
    text = Path("README.md").read_text(encoding="utf-8")
    assert text.startswith("# A project\n\n<!--")
    assert text.endswith("-->\n\nMore.\n")
    assert "| `toy2026` | none stated | none stated | 1 of 1 |" in text
    assert f"![toy2026, ends: where walks end]({PICTURE})" in text
    assert "1 of 1" in Path("docs/gallery/badge-claims.svg").read_text(encoding="utf-8")


def test_the_page_of_verdicts_has_what_was_measured(written: Plan) -> None:
    (claim,) = record.read(RECORD.parent).claims
    lines = Path("docs/verdicts.md").read_text(encoding="utf-8").splitlines()
    assert lines[-1] == (
        f"| {claim['statement']} | us | **reproduced**: {claim['joint_reason']} "
        f"| {claim['measured']} |"
    )


def test_writing_it_again_changes_no_byte(written: Plan) -> None:
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    writing.write(written, Path())
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def test_a_figure_of_another_identity_is_stale(written: Plan) -> None:
    step = written.steps["plot"]["toy2026", "ends"]
    other = dataclasses.replace(step, specification={**step.specification, "identity": "other"})
    written.steps["plot"]["toy2026", "ends"] = other
    (line,) = writing.stale(written, Path())
    assert line == f"toy2026/ends: drawn by another code or configuration; {writing.REMEDY}"


def test_a_judge_of_another_identity_is_stale(written: Plan) -> None:
    step = written.steps["judge"]["toy2026",]
    other = dataclasses.replace(step, specification={**step.specification, "identity": "other"})
    written.steps["judge"]["toy2026",] = other
    (line,) = writing.stale(written, Path())
    assert line == f"verdicts: judged by another code or configuration; {writing.REMEDY}"


@pytest.mark.parametrize(
    ("path", "change"),
    [
        (PICTURE, Path.unlink),
        (PICTURE, lambda path: path.write_bytes(b"other")),
        (Path("docs/verdicts.md"), Path.unlink),
        (Path("docs/gallery/badge-claims.svg"), lambda path: path.write_text("<svg/>")),
        (
            Path("README.md"),
            lambda path: path.write_text(README.replace("\n<!-- end", "x\n<!-- end")),
        ),
    ],
)
def test_a_file_that_was_changed_is_named(written: Plan, path: Path, change) -> None:
    change(path)
    (line,) = writing.stale(written, Path())
    assert line.startswith(f"{path}: ")
    assert line.endswith("run `make gallery`")


def test_a_readme_without_a_place_for_it_is_left_alone(written: Plan) -> None:
    Path("README.md").write_text("# A project\n", encoding="utf-8")
    PICTURE.unlink()
    with pytest.raises(UserError, match=r"^README\.md: needs the lines"):
        writing.write(written, Path())
    assert not PICTURE.exists()


def test_a_figure_of_another_run_is_refused(written: Plan) -> None:
    step = written.steps["plot"]["toy2026", "ends"]
    other = dataclasses.replace(step, specification={**step.specification, "identity": "other"})
    written.steps["plot"]["toy2026", "ends"] = other
    with pytest.raises(UserError, match=r"^figures/toy2026/ends\.png: made from another code"):
        writing.write(written, Path())


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"commit": 1}'])
def test_a_damaged_record_is_named(written: Plan, text: str) -> None:
    RECORD.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"record\.json: no record of a gallery"):
        record.read(RECORD.parent)


def test_a_record_from_before_a_change_of_its_columns_is_named(written: Plan) -> None:
    found = json.loads(RECORD.read_text(encoding="utf-8"))
    del found["claims"][0]["origin"]
    RECORD.write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(UserError, match=r"record\.json: says other things of a claim than now"):
        writing.stale(written, Path())


def test_a_figure_that_the_paper_lacks_is_named(
    written: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    del written.steps["plot"]["toy2026", "ends"]
    with pytest.raises(UserError, match=r"toy2026\.gallery\.FIGURES: no figure 'ends'$"):
        record.identities(written)
