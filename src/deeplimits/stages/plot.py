"""Plot stage: tables → one figure as PDF and PNG, which carry their record."""

from pathlib import Path
from typing import Any

from deeplimits import digest, plotstyle, provenance, registry, tables
from deeplimits.files import write_whole


def run(specification: dict[str, Any], pdf: Path, png: Path) -> None:
    """Draw the figure and write both files."""
    paper, name = specification["paper"], specification["figure"]
    module = registry.load(paper, "figures", name)
    frames = {
        table: tables.frame(tables.read(Path(source["path"]), source["identity"]))
        for table, source in specification["tables"].items()
    }
    made = {"versions": provenance.versions(), "commit": provenance.commit()}
    with plotstyle.context():
        figure = module.draw(frames)
        for form, path in (("pdf", pdf), ("png", png)):
            content = plotstyle.render(
                figure,
                form,
                title=f"{paper} {name}",
                description=module.CAPTION,
                record=digest.canonical({**specification, **made}),
            )
            write_whole(path, content)
