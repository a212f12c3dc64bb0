"""One claim by itself: its verdict from the tables that its rule reads."""

from collections.abc import Sequence
from pathlib import Path

from deeplimits import registry, stress, tables
from deeplimits.claims import Claim, Verdict
from deeplimits.errors import UserError
from deeplimits.plan import Plan
from deeplimits.verification.stress import of_plan


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
        if there is no such claim, one of its tables is missing, damaged or not the plan's, or the
        released stress run is damaged.
    """
    found = claim(plan, paper, name)
    sources = plan.step("judge", paper).specification["tables"]
    finding = found.judge(
        {
            table: tables.frame(tables.read(Path(path), sources[table]["identity"]))
            for table, path in files(plan, paper, found).items()
        }
    )
    scale = plan.configuration.top.scale
    return "\n".join(
        (
            f"{finding.verdict} (scale: {found.scale if scale == 'paper' else scale})",
            f"joint verdict: {_joint(plan, paper, found, finding.verdict)}",
            f"claim: {found.statement}",
            f"measured: {finding.measured}",
            f"rule: {found.rule}",
            f"setting here: {finding.setting}",
            f"tables: {', '.join(found.tables)}",
        )
    )


def _joint(plan: Plan, paper: str, claim: Claim, here: Verdict) -> str:
    """The joint verdict with the stress run in words."""
    summary = plan.step("summarize").specification
    found = stress.joint(
        here,
        (paper, claim.name),
        stress.rule_digest(claim.statement, claim.rule),
        summary["scale"],
        of_plan(summary["stress"]),
    )
    return f"{found.verdict or 'none'} ({found.reason})"
