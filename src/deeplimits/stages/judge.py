"""Verdict stage: the tables of a paper → one row a claim."""

from pathlib import Path
from typing import Any

from deeplimits import claims, registry, tables


def run(specification: dict[str, Any], output: Path) -> None:
    """Evaluate every claim of the paper; at a scale other than the paper's every row says so."""
    paper = specification["paper"]
    frames = {
        name: tables.frame(tables.read(Path(source["path"]), source["identity"]))
        for name, source in specification["tables"].items()
    }
    declared = registry.load(paper, "claims").CLAIMS
    rows = [_row(paper, claim, frames, specification["scale"]) for claim in declared]
    data = {column.name: [row[column.name] for row in rows] for column in claims.COLUMNS}
    tables.write(output, tables.build(claims.COLUMNS, data, claims.KEY, str(output)), specification)


def _row(paper: str, claim: claims.Claim, frames: dict, scale: str) -> dict[str, Any]:
    finding = claim.judge(frames)
    return {
        "paper": paper,
        "claim": claim.name,
        "statement": claim.statement,
        "origin": claim.origin,
        "reported": claim.reported,
        "measured": finding.measured,
        "value": finding.value,
        "error": finding.error,
        "verdict": finding.verdict,
        "rule": claim.rule,
        "scale": claim.scale if scale == "paper" else scale,
        "setting_paper": claim.setting,
        "setting_ours": finding.setting,
        "tables": ", ".join(claim.tables),
    }
