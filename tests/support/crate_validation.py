"""Validation of RO-Crates by `roc-validator`, without a network.

    python crate_validation.py ARCHIVE …

prints a JSON list for each archive: severity, check and message of everything that is amiss. A
process of its own, because the validator changes rdflib for good. It resolves contexts through a
cache of web pages only; the one context that our crates name is put there from `tests/schemas`.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

PROFILE = "workflow-run-crate-0.5"
CONTEXT = "https://w3id.org/ro/crate/1.1/context"
COPY = Path(__file__).parents[1] / "schemas" / "ro-crate-1.1-context.jsonld"

Issue = tuple[str, str, str]


def issues(*archives: Path) -> list[list[Issue]]:
    """What is amiss with each archive, as (severity, check, message)."""
    run = subprocess.run(
        [sys.executable, __file__, *archives], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return [[tuple(issue) for issue in found] for found in json.loads(run.stdout)]


def _fill(cache: Path) -> None:
    from requests import PreparedRequest, Response
    from requests.adapters import HTTPAdapter
    from requests_cache import CachedSession
    from urllib3 import HTTPResponse

    class Copy(HTTPAdapter):
        """Answers with the copy."""

        def send(self, request: PreparedRequest, **options: object) -> Response:
            headers = {"Content-Type": "application/ld+json"}
            return self.build_response(
                request,
                HTTPResponse(COPY.open("rb"), headers, 200, preload_content=False),
            )

    with CachedSession(str(cache), backend="sqlite", expire_after=-1) as session:
        session.mount(CONTEXT, Copy())
        session.get(CONTEXT).raise_for_status()


def _validate(archive: str, cache: Path) -> list[Issue]:
    from rocrate_validator import services
    from rocrate_validator.models import Severity, ValidationSettings

    settings = ValidationSettings(
        rocrate_uri=archive,
        profile_identifier=PROFILE,
        requirement_severity=Severity.RECOMMENDED,
        offline=True,
        cache_path=cache,
    )
    found = services.validate(settings).get_issues()
    return [(issue.severity.name, issue.check.identifier, issue.message) for issue in found]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        _fill(cache)
        print(json.dumps([_validate(archive, cache) for archive in sys.argv[1:]]))
