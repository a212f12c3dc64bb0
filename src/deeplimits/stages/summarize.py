"""Verdict stage, last step: the claims of all papers → one Parquet table and one page."""

from pathlib import Path
from typing import Any

import pandas as pd

from deeplimits import claims, provenance, seal, tables
from deeplimits.files import write_whole

_INTRODUCTION = """\
# Claims

Each row is decided by the rule it states, from the tables it names. `scale` is "paper" (the \
paper's own sizes), "ours" (an experiment of our own design) or "reduced" (smaller than intended: \
such verdicts test the pipeline, not the paper).
"""


def run(specification: dict[str, Any], output: Path, page: Path) -> None:
    """Write the combined claims as Parquet and as Markdown."""
    parts = [
        tables.frame(tables.read(Path(source["path"]), source["identity"]))
        for source in specification["claims"].values()
    ]
    names = [column.name for column in claims.COLUMNS]
    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=names)
    data = {name: frame[name].to_numpy() for name in names}
    tables.write(output, tables.build(claims.COLUMNS, data, claims.KEY, str(output)), specification)
    remark = f"<!-- {seal.note(specification['identity'])} -->\n"
    parts = [_INTRODUCTION, *_warnings(specification), *_overview(frame), *_rows(frame), remark]
    write_whole(page, seal.sealed("\n".join(parts).encode()))


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


def _overview(frame: pd.DataFrame) -> list[str]:
    head = ["| paper | claim | verdict | scale | measured |", "|---|---|---|---|---|"]
    rows = (
        f"| {row.paper} | [{row.claim}](#{row.paper}-{row.claim}) | **{row.verdict}** "
        f"| {row.scale} | {_cell(row.measured)} |"
        for row in frame.itertuples()
    )
    return [*head, *rows, ""]


def _rows(frame: pd.DataFrame) -> list[str]:
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
            f"- **paper reports**: {row.reported}\n"
            f"- **measured**: {row.measured}\n"
            f"- **rule**: {row.rule}\n"
            f"- **setting of the paper**: {row.setting_paper}\n"
            f"- **setting here**: {row.setting_ours}\n"
            f"- **tables**: {row.tables}\n"
        )
    return lines


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
