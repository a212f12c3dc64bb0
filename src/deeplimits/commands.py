"""What to type, in words that several pages use."""

from collections.abc import Iterable


def verdict(files: Iterable[str], paper: str, claim: str) -> str:
    """The command that makes the tables of a claim as far as they are missing, and judges it."""
    return f"snakemake {' '.join(files)} && python -m deeplimits verdict {paper} {claim}"
