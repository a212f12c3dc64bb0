"""The description of an archive for machines, by the terms of Workflow Run RO-Crate 0.5.

The main workflow is the Snakefile; one action, the run, made every table, figure and verdict from
`config.yaml` and the overlays. A reader of the file needs the JSON-LD context of RO-Crate 1.1, of
which a copy is in `tests/schemas`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from deeplimits import __version__
from deeplimits.archive.citation import Citation
from deeplimits.archive.names import CRATE, FOLDERS, described
from deeplimits.archive.records import Record
from deeplimits.archive.source import Source
from deeplimits.plan import Plan

_CONTEXT = "https://w3id.org/ro/crate/1.1/context"
_SPECIFICATION = "https://w3id.org/ro/crate/1.1"
_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": ("Workflow RO-Crate", "1.0"),
}
_WORKFLOW_PROFILE = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"
_LANGUAGE = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"
_DEVELOPERS = "#developers"
_RUN = "#run"
_WORKFLOW = "Snakefile"
_CONFIGURATION = "config.yaml"
_INTERMEDIATE = ("grid", "simulate")
_FORMATS = {
    **{"": "text/plain", ".cff": "application/yaml", ".csv": "text/csv", ".html": "text/html"},
    **{".json": "application/json", ".lock": "text/plain", ".md": "text/markdown"},
    **{".parquet": "application/vnd.apache.parquet", ".pdf": "application/pdf"},
    **{".png": "image/png", ".sha256": "text/plain", ".tex": "application/x-tex"},
    **{".toml": "application/toml", ".yaml": "application/yaml", ".yml": "application/yaml"},
}
_OTHER_FORMAT = "application/octet-stream"

Entity = dict[str, Any]


def text(
    plan: Plan,
    citation: Citation,
    source: Source,
    records: Mapping[str, Record],
    configfiles: Sequence[Path],
    names: Sequence[str],
) -> str:
    """The content of `ro-crate-metadata.json` for an archive with files of these names."""
    results = _results(plan)
    configuration = [_CONFIGURATION, *(path.as_posix() for path in configfiles)]
    listed = [name for name in sorted(names) if "/" not in name and name != CRATE]
    files = [*listed, *(name for name in configuration if name not in listed), *results]
    folders = described(names)
    parts = [*files, *(f"{folder}/" for folder in folders)]
    entities = [
        _descriptor(),
        _root(citation, source.date, parts),
        *_context_entities(citation),
        _workflow(citation, source.commit),
        _run(records, configuration, list(results)),
        *(_file(name, results.get(name)) for name in files if name != _WORKFLOW),
        *(_folder(folder) for folder in folders),
    ]
    return (
        json.dumps({"@context": _CONTEXT, "@graph": entities}, indent=1, ensure_ascii=False) + "\n"
    )


def _results(plan: Plan) -> dict[str, str | None]:
    """The files that the run was made for, each with its caption, if it has one."""
    return {
        output: plan.captions.get(name) if stage == "plot" else None
        for stage, steps in plan.steps.items()
        if stage not in _INTERMEDIATE
        for name, step in steps.items()
        for output in step.outputs
    }


def _descriptor() -> Entity:
    return {
        "@id": CRATE,
        "@type": "CreativeWork",
        "about": _reference("./"),
        "conformsTo": _references([_SPECIFICATION, list(_PROFILES)[-1]]),
    }


def _root(citation: Citation, date: datetime, parts: list[str]) -> Entity:
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": citation.title,
        "description": citation.abstract,
        "keywords": ", ".join(citation.keywords),
        "version": __version__,
        "datePublished": date.isoformat(),
        "license": _reference(_licence(citation)),
        "author": _reference(_DEVELOPERS),
        "publisher": _reference(_DEVELOPERS),
        "conformsTo": _references(_PROFILES),
        "citation": _references(citation.papers),
        "mainEntity": _reference(_WORKFLOW),
        "mentions": _reference(_RUN),
        "hasPart": _references(parts),
    }


def _context_entities(citation: Citation) -> list[Entity]:
    """What is no part of the archive and is referred to."""
    profiles = [
        {"@id": address, "@type": "CreativeWork", "name": name, "version": version}
        for address, (name, version) in _PROFILES.items()
    ]
    articles = [
        {"@id": address, "@type": "ScholarlyArticle", "name": title}
        for address, title in citation.papers.items()
    ]
    licence = {
        "@id": _licence(citation),
        "@type": "CreativeWork",
        "name": citation.licence,
        "description": "with the exceptions that NOTICE names",
    }
    developers = {"@id": _DEVELOPERS, "@type": "Organization", "name": citation.author}
    language = {
        "@id": _LANGUAGE,
        "@type": "ComputerLanguage",
        "name": "Snakemake",
        "identifier": _reference("https://doi.org/10.1093/bioinformatics/bts480"),
        "url": _reference("https://snakemake.readthedocs.io"),
    }
    return [*profiles, *articles, licence, developers, language]


def _licence(citation: Citation) -> str:
    return f"https://spdx.org/licenses/{citation.licence}"


def _workflow(citation: Citation, commit: str) -> Entity:
    return {
        "@id": _WORKFLOW,
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        "name": f"deeplimits {__version__}",
        "description": "From config.yaml to tables, figures and verdicts on the papers' claims",
        "version": f"{__version__}+{commit}",
        "author": _reference(_DEVELOPERS),
        "license": _reference(_licence(citation)),
        "programmingLanguage": _reference(_LANGUAGE),
        "softwareRequirements": _reference("requirements.lock"),
        "conformsTo": _reference(_WORKFLOW_PROFILE),
        "encodingFormat": _FORMATS[""],
    }


def _run(records: Mapping[str, Record], configuration: list[str], results: list[str]) -> Entity:
    return {
        "@id": _RUN,
        "@type": "CreateAction",
        "name": "The run that made the results",
        "description": f"{len(records)} files made by Snakemake. The times are the start of the "
        "first job and the end of the last; between them there may be several calls.",
        "instrument": _reference(_WORKFLOW),
        "agent": _reference(_DEVELOPERS),
        "object": _references(configuration),
        "result": _references(results),
        "startTime": _seconds(min(record.start for record in records.values())),
        "endTime": _seconds(max(record.end for record in records.values())),
        "actionStatus": "http://schema.org/CompletedActionStatus",
    }


def _file(name: str, caption: str | None) -> Entity:
    found = {
        "@id": name,
        "@type": "File",
        "name": name,
        "encodingFormat": _FORMATS.get(PurePosixPath(name).suffix, _OTHER_FORMAT),
    }
    if caption is not None:
        found["description"] = caption
    if name == "README.md":
        found["about"] = _reference("./")
    return found


def _folder(name: str) -> Entity:
    return {"@id": f"{name}/", "@type": "Dataset", "name": name, "description": FOLDERS[name]}


def _reference(name: str) -> Entity:
    return {"@id": name}


def _references(names: Iterable[str]) -> Entity | list[Entity]:
    """References; one alone is no list in RO-Crate."""
    found = [_reference(name) for name in names]
    return found[0] if len(found) == 1 else found


def _seconds(time: datetime) -> str:
    return time.isoformat(timespec="seconds")
