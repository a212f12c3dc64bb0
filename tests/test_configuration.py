"""The configurations that the project ships: config.yaml at full scale and what is laid over it."""

from pathlib import Path

import pytest

from deeplimits import config, grid, plan, registry

ROOT = Path(__file__).parents[1]
FULL = ROOT / "config.yaml"
SMOKE = ROOT / "workflow" / "config" / "smoke.yaml"
STRESS = ROOT / "workflow" / "config" / "stress.yaml"
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


@pytest.fixture(scope="module")
def stress() -> plan.Plan:
    return plan.Plan(config.validate(config.read_files([FULL, STRESS])))


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


def test_stress_says_so_and_is_apart(stress, smoke, full):
    assert stress.configuration.top.scale == "stress"
    folders = [
        set(p.configuration.top.folders.model_dump().values()) for p in (stress, smoke, full)
    ]
    assert not folders[0] & (folders[1] | folders[2])


def test_stress_changes_every_table_that_a_claim_reads(stress, full):
    """By its root seed; what has no seed, since nothing is random, by its cells or settings."""
    assert stress.configuration.top.seed != full.configuration.top.seed
    for name, step in full.steps["judge"].items():
        there = stress.steps["judge"][name].specification["tables"]
        for table, source in step.specification["tables"].items():
            assert there[table]["identity"] != source["identity"], (name, table)


def test_what_stress_names_differs_by_more_than_its_seed(stress, full):
    for paper, blocks in config.read_file(STRESS)["papers"].items():
        for name in blocks:
            there, here = (p.configuration.experiments[paper][name] for p in (stress, full))
            same = (there.products, there.settings) == (here.products, here.settings)
            assert not same, f"{paper}.{name}"
            assert (there.split, there.paired) == (here.split, here.paired)


def test_only_what_is_said_differs_by_its_seed_alone(stress, full):
    """An experiment with a claim that the overlay forgets would not be stressed."""
    named = config.read_file(STRESS)["papers"]
    forgotten = {
        name
        for paper, experiments in full.configuration.experiments.items()
        for name in experiments
        if name not in named[paper]
    }
    assert forgotten == {"noise_ablation", "paths", "trajectories"}
    judged = {
        table.removesuffix("_estimates")
        for step in full.steps["judge"].values()
        for table in step.specification["tables"]
    }
    assert forgotten & judged == {"noise_ablation"}


def test_stress_has_no_cell_of_reduced_size(stress, full):
    """What is doubled is at least as long, as fine and as large as at the papers' settings."""
    for paper, experiments in full.configuration.experiments.items():
        for name, here in experiments.items():
            there = stress.configuration.experiments[paper][name]
            for key in ("horizon", "last", "clock", "longest", "layers", "doublings", "tokens"):
                if key in here.settings:
                    assert there.settings[key] >= here.settings[key], (paper, name, key)
            for axis in {"epsilon", "dt", "step"} & there.products[0].keys():
                finest = [
                    min(value for product in side.products for value in product[axis])
                    for side in (there, here)
                ]
                assert finest[0] <= finest[1], (paper, name, axis)
