"""What files cost, and the page of one command per claim."""

import re
from pathlib import Path
from typing import Any

import pytest

from deeplimits import claim_page, config, config_files, costs, judging, provenance, tables
from deeplimits.errors import UserError
from deeplimits.plan import Plan
from deeplimits.schema import Column

ROOT = Path(__file__).parents[1]
HEADER = "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n"


def benchmark(path: str, wall: float, memory: float, cpu: float) -> None:
    file = Path("results") / path
    file.parent.mkdir(parents=True, exist_ok=True)
    row = f"{wall}\t0:00:01\t{memory}\t1\t1\t1\t0\t0\t50\t{cpu}\n"
    file.write_text(HEADER + row, encoding="utf-8")


@pytest.fixture
def plan(toy: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """The plan of the toy papers, and benchmarks of its walks: a grid, two jobs, what follows."""
    monkeypatch.chdir(tmp_path)
    plan = Plan(config.validate(toy))
    first, second = (job for _, name, job in plan.steps["simulate"] if name == "walks")
    benchmark("toy2026/benchmarks/grid/walks.tsv", 1, 10, 0.5)
    benchmark(f"toy2026/benchmarks/simulate/walks/{first}.tsv", 2, 300, 1.5)
    benchmark(f"toy2026/benchmarks/simulate/walks/{second}.tsv", 4, 200, 3.5)
    benchmark("toy2026/benchmarks/aggregate/walks.tsv", 8, 20, 7.5)
    benchmark("toy2026/benchmarks/estimate/walks.tsv", 16, 30, 15.5)
    benchmark("toy2026/benchmarks/judge.tsv", 32, 40, 31.5)
    return plan


ESTIMATES = "results/toy2026/walks_estimates.parquet"


def test_the_cost_of_a_file_is_that_of_all_it_is_made_from(plan: Plan) -> None:
    assert costs.of(plan, ["results/toy2026/walks.parquet"]) == costs.Cost(4, 15, 13, 300)
    assert costs.of(plan, [ESTIMATES]) == costs.Cost(5, 31, 28.5, 300)
    assert costs.of(plan, ["results/toy2026/claims.parquet"]) == costs.Cost(6, 63, 60, 300)


def test_a_step_that_two_files_need_counts_once(plan: Plan) -> None:
    both = [ESTIMATES, "results/toy2026/walks.parquet"]
    assert costs.of(plan, both) == costs.of(plan, [ESTIMATES])


def test_a_file_outside_the_plan_is_refused(plan: Plan) -> None:
    with pytest.raises(UserError, match=r"^results/odd\.parquet: nothing in the plan makes it"):
        costs.of(plan, ["results/odd.parquet"])


def test_a_missing_benchmark_is_named(plan: Plan) -> None:
    path = Path("results/toy2026/benchmarks/estimate/walks.tsv")
    path.unlink()
    with pytest.raises(UserError, match=f"^{re.escape(str(path))}: no such benchmark"):
        costs.of(plan, [ESTIMATES])


@pytest.mark.parametrize("text", ["", HEADER, HEADER + "1\n", "a\tb\n1\t2\n", HEADER + "NA\tNA\n"])
def test_a_damaged_benchmark_is_named(plan: Plan, text: str) -> None:
    path = Path("results/toy2026/benchmarks/estimate/walks.tsv")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=f"^{re.escape(str(path))}: no benchmark of one job"):
        costs.of(plan, [ESTIMATES])


def test_the_page_has_a_row_for_each_claim(plan: Plan) -> None:
    record = {"identity": "made", "versions": {"numpy": "2.0"}}
    built = tables.build((Column("n", "int64", "1", "a number"),), {"n": [1]}, (), "")
    tables.write(Path("results/claims.parquet"), built, record)
    lines = claim_page.text(plan).splitlines()
    command = f"snakemake {ESTIMATES} && python -m deeplimits verdict toy2026 drift_decides"
    assert lines[-1] == (
        f"| Walks go where their drift points. | 5 | 28 s | 31 s | 0.30 GB | `{command}` |"
    )
    assert any(f"numpy {provenance.versions()['numpy']}" in line for line in lines)


def test_minutes_are_written_from_two_on() -> None:
    assert [claim_page.duration(s) for s in (0.4, 119, 120, 3600)] == [
        *("0 s", "119 s"),
        *("2 min", "60 min"),
    ]


def test_the_tracked_page_has_the_command_of_every_claim() -> None:
    """docs/claims.md against the claims and the plan of config.yaml."""
    plan = Plan(config.validate(config_files.read_files([ROOT / "config.yaml"])))
    page = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+) \| \d+ \| .+ \| .+ \| .+ \| `(.+)` \|$", page, re.MULTILINE)
    expected = [
        (claim.statement.replace("|", "\\|"), claim_page.command(plan, paper, claim))
        for (paper,) in plan.steps["judge"]
        for claim in judging.declared(plan, paper)
    ]
    assert len(expected) > 40
    remedy = "run `snakemake`, then `python -m deeplimits costs > docs/claims.md`"
    assert rows == expected, remedy
    made = {output for by in plan.steps.values() for step in by.values() for output in step.outputs}
    targets = {target for _, row in rows for target in re.findall(r"\S+\.parquet", row)}
    assert len(targets) > 20
    assert targets <= made


@pytest.mark.parametrize(
    ("paper", "claim", "message"),
    [
        ("toy2027", "x", "no claims about 'toy2027'; known: toy2026"),
        ("toy2026", "x", "toy2026 has no claim 'x'; known: drift_decides"),
        ("toy2026", "drift_decides", "results/toy2026/walks_estimates.parquet: no such table; "),
    ],
)
def test_a_verdict_wants_a_claim_and_its_tables(
    plan: Plan, paper: str, claim: str, message: str
) -> None:
    with pytest.raises(UserError, match=f"^{re.escape(message)}"):
        judging.describe(plan, paper, claim)
