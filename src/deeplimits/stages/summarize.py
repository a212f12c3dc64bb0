"""Verdict stage, last step: the claims of all papers → one Parquet table and one page."""

from pathlib import Path
from typing import Any

import pandas as pd

from deeplimits import claims, markdown, provenance, seal, stress, tables
from deeplimits.files import write_whole
from deeplimits.verification.stress import of_plan

_INTRODUCTION = """\
# Claims

Each row is decided by the rule it states, from the tables it names. `scale` is "paper" (the \
paper's own sizes), "ours" (an experiment of our own design), "reduced" (smaller than intended: \
such verdicts test the pipeline, not the paper) or "stress" (the stress run).
"""
_JOINT = """\
The stress run judges every claim again under another root seed and, where time, step or size \
matter, at twice the horizon, half the step or twice the size. The joint verdict is inconclusive \
where the two differ.
"""
_NO_RELEASE = """\
There are no joint verdicts, as no stress run is released (`make stress`, then \
`make release-stress`).
"""


def run(specification: dict[str, Any], output: Path, page: Path) -> None:
    """Write the combined claims, each beside the stress run, as Parquet and as Markdown."""
    parts = [
        tables.frame(tables.read(Path(source["path"]), source["identity"]))
        for source in specification["claims"].values()
    ]
    names = [column.name for column in claims.COLUMNS]
    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=names)
    stressed = of_plan(specification["stress"])
    frame = _beside(frame, specification["scale"], stressed)
    data = {column.name: frame[column.name].to_numpy() for column in stress.COLUMNS}
    tables.write(output, tables.build(stress.COLUMNS, data, claims.KEY, str(output)), specification)
    remark = f"<!-- {seal.note(specification['identity'])} -->\n"
    parts = [
        _INTRODUCTION,
        _about_joint(specification["scale"], stressed is not None),
        *_warnings(specification),
        *_overview(frame, stressed is not None),
        *_rows(frame, stressed is not None),
        remark,
    ]
    write_whole(page, seal.sealed("\n".join(parts).encode()))


def _beside(frame: pd.DataFrame, scale: str, stressed: stress.Released | None) -> pd.DataFrame:
    """The claims with the columns that the stress run adds."""
    joints = [
        stress.joint(
            row.verdict,
            (row.paper, row.claim),
            stress.rule_digest(row.statement, row.rule),
            scale,
            stressed,
        )
        for row in frame.itertuples()
    ]
    others = [joint.stressed for joint in joints]
    beside = {
        "stress_verdict": [other and other.verdict for other in others],
        "stress_measured": [other and other.measured for other in others],
        "stress_setting": [other and other.setting for other in others],
        "joint_verdict": [joint.verdict for joint in joints],
        "joint_reason": [joint.reason for joint in joints],
    }
    # As objects, or pandas would put NaN in the place of None.
    return frame.assign(
        **{name: pd.Series(values, frame.index, dtype=object) for name, values in beside.items()}
    )


def _about_joint(scale: str, released: bool) -> str:
    """What the page says once of joint verdicts, or why it has none."""
    if scale in stress.UNFORMED:
        return f"Joint verdicts are {stress.UNFORMED[scale]}.\n"
    return _JOINT if released else _NO_RELEASE


def _warnings(specification: dict[str, Any]) -> list[str]:
    """A line for each table that was made with other library versions than the present ones."""
    here = provenance.versions()
    lines = []
    for name, path in sorted(specification["tables"].items()):
        record = tables.record_of(tables.read(Path(path)))
        makers = [record, *record.get("simulated_with", [])]
        differences = {
            f"{library} {maker['versions'].get(library, 'unknown')} (now {version})"
            for maker in makers
            for library, version in here.items()
            if maker["versions"].get(library) != version
        }
        if differences:
            lines.append(f"> **Versions differ.** `{name}`: {', '.join(sorted(differences))}\n")
    return lines


def _overview(frame: pd.DataFrame, stressed: bool) -> list[str]:
    """The table of all claims; the stress run has two columns of it where it is released."""
    more = ("under stress", "joint") if stressed else ()
    head = ("paper", "claim", "stated by", "verdict", *more, "scale", "measured")
    lines = [markdown.row(head), f"|{'---|' * len(head)}"]
    for row in frame.itertuples():
        link = f"[{row.claim}](#{row.paper}-{row.claim})"
        both = (row.stress_verdict or "none", f"**{row.joint_verdict}**") if stressed else ()
        cells = (
            *(row.paper, link, claims.STATED_BY[row.origin]),
            *(f"**{row.verdict}**", *both, row.scale, row.measured),
        )
        lines.append(markdown.row(cells))
    return [*lines, ""]


def _rows(frame: pd.DataFrame, stressed: bool) -> list[str]:
    lines = []
    for row in frame.itertuples():
        number = ""
        if pd.notna(row.value):
            error = f" ± {row.error:.3g}" if pd.notna(row.error) else ""
            number = f"\n- **number**: {row.value:.4g}{error}"
        lines.append(
            f'<a id="{row.paper}-{row.claim}"></a>\n\n## {row.paper}: {row.claim}\n\n'
            f"{row.statement}\n\n"
            f"- **verdict**: {row.verdict} (scale: {row.scale}){number}\n"
            f"{_joint(row) if stressed else ''}"
            f"- **stated by**: {claims.STATED_BY[row.origin]}\n"
            f"- **paper reports**: {row.reported}\n"
            f"- **measured**: {row.measured}\n"
            f"- **rule**: {row.rule}\n"
            f"- **setting of the paper**: {row.setting_paper}\n"
            f"- **setting here**: {row.setting_ours}\n"
            f"{_stressed(row) if stressed else ''}"
            f"- **tables**: {row.tables}\n"
        )
    return lines


def _joint(row: Any) -> str:
    return f"- **joint verdict**: {row.joint_verdict} ({row.joint_reason})\n"


def _stressed(row: Any) -> str:
    """What the stress run found, where it judged this claim."""
    if row.stress_verdict is None:
        return ""
    return (
        f"- **measured under stress**: {row.stress_measured}\n"
        f"- **setting under stress**: {row.stress_setting}\n"
    )
