# What the rules share: folders, and the parts of a rule that the plan knows.

TOP = PLAN.configuration.top
RESULTS, FIGURES, LOGS = TOP.folders.results, TOP.folders.figures, TOP.folders.logs
BENCHMARKS = f"{RESULTS}/{{paper}}/benchmarks"
OTHER = TOP.resources.other.model_dump()
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


def simulation_resource(resource):
    return lambda wildcards: getattr(
        PLAN.configuration.experiments[wildcards.paper][wildcards.experiment].resources, resource
    )
