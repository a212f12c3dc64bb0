"""One claim by itself: its verdict from the tables that its rule reads."""

from collections.abc import Sequence
from pathlib import Path

from deeplimits import registry, tables
from deeplimits.claims import Claim
from deeplimits.errors import UserError
from deeplimits.plan import Plan


def declared(plan: Plan, paper: str) -> Sequence[Claim]:
    """The claims about a paper of the plan; UserError where it has none."""
    papers = [name for (name,) in plan.steps["judge"]]
    if paper not in papers:
        raise UserError(f"no claims about {paper!r}; known: {', '.join(papers)}")
    return registry.load(paper, "claims").CLAIMS


def claim(plan: Plan, paper: str, name: str) -> Claim:
    """One claim by name; UserError where there is none."""
    known = {claim.name: claim for claim in declared(plan, paper)}
    if name not in known:
        raise UserError(f"{paper} has no claim {name!r}; known: {', '.join(known)}")
    return known[name]


def files(plan: Plan, paper: str, claim: Claim) -> dict[str, str]:
    """{table: its file} for the tables that the rule of a claim reads."""
    sources = plan.step("judge", paper).specification["tables"]
    return {table: sources[table]["path"] for table in claim.tables}


def describe(plan: Plan, paper: str, name: str) -> str:
    """Judge one claim from the tables that are there, and say how it was decided.

    Raises
    ------
    UserError
        if there is no such claim, or one of its tables is missing, damaged or not the plan's.
    """
    found = claim(plan, paper, name)
    sources = plan.step("judge", paper).specification["tables"]
    finding = found.judge(
        {
            table: tables.frame(tables.read(Path(path), sources[table]["identity"]))
            for table, path in files(plan, paper, found).items()
        }
    )
    reduced = plan.configuration.top.scale == "reduced"
    return "\n".join(
        (
            f"{finding.verdict} (scale: {'reduced' if reduced else found.scale})",
            f"claim: {found.statement}",
            f"measured: {finding.measured}",
            f"rule: {found.rule}",
            f"setting here: {finding.setting}",
            f"tables: {', '.join(found.tables)}",
        )
    )
