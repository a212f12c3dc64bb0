"""Building: everything that an archive holds, gathered from a finished run."""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deeplimits import __version__, benchmarks, checking, digest
from deeplimits.archive import citation, crate, explanation, packing, records, source
from deeplimits.archive.names import ARCHIVE, CHECKSUMS, CRATE, INCOMPLETE, described
from deeplimits.errors import UserError
from deeplimits.files import write_whole
from deeplimits.plan import Plan

DEFAULT = Path(f"deeplimits-{__version__}.zip")


@dataclass(frozen=True)
class Archive:
    """Number of files, bytes of the zip, and its SHA-256."""

    files: int
    size: int
    digest: str


def write(path: Path, plan: Plan, configfiles: Sequence[Path]) -> Archive:
    """Write the archive of the finished run of a plan, which `configfiles` overlay.

    Raises
    ------
    UserError
        if the run is not finished, a file is damaged, or the source is not that of one commit.
    """
    _refuse_other_package()
    made = [*plan.outputs(), *_benchmarks(plan)]
    origin = source.read(made)
    for overlay in configfiles:
        if overlay.as_posix() not in origin.files:
            raise UserError(f"{overlay}: not part of commit {origin.commit[:12]}; commit it")
    records.refuse_unfinished(configfiles)
    _refuse_damaged(plan)
    kept = records.read(plan)
    stored = sorted({*origin.files, *made, *(one.path.as_posix() for one in kept.values())})
    contents = {name: _content(name) for name in stored}
    records.refuse_other_inputs(plan, kept, _digests(contents))

    cited = citation.read()
    names = [*contents, ARCHIVE, CHECKSUMS, CRATE]
    contents[ARCHIVE] = explanation.text(cited, origin, names, plan.outputs()).encode()
    contents[CRATE] = crate.text(plan, cited, origin, kept, configfiles, names).encode()
    contents[CHECKSUMS] = _checksums(_digests(contents))
    # Snakemake says that it mends something where the second is missing.
    folders = [*described(names), INCOMPLETE]
    content = packing.pack(contents, folders, filter(_is_program, stored), origin.date)
    write_whole(path, content)
    return Archive(len(contents), len(content), hashlib.sha256(content).hexdigest())


def _refuse_other_package() -> None:
    if Path("src").resolve() != digest.SOURCE:
        raise UserError(
            f"the package that runs is not that of this folder but of {digest.SOURCE.parent}; "
            "work there, or run make env here"
        )


def _benchmarks(plan: Plan) -> Iterator[str]:
    """The benchmark files that are there; Snakemake makes no output again for want of one."""
    results = Path(plan.configuration.top.folders.results)
    for stage, steps in plan.steps.items():
        for name in steps:
            if (path := benchmarks.place(results, stage, name)).is_file():
                yield path.as_posix()


def _refuse_damaged(plan: Plan) -> None:
    report = checking.check(plan)
    if report.problems:
        more = len(report.problems) - 1
        others = f" ({more} more: see deeplimits check)" if more else ""
        raise UserError(f"{report.problems[0]}{others}")


def _content(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise UserError(f"{name}: can't be read ({error.strerror})") from error


def _digests(contents: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}


def _checksums(digests: Mapping[str, str]) -> bytes:
    """As `sha256sum --check` reads them."""
    return "".join(f"{digests[name]}  {name}\n" for name in sorted(digests)).encode()


def _is_program(name: str) -> bool:
    return os.access(name, os.X_OK)
