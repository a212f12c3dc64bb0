"""The generated page of one command per claim (`docs/claims.md`)."""

from pathlib import Path

from deeplimits import commands, costs, judging, markdown, tables
from deeplimits.claims import Claim
from deeplimits.plan import Plan

_HEAD = """\
# One command per claim

Generated from the claims and from the benchmark files of a finished run, by
`python -m deeplimits costs` in the folder of that run; a test holds it to the claims and the plan.

Each command makes the tables that the claim's rule reads, as far as they are not there, and prints
the verdict. Run it in the root of the checkout with the environment active (`make env`, then
`source .venv/bin/activate`). `snakemake` makes all tables and judges all claims at once, into
`results/claims.md`.

CPU and wall time are sums over the jobs, wall time while other work ran on the machine; on several
cores jobs run side by side. Memory is that of the largest job. Claims that read the same tables
share their cost.

Measured at commit `{commit}` with {versions}.
"""
_TABLE = ["| claim | jobs | CPU | wall | memory | command |", "|---|---|---|---|---|---|"]


def text(plan: Plan) -> str:
    """The whole page in Markdown.

    Raises
    ------
    UserError
        where the table of all claims or a benchmark file is missing: the run is not finished.
    """
    record = tables.record_of(tables.read(Path(plan.step("summarize").outputs[0])))
    libraries = {name: n for name, n in record["versions"].items() if name != "deeplimits"}
    versions = ", ".join(f"{name} {number}" for name, number in sorted(libraries.items()))
    parts = [_HEAD.format(commit=record["commit"], versions=versions)]
    for (paper,) in plan.steps["judge"]:
        rows = [_row(plan, paper, claim) for claim in judging.declared(plan, paper)]
        parts += [f"## {paper}\n", *_TABLE, *rows, ""]
    return "\n".join(parts).rstrip() + "\n"


def command(plan: Plan, paper: str, claim: Claim) -> str:
    """What to type to make the tables of a claim, and to judge it."""
    return commands.verdict(judging.files(plan, paper, claim).values(), paper, claim.name)


def _row(plan: Plan, paper: str, claim: Claim) -> str:
    cost = costs.of(plan, judging.files(plan, paper, claim).values())
    cells = (
        claim.statement,
        str(cost.jobs),
        duration(cost.cpu),
        duration(cost.wall),
        f"{cost.memory / 1000:.2f} GB",
        f"`{command(plan, paper, claim)}`",
    )
    return markdown.row(cells)


def duration(seconds: float) -> str:
    """Seconds below two minutes, else minutes."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
