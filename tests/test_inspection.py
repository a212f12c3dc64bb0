"""`show`: the record that rides along with tables and figures."""

import json
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfWriter

from deeplimits import inspection, plotstyle, tables
from deeplimits.errors import UserError
from deeplimits.schema import Column

RECORD = {"identity": "abc", "seed": 5, "note": "λ"}
CAPTION = "A caption with λ₁ (our choice)."


def figure(path: Path) -> Path:
    with plotstyle.context():
        drawn, _ = plotstyle.subplots(1, 1, width=plotstyle.COLUMN, height=2.0)
        content = plotstyle.render(
            drawn,
            path.suffix[1:],
            title="toy2026 ends",
            description=CAPTION,
            record=json.dumps(RECORD),
        )
    path.write_bytes(content)
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    columns = (Column("d", "int64", "1", "a size"), Column("t", "float64", "s", "a time"))
    built = tables.build(columns, {"d": [1, 2], "t": [0.5, 1.5]}, ("d",), "")
    tables.write(tmp_path / "table.parquet", built, RECORD)
    return tmp_path / "table.parquet"


def test_a_table_shows_its_record_and_columns(table: Path) -> None:
    record, _, columns = inspection.describe(table).partition("\n\n")
    assert json.loads(record).items() >= RECORD.items()
    assert {"versions", "commit"} <= set(json.loads(record))
    assert columns == "2 rows\n  d (int64): a size\n  t (double) [s]: a time"


@pytest.mark.parametrize("form", ["png", "pdf"])
def test_a_figure_shows_its_title_caption_and_record(tmp_path: Path, form: str) -> None:
    title, caption, record = inspection.describe(figure(tmp_path / f"f.{form}")).split("\n\n")
    assert (title, caption) == ("toy2026 ends", CAPTION)
    assert json.loads(record) == RECORD


@pytest.mark.parametrize("share", [0.0, 0.5])
@pytest.mark.parametrize("form", ["png", "pdf", "parquet"])
def test_a_damaged_file_is_named(tmp_path: Path, table: Path, form: str, share: float) -> None:
    path = table if form == "parquet" else figure(tmp_path / f"f.{form}")
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(UserError, match=rf"{path.name}: .*delete it and run again"):
        inspection.describe(path)


def test_figures_of_other_programs_are_named(tmp_path: Path) -> None:
    Image.new("RGB", (2, 2)).save(tmp_path / "f.png")
    writer = PdfWriter()
    writer.add_blank_page(10, 10)
    writer.write(tmp_path / "f.pdf")
    for path in (tmp_path / "f.png", tmp_path / "f.pdf"):
        with pytest.raises(UserError, match=rf"{path.name}: damaged, or not made by deeplimits"):
            inspection.describe(path)


def test_a_picture_of_another_form_under_the_name_of_a_png_is_named(tmp_path: Path) -> None:
    Image.new("RGB", (2, 2)).save(tmp_path / "f.png", format="BMP")
    with pytest.raises(UserError, match=r"f\.png: "):
        inspection.describe(tmp_path / "f.png")


def test_a_figure_whose_record_is_not_ours_is_named(tmp_path: Path) -> None:
    for form, other in (("png", "pdf"), ("pdf", "png")):
        (tmp_path / f"f.{form}").write_bytes(figure(tmp_path / f"g.{other}").read_bytes())
        with pytest.raises(UserError, match=rf"f\.{form}: carries no record of deeplimits"):
            inspection.describe(tmp_path / f"f.{form}")
    with plotstyle.context():
        drawn, _ = plotstyle.subplots(1, 1, width=plotstyle.COLUMN, height=2.0)
        content = plotstyle.render(drawn, "pdf", title="", description="", record="mine")
    (tmp_path / "f.pdf").write_bytes(content)
    with pytest.raises(UserError, match=r"f\.pdf: carries no record of deeplimits"):
        inspection.describe(tmp_path / "f.pdf")


@pytest.mark.parametrize("name", ["gone.parquet", "gone.png", "gone.pdf"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match=rf"{name}: no such"):
        inspection.describe(tmp_path / name)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"f\.csv: only \.parquet, \.png, \.pdf files carry"):
        inspection.describe(tmp_path / "f.csv")
