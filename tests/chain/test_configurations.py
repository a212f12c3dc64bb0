"""Wrong and odd configurations as Snakemake meets them: it reads and merges the files before us."""

import pytest

from deeplimits import tables
from faults import bash
from toy_project import Project
from toy_steps import axes

# (what is in the overlay, the last line that the user sees)
REFUSED = {
    "nothing": (b"", "Config file must be given as JSON or YAML with keys at top level."),
    "a comment": (b"# soon\n", "Config file must be given as JSON or YAML with keys at top level."),
    "a list": (b"- seed: 1\n", "Config file must be given as JSON or YAML with keys at top level."),
    "a key twice in JSON": (b'{"seed": 1, "seed": 2}', "deeplimits: *duplicate key 'seed'; keep "),
    "a word that YAML reads as truth": (b"on: 1\n", "deeplimits: config key True: a key must be "),
    "half a character": (b'scale: "\\ud800"', "deeplimits: config key scale: '\\ud800' holds half"),
    "deep nesting": (b"seed: " + b"[" * 300 + b"]" * 300, "deeplimits: *nested too deeply"),
    "no folders": (b"folders: 5\n", "deeplimits: config key folders: 5 should be a valid mapping"),
    "a huge number": (b"seed: 0x" + b"f" * 9999, "deeplimits: config key seed: a whole number of "),
    "sources": (
        b"folders: {results: src/results}",
        "deeplimits: config key folders.results: 'src/results' must not lie in a folder of sources",
    ),
    "a file in the place of a folder": (
        b"folders: {results: Snakefile/x}",
        "deeplimits: config key folders.results: 'Snakefile/x' can't be made: 'Snakefile' is a fil",
    ),
    "a million values": (
        b'{"papers": {"toy2026": {"walks": {"grid": [{"kind": ["a"], "drift": [1], "spread": [1], '
        b'"replica": [' + b",".join(b"%d" % n for n in range(10**6)) + b"]}]}}}}",
        "deeplimits: config key papers.toy2026.walks.grid: 1000000 cells, at most limits.cells = 1",
    ),
}


@pytest.mark.matrix
@pytest.mark.parametrize(("overlay", "message"), REFUSED.values(), ids=REFUSED)
def test_the_last_line_says_what_is_wrong(project: Project, overlay: bytes, message: str) -> None:
    project.path("overlay.yaml").write_bytes(overlay)
    said = project.snakemake("--dry-run", "--configfile", "overlay.yaml", expect=1)
    start, _, end = message.partition("*")
    last = said.splitlines()[-1]
    assert last.startswith(start)
    assert end in last
    assert "Traceback" not in said


@pytest.mark.matrix
@pytest.mark.parametrize(
    "overlay",
    ["seed: é".encode("latin-1"), b"seed: 2020-05-45\n", b"papers: &a {toy2026: *a}\n"],
    ids=["another encoding", "the 45th of May", "an alias in itself"],
)
def test_what_snakemake_cannot_read_deeplimits_names(project: Project, overlay: bytes) -> None:
    """Snakemake ends with a traceback before it comes to our code."""
    project.path("overlay.yaml").write_bytes(overlay)
    said = project.snakemake("--dry-run", "--configfile", "overlay.yaml", expect=1)
    assert "src/deeplimits" not in said
    said = bash(project, "python -m deeplimits plan --configfile overlay.yaml")
    assert said.code == 1
    assert said.text.startswith("deeplimits plan: overlay.yaml: ")
    assert len(said.text.splitlines()) == 1


@pytest.mark.matrix
def test_results_may_be_a_link_to_another_place(project: Project, finished: Project) -> None:
    elsewhere = project.root.parent / "scratch"
    project.path("results").rename(elsewhere)
    project.path("results").symlink_to(elsewhere)
    project.path("results/toy2026/walks.parquet").unlink()
    project.snakemake()
    assert project.made("results/.", "figures") == finished.made("results/.", "figures")
    assert project.planned() == set()


@pytest.mark.matrix
def test_texts_reach_the_tables_as_they_are(project: Project) -> None:
    odd = [
        "{x}",
        "$HOME",
        "`id`",
        "'",
        '"',
        "\\",
        "\nSPECIFICATION\n",
        "%s",
        "\u202e",
        "e\u0301",
        " ",
    ]
    project.configure(lambda raw: axes(raw).update(kind=odd, drift=[1], spread=[1], replica=[0]))
    project.snakemake("results/toy2026/walks.parquet")
    table = tables.read(project.path("results/toy2026/walks.parquet"))
    assert set(table["kind"].to_pylist()) == set(odd)
