"""What the page says, put together from the specification, the figures and the claims."""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from deeplimits import benchmarks, commands, registry, tables
from deeplimits.claims import STATED_BY, Verdict
from deeplimits.report import costs, pictures, sources
from deeplimits.report.charts import Chart, signed
from deeplimits.report.pictures import Picture
from deeplimits.report.references import PROJECT, Reference, references


@dataclass(frozen=True)
class ClaimPart:
    """A claim: its row of the claims' table, the file of its rule, the figures that show it.

    `command` judges it again, and `cost` is that of the tables which its rule reads.
    """

    row: Any
    source: str
    figures: list[str]
    command: str
    cost: str

    @property
    def verdict(self) -> Verdict:
        """The verdict that the page shows and counts: the joint one, where one is formed."""
        return self.row.verdict if pd.isna(self.row.joint_verdict) else self.row.joint_verdict

    @property
    def stated_by(self) -> str:
        """Who states it, in words."""
        return STATED_BY[self.row.origin]

    @property
    def stressed(self) -> bool:
        """Whether a released stress run judged it too."""
        return not pd.isna(self.row.stress_verdict)

    @property
    def experiments(self) -> list[str]:
        """The experiments whose tables its rule reads."""
        return _experiments(self.row.tables.split(", "))

    @property
    def number(self) -> str:
        """The number that decides, with its standard error, where there is one."""
        return "" if pd.isna(self.row.value) else number(self.row.value, self.row.error)


@dataclass(frozen=True)
class FigurePart:
    """A figure: its picture, what it is drawn from and by, the claims that it bears on."""

    name: str
    picture: Picture
    pdf: str
    source: str
    experiments: list[str]
    claims: list[str]
    cost: str
    chart: Chart | None


@dataclass(frozen=True)
class TablePart:
    """The tables of one experiment: its configuration, its files, what made them."""

    name: str
    products: list[dict[str, list]]
    settings: dict[str, Any]
    paired: list[str]
    seed: int
    files: list[str]
    sources: list[str]
    cost: str


@dataclass(frozen=True)
class PaperPart:
    """All that the page says of one paper; `reference` is None where BibTeX has no entry for it."""

    key: str
    reference: Reference | None
    claims_path: str
    claims: list[ClaimPart]
    figures: list[FigurePart]
    tables: list[TablePart]
    printed: list[str]

    def count(self, verdict: Verdict) -> int:
        """Number of claims with a verdict."""
        return sum(claim.verdict == verdict for claim in self.claims)

    @property
    def open_claims(self) -> list[ClaimPart]:
        """The claims that were not reproduced."""
        return [claim for claim in self.claims if claim.verdict != "reproduced"]


@dataclass(frozen=True)
class Reader:
    """Reads what a specification names; every part of one paper comes from here."""

    specification: dict[str, Any]
    claims: pd.DataFrame = field(init=False)

    def __post_init__(self) -> None:
        source = self.specification["claims"]
        table = tables.read(Path(source["path"]), source["identity"])
        object.__setattr__(self, "claims", tables.frame(table))

    @property
    def results(self) -> Path:
        """Folder of the tables and the benchmarks."""
        return Path(self.specification["claims"]["path"]).parent

    def papers(self) -> list[PaperPart]:
        """The parts of the page, one a paper."""
        return [self._paper(paper) for paper in self.specification["papers"]]

    def citations(self) -> list[Reference]:
        """What to cite: this project, and the papers of the page."""
        known = references()
        return [known[key] for key in (PROJECT, *self.specification["papers"]) if key in known]

    def _paper(self, paper: str) -> PaperPart:
        rows = list(self.claims[self.claims["paper"] == paper].itertuples())
        figures = [
            self._figure(paper, name, source, rows)
            for name, source in self._of(paper, self.specification["figures"]).items()
        ]
        return PaperPart(
            key=paper,
            reference=references().get(paper),
            claims_path=str(self.results / paper / "claims.parquet"),
            claims=[self._claim(paper, row, figures) for row in rows],
            figures=figures,
            tables=[
                self._table(paper, name, block)
                for name, block in self._of(paper, self.specification["experiments"]).items()
            ],
            printed=[
                str(Path(source["path"]).with_suffix(suffix))
                for source in self._of(paper, self.specification["printed"]).values()
                for suffix in (".csv", ".tex")
            ],
        )

    def _of(self, paper: str, parts: dict[str, Any]) -> dict[str, Any]:
        """The entries of one paper, without its name before theirs; what goes beyond it last."""
        named = {
            name.removeprefix(f"{paper}/"): part
            for name, part in parts.items()
            if name.startswith(f"{paper}/")
        }
        return {name: named[name] for name in sorted(named, key=_place)}

    def _claim(self, paper: str, row: Any, figures: list[FigurePart]) -> ClaimPart:
        names = row.tables.split(", ")
        files = [str(self.results / paper / f"{name}.parquet") for name in names]
        jobs = [
            path
            for name in _experiments(names)
            for path in self._benchmarks(paper, name, f"{name}_estimates" in names)
        ]
        return ClaimPart(
            row,
            sources.rule(paper, row.claim),
            [figure.name for figure in figures if row.claim in figure.claims],
            commands.verdict(files, paper, row.claim),
            costs.total(jobs).words,
        )

    def _figure(self, paper: str, name: str, source: dict[str, str], rows: list[Any]) -> FigurePart:
        path = Path(source["path"])
        picture = pictures.picture(path, source["identity"])
        experiments = _experiments(picture.record["tables"])
        benchmark = benchmarks.place(self.results, "plot", (paper, name))
        return FigurePart(
            name=name,
            picture=picture,
            pdf=str(path.with_suffix(".pdf")),
            source=sources.module(paper, "figures", name),
            experiments=experiments,
            claims=[
                row.claim
                for row in rows
                if set(experiments) & set(_experiments(row.tables.split(", ")))
            ],
            cost=costs.total([benchmark]).words,
            chart=self._chart(paper, name),
        )

    def _chart(self, paper: str, name: str) -> Chart | None:
        named = self.specification.get(f"chart {paper}/{name}")
        if named is None:
            return None
        frames = {
            table: tables.frame(tables.read(Path(source["path"]), source["identity"]))
            for table, source in named.items()
        }
        return registry.load(paper, "interactive", name).chart(frames)

    def _table(self, paper: str, name: str, block: dict[str, Any]) -> TablePart:
        estimates = sources.module(paper, "estimates", name)
        files = [f"{name}.parquet", *([f"{name}_estimates.parquet"] if estimates else [])]
        modules = [sources.module(paper, "experiments", name), estimates]
        return TablePart(
            name=name,
            products=block["products"],
            settings=block["settings"],
            paired=block["paired"],
            seed=block["seed"],
            files=[str(self.results / paper / file) for file in files],
            sources=[module for module in modules if module],
            cost=costs.total(self._benchmarks(paper, name, bool(estimates))).words,
        )

    def _benchmarks(self, paper: str, name: str, estimated: bool) -> list[Path]:
        stages = ["grid", "aggregate", *(["estimate"] if estimated else [])]
        steps = [(stage, (paper, name)) for stage in stages]
        jobs = self.specification["jobs"][f"{paper}/{name}"]
        steps += [("simulate", (paper, name, job)) for job in jobs]
        return [benchmarks.place(self.results, stage, step) for stage, step in steps]


def _place(name: str) -> tuple[bool, str]:
    return name.startswith("ext_"), name


def number(value: float, error: float) -> str:
    """A number to two digits of its standard error, or to four digits where it has none (NaN)."""
    if not error > 0:
        return signed(value)
    if not 1e-6 < error < 1e6:
        return f"{signed(value, '.3e')} ± {signed(error, '.1e')}"
    form = f".{max(0, 1 - math.floor(math.log10(error)))}f"
    return f"{signed(value, form)} ± {error:{form}}"


def _experiments(names: Any) -> list[str]:
    """The experiments that tables belong to, each once."""
    return list(dict.fromkeys(name.removesuffix("_estimates") for name in names))
