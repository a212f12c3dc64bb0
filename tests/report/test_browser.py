"""The report in a real browser: shown whole, silent, offline, accessible, its plots answering."""

from itertools import pairwise
from pathlib import Path

import pytest

import browser
from toy_project import Project

pytestmark = [pytest.mark.chain, browser.needed]

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def report(finished: Project) -> Path:
    return finished.path("results/report.html")


def test_all_is_shown_and_nothing_is_asked_for(report: Path) -> None:
    with browser.visit(report, viewport=DESKTOP) as visit:
        visit.load_images()
        assert visit.tab.evaluate("document.images.length") == 2
        assert visit.broken_images() == []
        assert visit.dangling_links() == []
        assert visit.files()
        assert [path for path in visit.files() if not path.is_file()] == []
        assert [url for url in visit.requests if not url.startswith("data:")] == [report.as_uri()]
        assert visit.errors + visit.remarks == []


def test_headings_are_in_order(report: Path) -> None:
    with browser.visit(report) as visit:
        levels = visit.heading_levels()
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(report: Path, scheme: str) -> None:
    with browser.visit(report, viewport=DESKTOP, color_scheme=scheme) as visit:
        assert visit.violations() == []


def test_a_phone_shows_it_without_scrolling_sideways(report: Path) -> None:
    with browser.visit(report, viewport=PHONE) as visit:
        assert visit.tab.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        assert visit.violations() == []


def test_the_keyboard_reaches_the_content_and_the_plots(report: Path) -> None:
    with browser.visit(report, viewport=DESKTOP) as visit:
        tab = visit.tab
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.className") == "skip"
        tab.keyboard.press("Enter")
        assert tab.evaluate("document.activeElement.id") == "main"
        reached = []
        for _ in range(200):
            tab.keyboard.press("Tab")
            reached.append(tab.evaluate("document.activeElement.outerHTML.slice(0, 18)"))
            if reached[-1] == '<svg class="chart"':
                break
        assert reached[-1] == '<svg class="chart"'
        readout = tab.locator(".readout").first
        tab.keyboard.press("ArrowRight")
        first = readout.inner_text()
        tab.keyboard.press("ArrowRight")
        assert first.startswith("drift 0.5: end ")
        assert readout.inner_text().startswith("drift 1: end ")
        tab.keyboard.press("ArrowRight")  # there is none further right
        assert readout.inner_text().startswith("drift 1: end ")


def test_the_mouse_asks_the_mark_it_is_on(report: Path) -> None:
    with browser.visit(report, viewport=DESKTOP) as visit:
        panel = visit.tab.locator(".panel").nth(1)
        panel.locator("rect.mark").nth(1).hover()
        assert panel.locator(".readout").inner_text() == "right & half"
        panel.locator("rect.mark").nth(0).hover()
        assert panel.locator(".readout").inner_text() == "left <half>"
        assert panel.locator(".on").count() == 1


def test_without_scripts_figures_and_plots_stay(report: Path) -> None:
    with browser.visit(report, java_script_enabled=False) as visit:
        assert visit.tab.locator("figure img").count() == 2
        assert visit.tab.locator("svg.chart").count() == 2
        assert visit.tab.locator("rect.mark").first.is_visible()
        assert visit.tab.locator(".readout").first.inner_text() == ""


def test_on_paper_the_figures_are_printed_without_the_plots(report: Path, tmp_path: Path) -> None:
    with browser.visit(report) as visit:
        visit.tab.emulate_media(media="print")
        assert visit.tab.locator("figure img").first.is_visible()
        assert not visit.tab.locator(".interactive").first.is_visible()
        assert not visit.tab.locator("nav").is_visible()
        assert visit.tab.locator("details .parameters").first.is_visible()


def test_snakemakes_own_report_shows_figures_and_captions(project: Project) -> None:
    project.snakemake("--report", "report.html")
    path = project.path("report.html")
    with browser.visit(path, viewport=DESKTOP) as visit:
        tab = visit.tab
        for entry in ("Results", "toy2026"):
            tab.get_by_text(entry, exact=True).click()
        row = tab.locator("tr").filter(has_text="ends")
        row.locator("[iconname=eye]").click()
        shown = (
            "[...document.images].some(({src, naturalWidth}) => /png/.test(src) && naturalWidth)"
        )
        tab.wait_for_function(shown)
        row.locator("[iconname=information-circle]").click()
        tab.get_by_text("Ends of the walks (ours).", exact=True).wait_for()
        assert [url for url in visit.requests if not url.startswith("data:")] == [path.as_uri()]
        assert visit.errors == []
