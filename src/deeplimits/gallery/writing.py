"""Writing the gallery from a finished run, and telling whether it is still that of the code."""

import tomllib
from pathlib import Path

from deeplimits.files import write_whole
from deeplimits.gallery import badges, block, record, verdicts
from deeplimits.gallery.record import Record
from deeplimits.gallery.thumbnails import thumbnail
from deeplimits.plan import Plan

FOLDER = Path("docs/gallery")
README = Path("README.md")
VERDICTS = Path("docs/verdicts.md")
REMEDY = "run `make figures`, then `make gallery`"


def write(plan: Plan, root: Path) -> list[str]:
    """Write pictures, badges, record, verdicts and the README's part; returns a line a picture.

    Raises
    ------
    UserError
        if a figure or the table of all claims is missing, damaged or not the plan's, or the README
        has no place for the gallery; nothing is written then.
    """
    pictures = {
        name: thumbnail(Path(plan.step("plot", *name.split("/")).outputs[1]), identity)
        for name, identity in record.identities(plan).items()
    }
    made = record.of_run(plan, pictures)
    readme = root / README
    contents = {_place(name): content for name, content in pictures.items()}
    contents |= {FOLDER / name: text.encode() for name, text in _badges(made, root).items()}
    contents[FOLDER / record.FILE] = made.text.encode()
    contents[VERDICTS] = verdicts.text(made).encode()
    contents[README] = _readme(plan, made, readme).encode()
    for path, content in contents.items():
        write_whole(root / path, content)
    return [f"{_place(name)}: {len(content) // 1000} kB" for name, content in pictures.items()]


def stale(plan: Plan, root: Path) -> list[str]:
    """What of the gallery is not what the present code and configuration would show, and why.

    Figures and verdicts are compared by the identities that they were made under, so that no run is
    needed: what changed since then is named, not how the picture changed.

    Raises
    ------
    UserError
        if there is no record of the gallery.
    """
    made = record.read(root / FOLDER)
    lines = []
    if made.verdicts != record.verdicts_of(plan):
        lines.append(f"verdicts: judged by another code or configuration; {REMEDY}")
    now = record.identities(plan)
    shown = {name: source["identity"] for name, source in made.shown.items()}
    for name in sorted({*now, *shown}):
        if now.get(name) != shown.get(name):
            lines.append(f"{name}: drawn by another code or configuration; {REMEDY}")
        elif not _holds(root / _place(name), made.shown[name]["digest"]):
            lines.append(f"{_place(name)}: missing, or not what was written; run `make gallery`")
    for name, text in _badges(made, root).items():
        if not _holds(root / FOLDER / name, record.content_digest(text.encode())):
            lines.append(f"{FOLDER / name}: missing, or of other facts; run `make gallery`")
    if not _holds(root / VERDICTS, record.content_digest(verdicts.text(made).encode())):
        lines.append(f"{VERDICTS}: missing, or edited by hand; run `make gallery`")
    readme = root / README
    if readme.read_text(encoding="utf-8") != _readme(plan, made, readme):
        lines.append(f"{README}: its gallery was edited by hand; run `make gallery`")
    return lines


def _place(name: str) -> Path:
    return FOLDER / f"{name.replace('/', '-')}.png"


def _holds(path: Path, expected: str) -> bool:
    return path.is_file() and record.content_digest(path.read_bytes()) == expected


def _readme(plan: Plan, made: Record, path: Path) -> str:
    """The README with the gallery of a record in its place."""
    seen = {paper: record.described(plan, paper) for paper in plan.configuration.experiments}
    written = block.text(made, seen, FOLDER.as_posix())
    return block.put(path.read_text(encoding="utf-8"), written, path)


def _badges(made: Record, root: Path) -> dict[str, str]:
    """The badges by file name: two of the run, two of the package."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    reproduced = sum(claim["joint_verdict"] == "reproduced" for claim in made.claims)
    return {
        "badge-claims.svg": badges.claims(reproduced, len(made.claims)),
        "badge-figures.svg": badges.figures(made.figures),
        "badge-python.svg": badges.python(project["requires-python"].removeprefix(">=")),
        "badge-licence.svg": badges.licence(project["license"]),
    }
