"""A headless Chromium looks at a page: what it shows, asks for and says, and to whom.

The browser is the system's; the Python packages that drive it are in the lock.
"""

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVERS = ("playwright", "axe_playwright_python")
needed = pytest.mark.skipif(
    CHROMIUM is None or not all(map(importlib.util.find_spec, DRIVERS)),
    reason="no chromium on the PATH (on Debian: apt install chromium), or the dev packages "
    "playwright and axe-playwright-python are not installed",
)

_BROKEN = """() => [...document.images]
    .filter((image) => !(image.complete && image.naturalWidth > 0 && image.alt.trim()))
    .map((image) => image.alt)"""
_DANGLING = """() => [...document.querySelectorAll("a[href^='#']")]
    .map((link) => link.getAttribute("href").slice(1))
    .filter((name) => !document.getElementById(name))"""
_LEVELS = """() => [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
    .map((heading) => Number(heading.tagName[1]))"""
_FILES = """() => [...document.querySelectorAll("a[href]")]
    .map((link) => link.href).filter((link) => link.startsWith("file:") && !link.includes("#"))"""
_ALL_IMAGES = "for (const image of document.images) image.loading = 'eager';"


@dataclass
class Visit:
    """A page in the browser, with all that it asked for, its errors and what else it said."""

    tab: Any
    requests: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def hear(self, message: Any) -> None:
        """Note what the page writes to the console."""
        (self.errors if message.type == "error" else self.remarks).append(message.text)

    def load_images(self) -> None:
        """Load also those images that wait to be scrolled to."""
        self.tab.evaluate(_ALL_IMAGES)
        self.tab.wait_for_function("[...document.images].every((image) => image.complete)")

    def broken_images(self) -> list[str]:
        """Alternative texts of the images that are not shown, "" for one that has none."""
        return self.tab.evaluate(_BROKEN)

    def dangling_links(self) -> list[str]:
        """Names of places in the page that links name and that are not there."""
        return self.tab.evaluate(_DANGLING)

    def files(self) -> list[Path]:
        """The files that the page links to."""
        return [Path(unquote(urlparse(link).path)) for link in self.tab.evaluate(_FILES)]

    def heading_levels(self) -> list[int]:
        return self.tab.evaluate(_LEVELS)

    def violations(self) -> list[str]:
        """What axe-core finds, as rule, impact and the first place."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.tab).response["violations"]
        return [f"{one['id']} ({one['impact']}): {one['nodes'][0]['html']}" for one in found]


@contextmanager
def visit(path: Path, **options: Any) -> Iterator[Visit]:
    """Open a file in a new browser; `options` are those of a tab, such as its viewport."""
    from playwright.sync_api import sync_playwright

    # A container has no user namespace for Chromium's sandbox; the page is our own.
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            tab = browser.new_page(**options)
            found = Visit(tab)
            tab.on("request", lambda request: found.requests.append(request.url))
            tab.on("console", found.hear)
            tab.on("pageerror", lambda error: found.errors.append(str(error)))
            tab.goto(path.as_uri())
            yield found
        finally:
            browser.close()
