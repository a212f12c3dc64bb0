"""What an archive takes from `CITATION.cff`."""

from pathlib import Path
from typing import NamedTuple

import yaml

from deeplimits.errors import UserError

PATH = Path("CITATION.cff")


class Citation(NamedTuple):
    """How the archive is called, by whom it is, and the titles of the papers by address."""

    title: str
    abstract: str
    licence: str
    keywords: list[str]
    author: str
    papers: dict[str, str]


def read() -> Citation:
    """The citation in the working folder.

    Raises
    ------
    UserError
        if there is none, or it lacks what is needed.
    """
    try:
        found = yaml.safe_load(PATH.read_text(encoding="utf-8"))
        (author,) = found["authors"]
        return Citation(
            found["title"],
            found["abstract"],
            found["license"],
            found["keywords"],
            author["name"],
            {paper["url"]: paper["title"] for paper in found["references"]},
        )
    except OSError as error:
        raise UserError(f"{PATH}: can't be read ({error.strerror}); take it from git") from error
    except (yaml.YAMLError, KeyError, ValueError, TypeError) as error:
        raise UserError(f"{PATH}: lacks what an archive takes from it: {error!r}") from error
