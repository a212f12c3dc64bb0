"""The chain as Snakemake runs it: every call of every stage, as plain data.

Planning imports every experiment and digests every module, and each start of Snakemake would do it
again, on a cluster even two a job. What comes out follows from the files of the package, the
configuration, the released stress run and the libraries alone, so it is kept in `.snakemake/` under
a digest of all these, and a start that finds it imports nothing else.
"""

import contextlib
import hashlib
import importlib.metadata
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from deeplimits import digest, released, seal
from deeplimits.errors import UserError
from deeplimits.files import write_whole

if TYPE_CHECKING:
    from deeplimits.plan import Plan

FOLDER = Path(".snakemake", "deeplimits")
KEPT = 20  # newest chains; full scale, smoke and sweeps take turns


class Call(NamedTuple):
    """One call of a stage: what Snakemake compares, what the stage reads, its files."""

    key: str
    specification: str
    inputs: list[str]
    outputs: list[str]


@dataclass(frozen=True)
class Chain:
    """What the rules need.

    `calls` is by stage and name, a name being paper, then experiment or figure, then job, with "/"
    between; `resources` by paper, experiment and resource, `other` those of every stage that
    simulates nothing; `captions` by paper and figure.
    """

    folders: dict[str, str]
    resources: dict[str, dict[str, dict[str, int]]]
    other: dict[str, int]
    captions: dict[str, dict[str, str]]
    calls: dict[str, dict[str, Call]]

    @classmethod
    def of(cls, plan: "Plan") -> "Chain":
        """The chain of a plan."""
        configuration = plan.configuration
        return cls(
            folders=configuration.top.folders.model_dump(),
            resources={
                paper: {name: one.resources.model_dump() for name, one in experiments.items()}
                for paper, experiments in configuration.experiments.items()
            },
            other=configuration.top.resources.other.model_dump(),
            captions={
                paper: {figure: text for (p, figure), text in plan.captions.items() if p == paper}
                for paper in configuration.experiments
            },
            calls={
                stage: {
                    "/".join(name): Call(step.key, step.text, list(step.inputs), list(step.outputs))
                    for name, step in steps.items()
                }
                for stage, steps in plan.steps.items()
            },
        )

    @property
    def papers(self) -> list[str]:
        """The configured papers."""
        return list(self.resources)

    def call(self, stage: str, *name: str) -> Call:
        """The call of a stage by name."""
        return self.calls[stage]["/".join(name)]

    def names(self, stage: str) -> list[str]:
        """The distinct names of what a stage makes for papers, for constraining wildcards."""
        return sorted({name.split("/")[1] for name in self.calls[stage]})

    def targets(self, paper: str) -> list[str]:
        """Everything that is made for one paper: tables, figures and claims."""
        return [
            output
            for stage in ("aggregate", "estimate", "plot", "typeset", "judge")
            for name, call in self.calls[stage].items()
            if name.split("/")[0] == paper
            for output in call.outputs
        ]


def kept(merged: Mapping[str, Any], files: Iterable[str], make: Callable[[], Chain]) -> Chain:
    """The chain of a configuration (`merged`, read from `files`), made where none is kept."""
    try:
        path = FOLDER / f"{_origin(merged, files)}.json"
    except (ValueError, RecursionError):  # a number of too many digits, a list without end
        return make()  # says so
    chain = _read(path)
    if chain is None:
        chain = make()
        # Only time is lost where nothing can be written.
        with contextlib.suppress(UserError, OSError):
            _write(path, chain)
    return chain


def _origin(merged: Mapping[str, Any], files: Iterable[str]) -> str:
    """Digest of all that a chain follows from."""
    versions = (sys.version, importlib.metadata.version("pydantic"))
    found = hashlib.blake2b(repr((versions, merged, _obstacles(merged))).encode(), digest_size=16)
    sources = _sources(digest.SOURCE / digest.PACKAGE)
    for path in (*map(Path, files), *released.stress_files(released.FOLDER), *sources):
        content = path.read_bytes()
        found.update(f"{path}\0{len(content)}\0".encode())
        found.update(content)
    return found.hexdigest()


def _sources(folder: Path) -> list[Path]:
    return sorted(
        Path(parent, name)
        for parent, _, names in os.walk(folder, followlinks=True)
        if Path(parent).name != "__pycache__"
        for name in names
    )


def _obstacles(merged: Mapping[str, Any]) -> list[str]:
    """What stands where an output folder has to be made: the configuration is refused for it."""
    folders = merged.get("folders")
    found = folders.values() if isinstance(folders, Mapping) else ()
    names = [name for name in found if isinstance(name, str)]
    paths = [path for name in names for path in (Path(name), *Path(name).parents)]
    return [str(path) for path in paths if os.path.lexists(path) and not os.path.isdir(path)]


def _read(path: Path) -> Chain | None:
    """The kept chain, or None where there is none or it is damaged."""
    try:
        expected, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if seal.digest(content) != expected:
        return None
    data = json.loads(content)
    calls = {
        stage: {name: Call(*call) for name, call in named.items()}
        for stage, named in data.pop("calls").items()
    }
    return Chain(**data, calls=calls)


def _write(path: Path, chain: Chain) -> None:
    content = json.dumps(vars(chain)).encode()
    write_whole(path, seal.digest(content) + b"\n" + content)
    newest = sorted(FOLDER.glob("*.json"), key=lambda old: old.stat().st_mtime, reverse=True)
    for old in newest[KEPT:]:
        old.unlink(missing_ok=True)
