"""Two cheap experiments of the real papers: honest runs pass, wrong formulas are named."""

from pathlib import Path

import pytest

from deeplimits import config
from deeplimits.agazzi2026 import theory
from deeplimits.kale2026 import sets
from deeplimits.verification import release, run
from toy_chain import Chain
from toy_project import CHECKOUT

TABLE1 = ("agazzi2026", "table1")
STRETCHED = ("kale2026", "stretched")
EVERY = run.Sample(every=True)
FILES = [CHECKOUT / name for name in ("config.yaml", "workflow/config/smoke.yaml")]


def made(seed: int) -> tuple[config.Configuration, Path]:
    """Table 1, and the stretched law on 24 small sets, by one seed."""
    raw = config.read_files(FILES)
    results = f"results{seed}"
    raw |= {"seed": seed, "folders": {**raw["folders"], "results": results}}
    raw["papers"]["kale2026"]["stretched"]["settings"]["replicas"] = 12
    chain = Chain(raw)
    for name in (TABLE1, STRETCHED):
        for stage in ("grid", "simulate", "aggregate"):
            chain.make(stage, *name)
    chain.make("estimate", *STRETCHED)
    return chain.plan.configuration, Path(results)


def verification(configuration: config.Configuration, results: Path) -> run.Verification:
    return run.Verification(configuration, results, say=lambda line: None)


@pytest.fixture
def first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> run.Verification:
    """A run with seed 1, and the release of its one table with estimates."""
    monkeypatch.chdir(tmp_path)
    configuration, results = made(1)
    release.write(Path("released"), results, [STRETCHED])
    return verification(configuration, results)


def test_an_honest_run_is_the_same(first: run.Verification) -> None:
    first.check_cells(EVERY)
    first.check_estimates(Path("released"))
    assert first.differences == []
    assert first.recomputed == 24 + 2


def test_a_wrong_constant_of_table_1_is_named(
    first: run.Verification, monkeypatch: pytest.MonkeyPatch
) -> None:
    lambda1 = theory.lambda1
    monkeypatch.setattr(theory, "lambda1", lambda kernel: 1.01 * lambda1(kernel))
    first.check_cells(EVERY)
    assert len(first.differences) == 24
    assert all("column lambda1 differs in 1 of 1 rows" in line for line in first.differences)


def test_estimates_of_another_seed_pass(first: run.Verification) -> None:
    other = verification(*made(2))
    other.check_estimates(Path("released"))
    assert other.differences == []
    assert other.numbers > 50


def test_a_wrong_schedule_fails_whatever_the_seed(
    first: run.Verification, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The schedule is told margins that are 30% too small, and descends by other steps."""
    margins = sets.margins
    monkeypatch.setattr(sets, "margins", lambda chosen: 0.7 * margins(chosen))
    other = verification(*made(2))
    other.check_estimates(Path("released"))
    assert any(line.startswith("kale2026/stretched: ratio of (") for line in other.differences)
