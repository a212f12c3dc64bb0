"""Where the released stress run stands. Every start of the chain looks there, so this is light."""

from pathlib import Path

from deeplimits import digest, seal

FOLDER = Path("released")
STRESS = ("stress.csv", "stress.json")
"""The verdicts, and what they come from (`verification.stress`)."""


def stress_files(folder: Path) -> list[Path]:
    """Those files of the released stress run that are there."""
    return [path for name in STRESS if (path := folder / name).is_file()]


def stress_digest(folder: Path) -> str | None:
    """Digest of the released stress run, None where there is none."""
    contents = {path.name: seal.digest(path.read_bytes()).decode() for path in stress_files(folder)}
    return digest.key(contents) if contents else None
