"""Costs: what benchmark files say, added up."""

from pathlib import Path

import pytest

from deeplimits.errors import UserError
from deeplimits.report import costs

HEADER = "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n"


@pytest.fixture
def benchmark(tmp_path: Path):
    """Write a benchmark as Snakemake does."""

    def write(name: str, wall: str, memory: str, cpu: str) -> Path:
        path = tmp_path / name
        path.write_text(f"{HEADER}{wall}\t0:00:00\t{memory}\t1\t1\t1\t0\t0\t1\t{cpu}\n")
        return path

    return write


def test_times_add_up_and_the_largest_memory_counts(benchmark, tmp_path):
    paths = [benchmark("a", "70.5", "120.0", "60"), benchmark("b", "4000", "2100.0", "3500")]
    cost = costs.total([*paths, tmp_path / "not measured"])
    assert cost == costs.Cost(jobs=3, measured=2, wall=4070.5, cpu=3560.0, memory=2100.0)
    assert cost.words == "68 min (59 min of CPU) in 3 jobs, 2 measured, largest 2.10 GB"


@pytest.mark.parametrize("missing", ["NA", "-"])
def test_a_job_too_short_to_be_looked_at_has_no_memory(benchmark, missing):
    cost = costs.total([benchmark("a", "0.25", missing, missing)])
    assert cost == costs.Cost(jobs=1, measured=1, wall=0.25, cpu=0.0, memory=None)
    assert cost.words == "0.25 s (0 s of CPU)"


def test_one_job_says_no_number_of_jobs(benchmark):
    assert costs.total([benchmark("a", "42.4", "250", "8.04")]).words == (
        "42 s (8 s of CPU), 0.25 GB"
    )


def test_without_benchmarks_nothing_is_claimed(tmp_path):
    assert costs.total([tmp_path / "a"]).words == "not measured (made without Snakemake)"


@pytest.mark.parametrize(
    "text", ["", HEADER, "s\tx\n1\t2\n", HEADER + "x\t0\t1\t1\t1\t1\t0\t0\t1\t1\n"]
)
def test_a_file_that_is_no_benchmark_is_named(tmp_path, text):
    path = tmp_path / "odd.tsv"
    path.write_text(text)
    with pytest.raises(UserError, match=r"odd\.tsv: no benchmark of one job"):
        costs.total([path])
