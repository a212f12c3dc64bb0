"""Names in an archive: the files that are written for it, and what each folder holds."""

from collections.abc import Iterable

ARCHIVE = "ARCHIVE.md"
CHECKSUMS = "checksums.sha256"
CRATE = "ro-crate-metadata.json"
GENERATED = (ARCHIVE, CHECKSUMS, CRATE)

CODE = ("src", "workflow", "profiles")
"""Folders of which every file may be read by the chain, whether git knows it or not."""

METADATA = ".snakemake/metadata"
INCOMPLETE = ".snakemake/incomplete"

FOLDERS = {
    ".ci": "the script of the continuous integration",
    ".github": "calls that script on GitHub",
    ".snakemake": "Snakemake's record of every file that was made, from which it knows that none "
    "has to be made again",
    "benchmarks": "how fast the engines are, against straightforward simulation",
    "docs": "tutorial, how-tos, references, the models with derivations, checklists for reviewers",
    "figures": "the figures, each as PDF and PNG",
    "profiles": "options of Snakemake, alone and on a cluster",
    "released": "small tables of estimates as CSV, that a new run is compared with",
    "results": "tables, verdicts on every claim (claims.md) and under benchmarks/ the time "
    "and memory of every job",
    "src": "the package: the papers' models, theory, experiments, estimates, figures and claims",
    "tests": "the tests",
    "workflow": "the rules that Snakemake follows",
}


def described(names: Iterable[str]) -> list[str]:
    """The folders of `FOLDERS` that hold any of these files, in the order given there."""
    tops = {name.split("/")[0] for name in names if "/" in name}
    return [folder for folder in FOLDERS if folder in tops]
