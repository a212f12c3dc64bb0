"""The files that the toy project makes: who reads each, and how they are damaged."""

import io
from collections.abc import Mapping

import pyarrow.parquet as pq

from faults import Damage
from toy_project import Project
from toy_steps import job

RESULTS, FIGURES = "results/toy2026", "figures/toy2026"
_JOBS = [f"{RESULTS}/jobs/walks/{job(drift=drift).split()[-1]}.parquet" for drift in (0.5, 1.0)]
_WHOLE = job().split()[-1]

# file → the stage and the name of the step that reads it
READ: Mapping[str, tuple[str, ...]] = {
    f"{RESULTS}/grids/walks.parquet": ("aggregate", "toy2026", "walks"),
    _JOBS[0]: ("aggregate", "toy2026", "walks"),
    f"{RESULTS}/walks.parquet": ("estimate", "toy2026", "walks"),
    f"{RESULTS}/walks_estimates.parquet": ("plot", "toy2026", "ends"),
    f"{RESULTS}/powers.parquet": ("typeset", "toy2026", "powers"),
    f"{RESULTS}/claims.parquet": ("summarize",),
    "results/claims.parquet": ("report",),
    f"{FIGURES}/ends.png": ("report",),
}
# one of each kind that no stage reads, so that only the check can tell
UNREAD = (
    "results/claims.md",
    "results/report.html",
    f"{RESULTS}/powers.csv",
    f"{RESULTS}/powers.tex",
    f"{FIGURES}/ends.pdf",
)
ALL = (
    *READ,
    *UNREAD,
    _JOBS[1],
    f"{RESULTS}/grids/powers.parquet",
    f"{RESULTS}/jobs/powers/{_WHOLE}.parquet",
    "results/tiny2027/grids/squares.parquet",
    f"results/tiny2027/jobs/squares/{_WHOLE}.parquet",
    "results/tiny2027/squares.parquet",
    f"{FIGURES}/powers.pdf",
    f"{FIGURES}/powers.png",
)

_DAMAGED = "damaged, or not made by deeplimits; delete it and run again"

TABLES = (".parquet",)


def _flip(content: bytes, _: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def _drop_column(content: bytes, _: bytes) -> bytes:
    """As a program would that keeps the metadata it does not know."""
    table = pq.ParquetFile(io.BytesIO(content)).read()
    buffer = io.BytesIO()
    pq.write_table(table.drop_columns(table.schema.names[-1]), buffer)
    return buffer.getvalue()


_STRANGERS = (b"PAR1 of another program PAR1", b"%PDF-1.4 of another program\n%%EOF\n")


def _of_another_program(content: bytes, _: bytes) -> bytes:
    """A file that starts, at most, as ours does."""
    return next((other for other in _STRANGERS if other[:4] == content[:4]), b"another text\n")


DAMAGES = (
    Damage("truncated", lambda content, _: content[: len(content) // 2], _DAMAGED),
    Damage("emptied", lambda *_: b"", _DAMAGED),
    Damage("has a flipped bit", _flip, _DAMAGED),
    Damage("replaced by another program's", _of_another_program, _DAMAGED),
    Damage("written again by another program, with other columns", _drop_column, _DAMAGED, TABLES),
    Damage(
        "replaced by another file of deeplimits",
        lambda _, other: other,
        "made from another code or specification",
        (".parquet", ".pdf", ".png"),
    ),
)


def damage(project: Project, name: str, how: Damage, finished: Project) -> None:
    """Damage a file of the project in this way; another file is taken from the finished one."""
    path = project.path(name)
    others = (finished.path(other) for other in ALL if other != name)
    other = next((other for other in others if other.suffix == path.suffix), path)
    path.write_bytes(how.apply(path.read_bytes(), other.read_bytes()))
