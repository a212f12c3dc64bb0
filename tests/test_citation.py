"""The files that others cite, index and archive the project by: valid, and of one mind."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest
import yaml

import deeplimits
from deeplimits import registry

ROOT = Path(__file__).parents[1]
SCHEMA = json.loads((ROOT / "tests" / "schemas" / "cff-1.2.0.json").read_text(encoding="utf-8"))


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


CITATION = yaml.safe_load(text("CITATION.cff"))
CODEMETA = json.loads(text("codemeta.json"))
ZENODO = json.loads(text(".zenodo.json"))
BIBTEX = text("src/deeplimits/report/references.bib")
README = text("README.md")


class Paper(NamedTuple):
    title: str
    authors: list[str]
    arxiv: str


def entries(bibtex: str) -> dict[str, dict[str, str]]:
    """{key: {field: value}} of entries written one field a line, accents as letters."""
    for accent, letter in ((r"{\'\i}", "í"), (r"{\`e}", "è")):
        bibtex = bibtex.replace(accent, letter)
    assert "\\" not in bibtex
    found = re.findall(r"^@misc\{(\w+),\n((?:  .*\n)+)\}$", bibtex, re.MULTILINE)
    assert len(found) == bibtex.count("@")
    return {
        key: dict(re.findall(r"^  (\w+) = \{?(.*?)\}?,$", fields, re.MULTILINE))
        for key, fields in found
    }


def papers(bibtex: str) -> dict[str, Paper]:
    """The entries that have an arXiv number."""
    return {
        key: Paper(
            entry["title"],
            [name.strip("{}") for name in entry["author"].split(" and ")],
            f"arXiv:{entry['eprint']}",
        )
        for key, entry in entries(bibtex).items()
        if entry.get("archiveprefix") == "arXiv"
    }


PAPERS = papers(BIBTEX)


def problems(citation: dict[str, Any]) -> list[str]:
    found = jsonschema.Draft7Validator(SCHEMA).iter_errors(citation)
    return [error.message for error in found]


class TestCitation:
    def test_is_valid(self) -> None:
        assert problems(CITATION) == []

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"licence": "MIT"}, "'licence' was unexpected"),
            ({"license": "Mit"}, "'Mit' is not valid under any of the given schemas"),
            ({"authors": []}, "[] should be non-empty"),
            ({"references": [{"type": "article", "title": "x"}]}, "'authors' is a required"),
        ],
    )
    def test_the_schema_refuses_what_is_wrong(self, change: dict[str, Any], message: str) -> None:
        found = problems(CITATION | change)
        assert any(message in problem for problem in found), found

    def test_names_the_papers(self) -> None:
        found = [
            Paper(
                reference["title"],
                [author["family-names"] for author in reference["authors"]],
                reference["identifiers"][0]["value"],
            )
            for reference in CITATION["references"]
        ]
        assert found == list(PAPERS.values())
        for reference, paper in zip(CITATION["references"], PAPERS.values(), strict=True):
            assert reference["url"] == address(paper)


def address(paper: Paper) -> str:
    return f"https://arxiv.org/abs/{paper.arxiv.removeprefix('arXiv:')}"


class TestCodemeta:
    def test_is_software_by_the_terms_of_codemeta(self) -> None:
        assert CODEMETA["@context"] == "https://w3id.org/codemeta/3.0"
        assert CODEMETA["@type"] == "SoftwareSourceCode"
        terms = {
            *("name", "description", "version", "license", "author", "keywords", "readme"),
            *("programmingLanguage", "runtimePlatform", "softwareRequirements"),
            *("buildInstructions", "developmentStatus", "referencePublication"),
        }
        assert set(CODEMETA) - {"@context", "@type"} == terms
        assert CODEMETA["author"] == [
            {"@type": "Organization", "name": CITATION["authors"][0]["name"]}
        ]

    def test_says_what_the_other_files_say(self) -> None:
        assert CODEMETA["license"] == f"https://spdx.org/licenses/{CITATION['license']}"
        assert CODEMETA["description"] == CITATION["abstract"]
        assert CODEMETA["keywords"] == CITATION["keywords"]
        assert [
            (publication["name"], publication["@id"])
            for publication in CODEMETA["referencePublication"]
        ] == [(paper.title, address(paper)) for paper in PAPERS.values()]

    def test_the_files_that_it_names_are_there(self) -> None:
        for term in ("readme", "buildInstructions", "softwareRequirements"):
            assert (ROOT / CODEMETA[term]).is_file()


class TestZenodo:
    def test_has_what_a_deposit_needs_in_zenodos_words(self) -> None:
        needed = {"upload_type", "title", "description", "creators", "access_right", "license"}
        assert set(ZENODO) == needed | {"version", "language", "keywords", "related_identifiers"}
        assert ZENODO["upload_type"] == "software"
        assert ZENODO["access_right"] == "open"
        for related in ZENODO["related_identifiers"]:
            assert related["relation"] == "references"
            assert related["resource_type"] == "publication-preprint"

    def test_says_what_the_other_files_say(self) -> None:
        assert ZENODO["title"] == CITATION["title"]
        assert ZENODO["description"] == CITATION["abstract"]
        assert ZENODO["keywords"] == CITATION["keywords"]
        assert ZENODO["license"] == CITATION["license"]
        assert ZENODO["creators"] == CITATION["authors"]
        found = [related["identifier"] for related in ZENODO["related_identifiers"]]
        assert found == [paper.arxiv for paper in PAPERS.values()]


class TestBibtex:
    def test_has_the_artifact_and_every_paper(self) -> None:
        assert list(PAPERS) == registry.papers()
        assert list(entries(BIBTEX)) == ["deeplimits", *PAPERS]

    def test_the_artifact_is_the_one_of_the_citation_file(self) -> None:
        artifact = entries(BIBTEX)["deeplimits"]
        assert artifact["title"] == CITATION["title"]
        assert artifact["author"].strip("{}") == CITATION["authors"][0]["name"]

    def test_the_readme_shows_all_of_it(self) -> None:
        (shown,) = re.findall(r"^```bibtex\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
        assert shown == BIBTEX

    @pytest.mark.parametrize("key", PAPERS)
    def test_the_table_of_the_readme_says_the_same(self, key: str) -> None:
        paper = PAPERS[key]
        head = f"| `{key}` | {', '.join(paper.authors)}: *{paper.title}*, "
        assert head + paper.arxiv.replace(":", " ") in README


# Where the version stands: the first place is the one to edit, the others repeat it.
VERSIONS = {
    "src/deeplimits/__init__.py": r'^__version__ = "(.+)"$',
    "CITATION.cff": r"^version: (.+)$",
    "codemeta.json": r'^  "version": "(.+)",$',
    ".zenodo.json": r'^  "version": "(.+)",$',
    "src/deeplimits/report/references.bib": r"Software, version (.+)\}",
    "README.md": r"Software, version (.+)\}",
}


class TestVersion:
    @pytest.mark.parametrize("name", VERSIONS)
    def test_is_that_of_the_package(self, name: str) -> None:
        found = re.findall(VERSIONS[name], text(name), re.MULTILINE)
        assert found == [deeplimits.__version__]

    def test_stands_in_no_other_file(self) -> None:
        """The changelog keeps all versions, the lock those of others."""
        candidates = [
            path
            for pattern in (
                "*",
                "docs/*",
                "src/**/*.py",
                "src/**/*.bib",
                "workflow/**/*",
                ".github/**/*",
            )
            for path in ROOT.glob(pattern)
            if path.is_file() and path.name not in ("CHANGELOG.md", "requirements.lock")
        ]
        number = re.compile(rf"(?<![\d.]){re.escape(deeplimits.__version__)}(?![\d.]*\d)")
        holders = {
            str(path.relative_to(ROOT))
            for path in candidates
            if number.search(path.read_text(encoding="utf-8", errors="replace"))
        }
        assert holders == set(VERSIONS)
