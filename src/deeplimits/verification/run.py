"""The verification of a finished run: cells computed again, and estimates against the release."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from deeplimits import registry
from deeplimits.config import Configuration, Experiment
from deeplimits.errors import UserError
from deeplimits.messages import shown
from deeplimits.tables import record_of
from deeplimits.verification import cells, costs, estimates, release, sampling
from deeplimits.verification.declaration import declared, roles

RATE = 0.01
"""Family-wise error rate of all comparisons of estimates together."""

BUDGET = 60.0
"""Seconds, by the run's benchmarks, that experiments share; each gives one cell at least, whatever
it costs, which makes about three minutes for the papers that are here."""


@dataclass(frozen=True)
class Sample:
    """Which cells to recompute: all, a number of them, or what fits into the budget."""

    seed: int = 0
    number: int | None = None
    every: bool = False


@dataclass
class Verification:
    """The comparison of the run in `results`; `say` gets a line for each table when it is done.

    `differences` has a line for each difference.
    """

    configuration: Configuration
    results: Path
    say: Callable[[str], None]
    differences: list[str] = field(default_factory=list)
    recomputed: int = 0
    numbers: int = 0
    missing: list[str] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """All in one line."""
        compared = f"{self.recomputed} cells and {self.numbers} released numbers compared"
        first, others = ", ".join(self.missing[:3]), len(self.missing) - 3
        missing = f"; not made: {first}" if self.missing else ""
        missing += f" and {others} more" if others > 0 else ""
        found = len(self.differences)
        outcome = "no difference" if not found else f"{found} difference{'s' if found > 1 else ''}"
        return f"{compared}: {outcome}{missing}"

    def check_cells(self, sample: Sample) -> None:
        """Recompute cells of the simulation stage and compare their rows.

        Raises
        ------
        UserError
            if no table of the run is there.
        """
        made = {}
        for experiment in self._experiments():
            if (table := self._made(experiment)) is not None:
                made[experiment.paper, experiment.name] = (experiment, table)
        if not made and not self.differences:
            raise UserError(
                f"{self.results}: no table of the configuration is there; run snakemake"
            )
        share = BUDGET / max(len(made), 1)
        prices = {name: costs.priced(one, self.results, share) for name, (one, _) in made.items()}
        for name, chosen in _chosen(prices, sample).items():
            self._recompute(*made[name], [priced.cell for priced in chosen], len(prices[name]))

    def check_estimates(self, folder: Path) -> None:
        """Compare the run's estimates with a release.

        Raises
        ------
        UserError
            if the release can't be read.
        """
        record = release.read_record(folder)
        parts = []
        for name, origin in record.items():
            paper, _, experiment = name.partition("/")
            if experiment not in self.configuration.experiments.get(paper, {}):
                continue
            parts.append(self._numbers(folder, paper, experiment, origin))
        parts = [part for part in parts if part is not None]
        if not parts:
            return
        numbers = pd.concat(parts, ignore_index=True)
        self.numbers = int(numbers["p"].notna().sum())
        for row in estimates.differences(numbers, RATE).itertuples():
            apart = "" if pd.isna(row.z) else f", {row.z:+.1f} combined standard errors apart"
            self.differences.append(
                f"{row.table}: {row.column} of ({row.row}) is {shown(row.run)}, "
                f"released {shown(row.released)}{apart}"
            )

    def _experiments(self) -> list[Experiment]:
        every = self.configuration.experiments.values()
        return [experiment for experiments in every for experiment in experiments.values()]

    def _made(self, experiment: Experiment) -> cells.Made | None:
        """The table of an experiment, if the run made it, and made it from this configuration."""
        path = self.results / experiment.paper / f"{experiment.name}.parquet"
        if not path.exists():
            self.missing.append(f"{experiment.paper}/{experiment.name}")
            return None
        try:
            made = cells.Made.read(
                path, registry.load(experiment.paper, "experiments", experiment.name)
            )
        except UserError as error:
            self.differences.append(str(error))
            return None
        record = record_of(made.table)
        wanted = {"seed": self.configuration.top.seed, **_specified(experiment)}
        if odd := _first_difference(record, wanted):
            self.differences.append(
                f"{path}: made with another configuration: {odd}; run snakemake to make it again"
            )
            return None
        return made

    def _recompute(
        self, experiment: Experiment, made: cells.Made, chosen: list[Any], of: int
    ) -> None:
        if not chosen:
            return
        module = registry.load(experiment.paper, "experiments", experiment.name)
        specification = {
            "paper": experiment.paper,
            "experiment": experiment.name,
            "seed": self.configuration.top.seed,
            **_specified(experiment),
        }
        found = [
            line for cell in chosen for line in cells.compare(made, module, specification, cell)
        ]
        self.recomputed += len(chosen)
        self.differences += found
        how = (
            "bit for bit" if made.excuse is None else f"within {cells.RELATIVE:g}, as {made.excuse}"
        )
        self.say(
            f"{experiment.paper}/{experiment.name}: {len(chosen)} of {of} cells recomputed, "
            f"{len(module.COLUMNS)} columns compared {how}: {_outcome(found)}"
        )

    def _numbers(
        self, folder: Path, paper: str, experiment: str, released: dict[str, Any]
    ) -> pd.DataFrame | None:
        """The numbers of one released table beside the run's, or None if they can't be compared."""
        name = f"{paper}/{experiment}"
        path = self.results / paper / f"{experiment}_estimates.parquet"
        if not path.exists():
            if name not in self.missing:
                self.missing.append(f"{name}_estimates")
            return None
        module = registry.load(paper, "estimates", experiment)
        try:
            theirs = release.read(folder, name, module.COLUMNS, released["digest"])
            ours, origin = release.of_run(self.results, paper, experiment)
        except UserError as error:
            self.differences.append(str(error))
            return None
        if origin["scale"] != released["scale"]:
            self.say(
                f"{name}: {origin['scale']} scale; the release is of {released['scale']} scale"
            )
            return None
        wanted = {key: released[key] for key in ("paired", "products", "settings")}
        if odd := _first_difference(origin, wanted):
            self.differences.append(f"{path}: other than released: {odd}")
            return None
        return self._compare(name, ours, theirs, _same_draws(origin, released))

    def _compare(
        self, name: str, ours: pd.DataFrame, theirs: pd.DataFrame, same_draws: bool
    ) -> pd.DataFrame:
        paper, _, experiment = name.partition("/")
        module = registry.load(paper, "estimates", experiment)
        compared = declared(paper)[experiment]
        parts = roles(module.COLUMNS, module.KEY, compared, name)
        pairs, absent = estimates.paired(ours, theirs, module.KEY)
        self.differences += [f"{name}: released row ({row}) is not in the run" for row in absent]
        numbers = estimates.compare(pairs, parts, compared, same_draws=same_draws)
        self.differences += [
            f"{name}: column {column} has no value to compare with the released ones"
            for column in estimates.lost(numbers)
        ]
        apart = numbers["z"].notna().sum()
        largest = f", at most {numbers['z'].abs().max():.1f}" if apart else ""
        self.say(
            f"{name}: {len(pairs)} released rows: {apart} estimates compared in standard errors"
            f"{largest}; {(numbers['z'].isna() & numbers['p'].notna()).sum()} numbers that every "
            f"run must give, {(numbers['p'] == 0).sum()} of them differ"
        )
        return numbers.assign(table=name)


def _chosen(
    prices: dict[sampling.Name, list[sampling.Priced]], sample: Sample
) -> dict[sampling.Name, list[sampling.Priced]]:
    if sample.every:
        return prices
    if sample.number is not None:
        return sampling.of_number(prices, sample.seed, sample.number)
    return sampling.within(prices, sample.seed, BUDGET)


def _specified(experiment: Experiment) -> dict[str, Any]:
    return {
        "paired": experiment.paired,
        "products": experiment.products,
        "settings": experiment.settings,
    }


def _first_difference(found: dict[str, Any], wanted: dict[str, Any]) -> str | None:
    """The first key by which a record differs from what is wanted, in words."""
    for name, value in wanted.items():
        there = found.get(name)
        if isinstance(value, dict) and isinstance(there, dict):
            for inner in sorted({*value, *there}):
                if value.get(inner) != there.get(inner):
                    return (
                        f"{name}.{inner} {shown(there.get(inner))}, not {shown(value.get(inner))}"
                    )
        elif there != value:
            what = "" if isinstance(value, list) else f" {shown(there)}, not {shown(value)}"
            return f"{name}{what or ' differ'}"
    return None


def _same_draws(origin: dict[str, Any], released: dict[str, Any]) -> bool:
    """Whether a release was made with the same seed, versions and kind of machine, and says so."""
    known = bool(origin["machines"])
    return known and all(
        origin[name] == released[name] for name in ("seed", "versions", "machines")
    )


def _outcome(found: list[str]) -> str:
    return f"{len(found)} differences" if found else "the same"
