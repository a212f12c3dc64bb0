"""The plan: from a validated configuration to every step of the chain, its key and its files.

Each step has two digests. Its `identity` says what the output *is*: a digest of the code that the
stage runs, of its specification and of the identities of its inputs; it is written into the output
and checked when that is read. Its `key` is the one parameter that Snakemake compares: the identity
together with the keys of all inputs. They differ only in that the keys know how an experiment is
cut into jobs, so that another cut runs again, once, and writes the same bytes.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from deeplimits import digest, grid, registry, released
from deeplimits.config import Configuration, Experiment
from deeplimits.errors import UserError


@dataclass(frozen=True)
class Step:
    """One call of a stage: its key, the specification it reads from standard input, its files."""

    key: str
    specification: dict[str, Any]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def identity(self) -> str:
        """What the output is."""
        return self.specification["identity"]

    @property
    def text(self) -> str:
        """The specification as canonical JSON."""
        return digest.canonical(self.specification)


@dataclass
class Plan:
    """All steps by stage and name; a name is a tuple such as (paper, experiment, job).

    `captions` holds the caption that each figure's module declares, by (paper, figure).
    """

    configuration: Configuration
    steps: dict[str, dict[tuple[str, ...], Step]] = field(default_factory=dict)
    captions: dict[tuple[str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for stage in ("grid", "simulate", "aggregate", "estimate", "plot", "typeset", "judge"):
            self.steps[stage] = {}
        for paper, experiments in self.configuration.experiments.items():
            for experiment in experiments.values():
                self._plan_experiment(experiment)
            self._plan_paper(paper)
        self._plan_summary()
        self._plan_report()

    def step(self, stage: str, *name: str) -> Step:
        """The step of a stage by name."""
        return self.steps[stage][name]

    def outputs(self) -> list[str]:
        """The files that all steps write, stage by stage."""
        return [
            output
            for steps in self.steps.values()
            for step in steps.values()
            for output in step.outputs
        ]

    def _plan_experiment(self, experiment: Experiment) -> None:
        paper, name = experiment.paper, experiment.name
        folder = f"{self.configuration.top.folders.results}/{paper}"
        module = registry.name(paper, "experiments", name)
        shared = {
            "paper": paper,
            "experiment": name,
            "seed": self.configuration.top.seed,
            "paired": experiment.paired,
        }
        whole = {**shared, "products": experiment.products, "settings": experiment.settings}
        cells = {**shared, "products": experiment.products}
        grid_step = _step("grid", [module], cells, {}, f"{folder}/grids/{name}.parquet")
        self.steps["grid"][paper, name] = grid_step

        simulation = digest.code(["deeplimits.stages.simulate", module])
        jobs = []
        for job in grid.jobs(experiment.products, experiment.split):
            part = {**whole, "products": list(job.products)}
            part["identity"] = digest.key(simulation, part)
            path = f"{folder}/jobs/{name}/{job.name}.parquet"
            jobs.append(Step(part["identity"], part, (), (path,)))
            self.steps["simulate"][paper, name, job.name] = jobs[-1]

        whole["scale"] = self.configuration.top.scale
        aggregation = digest.code(["deeplimits.stages.aggregate", module])
        identity = digest.key(aggregation, simulation, whole)
        specification = {
            **whole,
            "identity": identity,
            "grid": _reference(grid_step),
            "jobs": [_reference(job) for job in jobs],
        }
        table = Step(
            digest.key(identity, grid_step.key, sorted(job.key for job in jobs)),
            specification,
            tuple(step.outputs[0] for step in (grid_step, *jobs)),
            (f"{folder}/{name}.parquet",),
        )
        self.steps["aggregate"][paper, name] = table

        if name in registry.members(paper, "estimates"):
            self.steps["estimate"][paper, name] = _step(
                "estimate",
                [registry.name(paper, "estimates", name)],
                {"paper": paper, "experiment": name},
                {"table": table},
                f"{folder}/{name}_estimates.parquet",
            )

    def _plan_paper(self, paper: str) -> None:
        folders = self.configuration.top.folders
        scale = self.configuration.top.scale
        for figure in registry.members(paper, "figures"):
            module = registry.name(paper, "figures", figure)
            stem = f"{folders.figures}/{paper}/{figure}"
            self.captions[paper, figure] = digest.literal(module, "CAPTION")
            self.steps["plot"][paper, figure] = _step(
                "plot",
                [module],
                {"paper": paper, "figure": figure, "scale": scale},
                self._tables(paper, module),
                f"{stem}.pdf",
                f"{stem}.png",
            )
        for table in registry.members(paper, "typeset"):
            module = registry.name(paper, "typeset", table)
            stem = f"{folders.results}/{paper}/{table}"
            self.steps["typeset"][paper, table] = _step(
                "typeset",
                [module],
                {"paper": paper, "table": table},
                self._tables(paper, module),
                f"{stem}.csv",
                f"{stem}.tex",
            )
        if registry.has_claims(paper):
            module = registry.name(paper, "claims")
            self.steps["judge"][paper,] = _step(
                "judge",
                [module],
                {"paper": paper, "scale": scale},
                self._tables(paper, module),
                f"{folders.results}/{paper}/claims.parquet",
            )

    def _plan_summary(self) -> None:
        top = self.configuration.top
        results = top.folders.results
        every = {
            f"{paper}/{name}": step.outputs[0]
            for (paper, name), step in self.steps["aggregate"].items()
        }
        self.steps["summarize"] = {
            (): _step(
                "summarize",
                [],
                {"tables": every, "scale": top.scale, "stress": _stress_run(top.scale)},
                {"claims": {paper: step for (paper,), step in self.steps["judge"].items()}},
                f"{results}/claims.parquet",
                f"{results}/claims.md",
                also=self.steps["aggregate"].values(),
            )
        }

    def _plan_report(self) -> None:
        charts = {
            (paper, name): registry.name(paper, "interactive", name)
            for paper in self.configuration.experiments
            for name in registry.members(paper, "interactive")
        }
        inputs = {
            "claims": self.steps["summarize"][()],
            # The page shows the PNG, so that is the file that has to be there.
            "figures": {
                "/".join(name): replace(step, outputs=step.outputs[::-1])
                for name, step in self.steps["plot"].items()
            },
            "printed": {"/".join(name): step for name, step in self.steps["typeset"].items()},
        }
        for (paper, name), module in charts.items():
            inputs[f"chart {paper}/{name}"] = self._tables(paper, module)["tables"]
        path = f"{self.configuration.top.folders.results}/report.html"
        step = _step("report", list(charts.values()), self._report_content(), inputs, path)
        # The jobs whose costs are added up; how an experiment is cut is no part of an identity.
        jobs: dict[str, list[str]] = {"/".join(name): [] for name in self.steps["aggregate"]}
        for paper, experiment, job in self.steps["simulate"]:
            jobs[f"{paper}/{experiment}"].append(job)
        self.steps["report"] = {
            (): replace(step, specification={**step.specification, "jobs": jobs})
        }

    def _report_content(self) -> dict[str, Any]:
        """What the report says of papers and experiments beside what it reads in their files."""
        shown = ("products", "paired", "settings", "seed")
        return {
            "scale": self.configuration.top.scale,
            "papers": list(self.configuration.experiments),
            "experiments": {
                "/".join(name): {key: step.specification[key] for key in shown}
                for name, step in self.steps["aggregate"].items()
            },
        }

    def _tables(self, paper: str, module: str) -> dict[str, dict[str, Step]]:
        """The tables that a module names in its literal TABLES."""
        available = {
            name: step for (p, name), step in self.steps["aggregate"].items() if p == paper
        }
        for (p, name), step in self.steps["estimate"].items():
            if p == paper:
                available[f"{name}_estimates"] = step
        names = digest.literal(module, "TABLES")
        if odd := [name for name in names if name not in available]:
            raise UserError(f"{module}.TABLES: no table {odd[0]!r}; known: {sorted(available)}")
        return {"tables": {name: available[name] for name in names}}


def _step(
    stage: str,
    modules: list[str],
    specification: dict[str, Any],
    inputs: dict[str, Step | dict[str, Step]],
    *outputs: str,
    also: Any = (),
) -> Step:
    """A step whose inputs are other steps' first outputs, named in the specification.

    `also` are steps that the stage reads besides (they count for the key, not for the identity).
    """
    flat: list[Step] = []
    references: dict[str, Any] = {}
    for name, step in inputs.items():
        if isinstance(step, Step):
            references[name] = _reference(step)
            flat.append(step)
        else:
            references[name] = {inner: _reference(s) for inner, s in step.items()}
            flat.extend(step.values())
    code = digest.code([f"deeplimits.stages.{stage}", *modules])
    identity = digest.key(code, specification, [step.identity for step in flat])
    read = [*flat, *also]
    return Step(
        digest.key(identity, sorted(step.key for step in read)),
        {**specification, **references, "identity": identity},
        tuple(step.outputs[0] for step in read),
        outputs,
    )


def _stress_run(scale: str) -> dict[str, str | None] | None:
    """The released stress run, which stands beside verdicts at the papers' scale."""
    if scale != "paper":
        return None
    return {"folder": str(released.FOLDER), "digest": released.stress_digest(released.FOLDER)}


def _reference(step: Step) -> dict[str, str]:
    return {"path": step.outputs[0], "identity": step.identity}
