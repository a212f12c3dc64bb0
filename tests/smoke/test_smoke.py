"""The real pipeline, small: everything is made, carries its record, and is made once."""

import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest

import browser
import slurm_cluster
from cluster_project import ClusterProject
from deeplimits import inspection, tables
from toy_project import CHECKOUT, Project

SMOKE, CUT = "workflow/config/smoke.yaml", "workflow/config/cluster.yaml"
OVERLAY = ("--configfile", SMOKE)
FOLDERS = ("smoke/results", "smoke/figures")


def checkout(root: Path) -> Project:
    """A copy of the files of this checkout that a clone would have, edits included."""
    command = ["git", "-C", str(CHECKOUT), "ls-files", "-z", "--cached", "--others"]
    listed = subprocess.run([*command, "--exclude-standard"], capture_output=True, check=True)
    for name in listed.stdout.decode().split("\0"):
        if name and (CHECKOUT / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / name, root / name)
    return Project(root)


@pytest.fixture(scope="module")
def smoke(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = checkout(tmp_path_factory.mktemp("smoke") / "project")
    project.snakemake(*OVERLAY)
    return project


def test_everything_is_made_and_nothing_is_left_to_do(smoke):
    assert smoke.planned(*OVERLAY) == set()


def test_all_figures_carry_caption_and_record(smoke):
    figures = sorted(smoke.path("smoke/figures").rglob("*.p[nd][gf]"))
    assert {f"agazzi2026/fig{n}" for n in range(1, 7)} <= {
        f"{path.parent.name}/{path.stem}" for path in figures
    }
    for path in figures:
        text = inspection.describe(path)
        assert '"scale": "reduced"' in text
        assert path.stem in text


def test_every_claim_is_marked_as_reduced(smoke):
    claims = tables.read(smoke.path("smoke/results/claims.parquet")).to_pandas()
    assert set(claims["scale"]) == {"reduced"}
    assert set(claims["verdict"]) <= {"reproduced", "contradicted", "inconclusive"}
    page = smoke.path("smoke/results/claims.md").read_text(encoding="utf-8")
    for paper, name in zip(claims["paper"], claims["claim"], strict=True):
        assert f"## {paper}: {name}" in page


def test_table_1_is_the_papers_also_when_small(smoke):
    table = pd.read_csv(smoke.path("smoke/results/agazzi2026/table1.csv"))
    assert len(table) == 24
    for name in ("kappa1", "dkappa1", "lambda1", "lambda_bar"):
        ours, paper = table[name].map("{:.2e}".format), table[f"paper_{name}"].map("{:.2e}".format)
        assert (ours == paper).all()


def test_the_report_holds_every_figure_and_claim_and_is_small(smoke):
    page = smoke.path("smoke/results/report.html")
    text = page.read_text(encoding="utf-8")
    claims = tables.read(smoke.path("smoke/results/claims.parquet")).to_pandas()
    for paper, name in zip(claims["paper"], claims["claim"], strict=True):
        assert text.count(f'id="claim-{paper}-{name}"') == 1
    figures = list(smoke.path("smoke/figures").rglob("*.png"))
    for path in figures:
        assert text.count(f'id="figure-{path.parent.name}-{path.stem}"') == 1
    assert text.count('src="data:image/png;base64,') == len(figures)
    assert "not measured" not in text
    assert page.stat().st_size < 8e6


@pytest.mark.matrix
@browser.needed
def test_the_report_is_whole_silent_and_accessible_in_a_browser(smoke):
    with browser.visit(smoke.path("smoke/results/report.html")) as visit:
        visit.load_images()
        assert visit.broken_images() == []
        assert visit.dangling_links() == []
        assert [path for path in visit.files() if not path.is_file()] == []
        assert [url for url in visit.requests[1:] if not url.startswith("data:")] == []
        assert visit.violations() == []
        assert visit.errors + visit.remarks == []


@pytest.mark.matrix
def test_a_second_run_makes_the_same_bytes(smoke, tmp_path):
    """On a cluster, with its own cut of the grids; on other cores here if there is no SLURM."""
    again = checkout(tmp_path / "again")
    if slurm_cluster.missing():
        again.snakemake(*OVERLAY, "--cores", "3")
    else:
        with slurm_cluster.running() as cluster:
            ClusterProject(again.root, cluster).submit("--configfile", CUT, SMOKE)
    made, remade = (
        {name: content for name, content in project.made(*FOLDERS).items() if "/jobs/" not in name}
        for project in (smoke, again)
    )
    assert made.keys() == remade.keys()
    assert [name for name in made if made[name] != remade[name]] == []
