"""The check: whether every file of the plan is whole, and what the plan says it should be."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deeplimits import claims, inspection, registry, seal, stress, tables
from deeplimits.errors import UserError
from deeplimits.plan import Plan, Step
from deeplimits.schema import Column
from deeplimits.stages.grid import SEED


@dataclass
class Report:
    """What a check found: numbers of files, and a line for each file that can't be used."""

    whole: int = 0
    missing: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """The numbers in one line."""
        missing = f"; {self.missing} not made" if self.missing else ""
        if not self.problems:
            return f"{self.whole} files are whole and up to date{missing}"
        total = self.whole + len(self.problems)
        return f"{len(self.problems)} of {total} files can't be used{missing}"


def check(plan: Plan) -> Report:
    """Read every output of every step and compare it with its seal, identity and schema."""
    report = Report()
    for stage, name, step, path in _outputs(plan):
        if not path.exists():
            report.missing += 1
            continue
        try:
            if path.suffix == ".parquet":
                table = tables.read(path, step.identity)
                tables.expect(table, _columns(stage, name), path)
            else:
                _REFUSALS[path.suffix](path, step.identity)
        except UserError as error:
            report.problems.append(str(error))
        else:
            report.whole += 1
    return report


def _outputs(plan: Plan) -> Iterator[tuple[str, tuple[str, ...], Step, Path]]:
    for stage, steps in plan.steps.items():
        for name, step in steps.items():
            for output in step.outputs:
                yield stage, name, step, Path(output)


def _refuse_figure(path: Path, identity: str) -> None:
    seal.refuse_other(inspection.figure(path).record.get("identity"), identity, path)


def _refuse_text(path: Path, identity: str) -> None:
    found, _ = seal.read_note(_content(path), path)
    seal.refuse_other(found, identity, path)


def _refuse_csv(path: Path, identity: str) -> None:
    """A CSV has no note, and is as old as the LaTeX file that has its digest."""
    beside = path.with_suffix(".tex")
    try:
        found, expected = seal.read_note(_content(beside), beside)
    except UserError as error:
        raise UserError(f"{path}: can't be checked, because of {error}") from None
    if seal.digest(_content(path)) != expected:
        raise UserError(f"{path}: {seal.DAMAGED}")
    seal.refuse_other(found, identity, path)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(
            f"{path}: can't be read ({error.strerror}); delete it and run again"
        ) from error


_REFUSALS: dict[str, Callable[[Path, str], None]] = {
    ".pdf": _refuse_figure,
    ".png": _refuse_figure,
    ".tex": _refuse_text,
    ".md": _refuse_text,
    ".html": _refuse_text,
    ".csv": _refuse_csv,
}


def _columns(stage: str, name: tuple[str, ...]) -> Sequence[Column]:
    """The columns of a stage's table."""
    if stage == "judge":
        return claims.COLUMNS
    if stage == "summarize":
        return stress.COLUMNS
    paper, experiment, *_ = name
    if stage == "estimate":
        return registry.load(paper, "estimates", experiment).COLUMNS
    module = registry.load(paper, "experiments", experiment)
    if stage == "grid":
        return [*registry.axis_columns(module.Cell), SEED]
    return registry.experiment_columns(module)[0]
