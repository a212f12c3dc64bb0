# What the rules share: folders, and the parts of a rule that the plan knows.

TOP = PLAN.configuration.top
RESULTS, FIGURES, LOGS = TOP.folders.results, TOP.folders.figures, TOP.folders.logs
BENCHMARKS = f"{RESULTS}/{{paper}}/benchmarks"
ENVIRONMENT = "../../environment.yml"


def stage_parameters(stage, *wildcard_names):
    def step(wildcards):
        return PLAN.step(stage, *(getattr(wildcards, name) for name in wildcard_names))

    return {
        "key": lambda wildcards: step(wildcards).key,
        "specification": lambda wildcards: step(wildcards).text,
    }


def inputs(stage, *wildcard_names):
    return lambda wildcards: PLAN.step(
        stage, *(getattr(wildcards, name) for name in wildcard_names)
    ).inputs


def resources(asked):
    """Memory and time, twice as much at every new attempt; `asked` tells what the first one gets."""

    def growing(name):
        return lambda wildcards, attempt: getattr(asked(wildcards), name) * 2 ** (attempt - 1)

    return {name: growing(name) for name in ("mem_mb", "runtime")}


SIMULATION = resources(
    lambda wildcards: PLAN.configuration.experiments[wildcards.paper][
        wildcards.experiment
    ].resources
)
OTHER = resources(lambda wildcards: TOP.resources.other)
