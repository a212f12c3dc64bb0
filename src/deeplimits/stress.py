"""The joint verdict: what the run here and the stress run say of a claim together.

The stress run (`workflow/config/stress.yaml`) judges every claim again under another root seed
and, where time, step or size matter, at twice the horizon, half the step or twice the size. Its
verdicts are released with the code (`verification.stress`). Where the two runs differ, neither
verdict stands: the joint one is inconclusive.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from deeplimits import claims, digest
from deeplimits.claims import Verdict
from deeplimits.schema import Column

BESIDE = (
    Column(
        "stress_verdict",
        "string",
        "1",
        "verdict of the released stress run on the same statement by the same rule",
        nullable=True,
    ),
    Column("stress_measured", "string", "1", "what it measured, with errors", nullable=True),
    Column("stress_setting", "string", "1", "its horizon, step, sizes and seeds", nullable=True),
    Column(
        "joint_verdict",
        "string",
        "1",
        "of both runs; inconclusive where they differ; none at reduced scale or in the stress run",
        nullable=True,
    ),
    Column("joint_reason", "string", "1", "why the joint verdict is what it is, or is missing"),
)
"""What stands beside the claims in the summary."""
COLUMNS = (*claims.COLUMNS, *BESIDE)
"""Columns of the summary."""

UNFORMED = {
    "reduced": "not formed: verdicts at reduced scale test the pipeline, not the papers",
    "stress": "not formed: this is the stress run itself",
}
"""Why there is no joint verdict at a scale other than the papers'."""
UNRELEASED = "not stressed: no stress run is released"
UNKNOWN = "not stressed: the released stress run did not judge this claim"
REWORDED = "not stressed: the released stress verdict is on another statement or by another rule"


@dataclass(frozen=True)
class Stressed:
    """A released verdict; `rule` is `rule_digest` of the claim that it was made for."""

    rule: str
    verdict: Verdict
    measured: str
    setting: str


Released = Mapping[tuple[str, str], Stressed]
"""Released verdicts by paper and claim."""


class Joint(NamedTuple):
    """A joint verdict (None where none is formed), why, and the stress verdict that counted."""

    verdict: Verdict | None
    reason: str
    stressed: Stressed | None = None


def rule_digest(statement: str, rule: str) -> str:
    """Digest of what a claim says and how it is decided."""
    return digest.key(statement, rule)


def combined(here: Verdict, stressed: Verdict) -> tuple[Verdict, str]:
    """The joint verdict of two runs and its reason: where they differ, nothing is concluded."""
    if here == stressed:
        return here, f"{here} here and under stress"
    return "inconclusive", f"{here} here, {stressed} under stress"


def joint(
    here: Verdict,
    name: tuple[str, str],
    rule: str,
    scale: str,
    released: Released | None,
) -> Joint:
    """The joint verdict on one claim.

    Parameters
    ----------
    here
        The verdict of this run.
    name
        Paper and claim.
    rule
        `rule_digest` of the claim as it was judged here.
    scale
        Scale of this run; only at the papers' is a joint verdict formed.
    released
        The released stress run; None where there is none.

    Returns
    -------
    Joint
        Without a stress verdict on the same statement by the same rule the verdict here stands,
        and the reason says that it was not stressed.
    """
    if scale in UNFORMED:
        return Joint(None, UNFORMED[scale])
    if released is None:
        return Joint(here, UNRELEASED)
    stressed = released.get(name)
    if stressed is None:
        return Joint(here, UNKNOWN)
    if stressed.rule != rule:
        return Joint(here, REWORDED)
    return Joint(*combined(here, stressed.verdict), stressed)
