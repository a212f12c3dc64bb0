"""Plot stage for printed tables: tables → CSV and LaTeX."""

from pathlib import Path
from typing import Any

from deeplimits import registry, seal, tables
from deeplimits.files import write_whole


def run(specification: dict[str, Any], csv: Path, tex: Path) -> None:
    """Write the table as CSV and as a LaTeX fragment, whose last line vouches for both."""
    module = registry.load(specification["paper"], "typeset", specification["table"])
    frames = {
        table: tables.frame(tables.read(Path(source["path"]), source["identity"]))
        for table, source in specification["tables"].items()
    }
    values = module.frame(frames).to_csv(index=False, lineterminator="\n").encode()
    remark = f"% {seal.note(specification['identity'], values)}\n"
    write_whole(csv, values)
    write_whole(tex, seal.sealed(f"{module.latex(frames)}{remark}".encode()))
