# What the rules share: folders, and the parts of a rule that the chain knows.

RESULTS, FIGURES, LOGS = (CHAIN.folders[name] for name in ("results", "figures", "logs"))
BENCHMARKS = f"{RESULTS}/{{paper}}/benchmarks"
ENVIRONMENT = "../../environment.yml"


def call(stage, *wildcard_names):
    return lambda wildcards: CHAIN.call(
        stage, *(getattr(wildcards, name) for name in wildcard_names)
    )


def stage_parameters(stage, *wildcard_names):
    found = call(stage, *wildcard_names)
    return {
        "key": lambda wildcards: found(wildcards).key,
        "specification": lambda wildcards: found(wildcards).specification,
    }


def inputs(stage, *wildcard_names):
    found = call(stage, *wildcard_names)
    return lambda wildcards: found(wildcards).inputs


def resources(asked):
    """Memory and time, twice as much at every new attempt; `asked` tells what the first one gets."""

    def growing(name):
        return lambda wildcards, attempt: asked(wildcards)[name] * 2 ** (attempt - 1)

    return {name: growing(name) for name in ("mem_mb", "runtime")}


SIMULATION = resources(lambda wildcards: CHAIN.resources[wildcards.paper][wildcards.experiment])
OTHER = resources(lambda wildcards: CHAIN.other)
