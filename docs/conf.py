"""Sphinx: the pages of this folder as a site; `make docs` builds it, any warning being an error."""

import re
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src"
sys.path.insert(0, str(SOURCE))

import deeplimits  # noqa: E402

project = "deeplimits"
author = "The deeplimits developers"
copyright = author
release = version = deeplimits.__version__

extensions = ["myst_parser", "sphinx.ext.apidoc", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"deeplimits {release}"
html_copy_source = False

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

# One page a module, written by each build into a folder that git ignores. Left out are the rooms
# with one module an experiment, figure or claim: nobody imports them, columns.md has their tables.
ROOMS = ("experiments", "estimates", "figures", "typeset", "verdicts")
apidoc_modules = [
    {
        "path": str(SOURCE / "deeplimits"),
        "destination": "api",
        "separate_modules": True,
        "module_first": True,
        "automodule_options": {"members", "show-inheritance", "ignore-module-all"},
        "exclude_patterns": [
            str(SOURCE / "deeplimits" / "__main__.py"),
            *(str(path) for room in ROOMS for path in SOURCE.glob(f"deeplimits/*/{room}")),
        ],
    }
]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
napoleon_google_docstring = False
napoleon_use_ivar = True  # a dataclass's fields are documented once
default_role = "code"

_CODE = re.compile(r"(`+[^`]*`+)")


def plain(app, what, name, obj, options, lines) -> None:
    """Take what is no code in a docstring as plain text: |x|, x* and x_ are mathematics there."""
    for index, line in enumerate(lines):
        parts = _CODE.split(line)
        parts[::2] = [re.sub(r"([*|]|(?<=\w)_(?!\w))", r"\\\1", part) for part in parts[::2]]
        lines[index] = "".join(parts)


def setup(app) -> None:
    """Let `plain` run before napoleon, which brings markup of its own."""
    app.connect("autodoc-process-docstring", plain, priority=400)
