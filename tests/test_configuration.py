"""The configurations that the project ships: config.yaml at full scale, smoke and cluster."""

from pathlib import Path

import pytest

from deeplimits import config, grid, plan, registry

ROOT = Path(__file__).parents[1]
FULL = ROOT / "config.yaml"
SMOKE = ROOT / "workflow" / "config" / "smoke.yaml"
CLUSTER = ROOT / "workflow" / "config" / "cluster.yaml"


@pytest.fixture(scope="module")
def smoke() -> plan.Plan:
    return plan.Plan(config.validate(config.read_files([FULL, SMOKE])))


@pytest.fixture(scope="module")
def full() -> plan.Plan:
    return plan.Plan(config.validate(config.read_files([FULL])))


@pytest.fixture(scope="module")
def cluster() -> plan.Plan:
    return plan.Plan(config.validate(config.read_files([FULL, CLUSTER])))


def test_the_cut_for_clusters_changes_no_table_and_makes_fewer_jobs(full, cluster):
    for stage in ("grid", "aggregate", "estimate", "plot", "typeset", "judge"):
        steps = full.steps[stage]
        assert {name: step.identity for name, step in cluster.steps[stage].items()} == {
            name: step.identity for name, step in steps.items()
        }
    assert len(cluster.steps["simulate"]) < len(full.steps["simulate"]) / 2


def test_the_file_for_clusters_holds_nothing_but_other_cuts(full):
    for paper, blocks in config.read_file(CLUSTER)["papers"].items():
        for name, block in blocks.items():
            assert block.keys() == {"split"}
            assert sorted(block["split"]) != full.configuration.experiments[paper][name].split


def test_full_scale_says_so(full):
    assert full.configuration.top.scale == "paper"


def test_smoke_names_every_experiment():
    """Files are merged: an experiment that the overlay leaves out would run at full scale."""
    overlay = config.read_file(SMOKE)["papers"]
    for paper in config.read_file(FULL)["papers"]:
        assert set(overlay[paper]) == set(registry.members(paper, "experiments"))


def test_smoke_is_reduced_and_apart(smoke, full):
    assert smoke.configuration.top.scale == "reduced"
    folders = [set(p.configuration.top.folders.model_dump().values()) for p in (smoke, full)]
    assert not folders[0] & folders[1]


def test_smoke_has_few_jobs(smoke):
    for paper in smoke.configuration.experiments:
        assert sum(name[0] == paper for name in smoke.steps["simulate"]) <= 20


def test_every_table_of_the_papers_has_its_cells(full):
    """Figs. 2–5: 4 activations × 3 d × 2 biases × 3 a; Fig. 6: 3 d × 3 a; Table 1: 24 rows."""
    cells = {
        name: grid.size(experiment.products)
        for name, experiment in full.configuration.experiments["agazzi2026"].items()
    }
    assert cells["table1"] == 24
    assert cells["trajectories"] == 2
    assert cells["synchronization"] == 72 + 9
