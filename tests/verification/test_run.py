"""A finished run of the toy papers is verified: honest ones pass, planted errors are named."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import yaml

from deeplimits import cli, provenance, registry, rng, tables
from toy_chain import Chain

WALKS = Path("results/toy2026/walks.parquet")
SAME = "no difference"


def made(raw: dict[str, Any]) -> Chain:
    """Tables and estimates of a configuration, which is put into the working folder."""
    Path("config.yaml").write_text(yaml.safe_dump(raw), encoding="utf-8")
    chain = Chain(raw)
    for stage in ("grid", "simulate", "aggregate", "estimate"):
        chain.make(stage)
    return chain


@pytest.fixture
def released(toy: dict[str, Any], chain: Chain) -> dict[str, Any]:
    """A run and its release; returns the configuration."""
    made(toy)
    assert cli.main(["release"]) == 0
    return toy


@pytest.fixture
def verify(capsys: pytest.CaptureFixture) -> Callable[..., tuple[int, list[str]]]:
    """Verify the run in the working folder; returns the exit code and all lines."""

    def verify(*arguments: str) -> tuple[int, list[str]]:
        capsys.readouterr()
        status = cli.main(["verify", *arguments])
        said = capsys.readouterr()
        return status, [*said.out.splitlines(), *said.err.splitlines()]

    return verify


def with_record(change: Callable[[dict[str, Any]], Any], path: Path = WALKS) -> None:
    """Write a table again under another record, as another machine or version would."""
    content = path.read_bytes()
    table = tables.read(path)
    record = tables.record_of(table)
    change(record)
    tables.write(path, table, record)
    assert path.read_bytes() != content


def test_an_honest_run_passes_bit_for_bit(released: dict[str, Any], verify: Any) -> None:
    status, lines = verify("--all")
    assert status == 0
    assert lines[0] == (
        "tiny2027/squares: 2 of 2 cells recomputed, 1 columns compared bit for bit: the same"
    )
    assert "toy2026/walks: 24 of 24 cells recomputed, 2 columns compared bit for bit: the same" in (
        lines
    )
    assert lines[-1] == "30 cells and 24 released numbers compared: no difference"


def test_a_sample_has_every_experiment_and_its_seed_decides(
    released: dict[str, Any], verify: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, lines = verify("--cells", "3")
    assert (status, [line.split(" cells")[0] for line in lines[:3]]) == (
        0,
        ["tiny2027/squares: 1 of 2", "toy2026/powers: 1 of 4", "toy2026/walks: 1 of 24"],
    )
    module = registry.load("toy2026", "experiments", "walks")
    original, cells = module.simulate, []
    monkeypatch.setattr(
        module, "simulate", lambda cell, *rest: cells.append(cell) or original(cell, *rest)
    )
    for seed in ("1", "1", *map(str, range(2, 8))):
        verify("--cells", "3", "--seed", seed)
    assert cells[0] == cells[1]
    assert len(set(map(str, cells))) > 1


def one_percent_more(monkeypatch: pytest.MonkeyPatch) -> None:
    module = registry.load("toy2026", "model")
    walk = module.walk
    monkeypatch.setattr(module, "walk", lambda n, drift, *rest: walk(n, 1.01 * drift, *rest))


def other_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    derive = rng.derive
    monkeypatch.setattr(rng, "derive", lambda root, *rest: derive(root + 1, *rest))


@pytest.mark.parametrize("plant", [one_percent_more, other_seeds])
@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_changed_formula_is_named_by_cell_and_column(
    released: dict[str, Any],
    verify: Any,
    monkeypatch: pytest.MonkeyPatch,
    plant: Callable[[pytest.MonkeyPatch], None],
    elsewhere: bool,
) -> None:
    if elsewhere:
        with_record(lambda record: record["simulated_with"][0]["versions"].update(numpy="1.0"))
    plant(monkeypatch)
    status, lines = verify("--all")
    assert status == 1
    named = [line for line in lines if line.startswith(f"{WALKS}: cell {{'drift': 0.5,")]
    assert len(named) == 12
    assert "column position differs in 4 of 4 rows, first " in named[0]
    assert lines[-1].startswith("deeplimits verify: 30 cells and 24 released numbers compared: ")
    assert SAME not in lines[-1]


def shifted(table: pa.Table) -> pa.Table:
    index = table.schema.get_field_index("position")
    values = np.roll(table["position"].to_numpy(), 1)
    return table.set_column(index, table.schema.field(index), pa.array(values))


def flipped(table: pa.Table) -> pa.Table:
    index = table.schema.get_field_index("position")
    values = table["position"].to_numpy().copy()
    values[5] = np.nextafter(values[5], np.inf)
    return table.set_column(index, table.schema.field(index), pa.array(values))


def without_a_row(table: pa.Table) -> pa.Table:
    return pa.concat_tables([table.slice(0, 5), table.slice(6)])


@pytest.mark.parametrize(
    ("change", "count", "text"),
    [
        (shifted, 24, "column position differs in "),
        (flipped, 1, "column position differs in 1 of 4 rows"),
        (without_a_row, 1, "3 rows, recomputed 4"),
    ],
)
def test_a_changed_table_is_named(
    released: dict[str, Any], verify: Any, rewrite: Any, change: Any, count: int, text: str
) -> None:
    rewrite(WALKS, change)
    status, lines = verify("--all")
    assert status == 1
    assert len([line for line in lines if line.startswith(str(WALKS)) and text in line]) == count


def test_elsewhere_the_last_bits_may_differ(
    released: dict[str, Any], verify: Any, rewrite: Any
) -> None:
    rewrite(WALKS, flipped)
    with_record(lambda record: record["simulated_with"][0]["machine"].update(libc="other 1"))
    status, lines = verify("--all")
    here = provenance.machine()["libc"]
    assert status == 0
    assert any(
        line.endswith(f"compared within 1e-06, as libc other 1 there, {here} here: the same")
        for line in lines
    )


def test_a_run_with_another_seed_passes(released: dict[str, Any], verify: Any) -> None:
    made(released | {"seed": 2})
    status, lines = verify("--all")
    assert status == 0, lines
    assert any("8 estimates compared in standard errors, at most" in line for line in lines)


def test_a_wrong_estimate_of_another_seed_is_named(
    released: dict[str, Any], verify: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = registry.load("toy2026", "estimates", "walks")
    estimate = module.estimate
    monkeypatch.setattr(
        module, "estimate", lambda table: estimate(table.assign(position=table["position"] + 50))
    )
    made(released | {"seed": 2})
    status, lines = verify("--cells", "1")
    assert status == 1
    assert any(line.startswith("toy2026/walks: end of (a, 0.5, 0.1) is 5") for line in lines)


def test_a_table_of_another_configuration_is_named(
    toy: dict[str, Any], released: dict[str, Any], verify: Any
) -> None:
    for change, text in (
        ({"seed": 5}, "seed 1, not 5"),
        ({"papers": {**toy["papers"], "tiny2027": {"squares": {"grid": [{"size": [1]}]}}}}, "prod"),
    ):
        Path("config.yaml").write_text(yaml.safe_dump(toy | change), encoding="utf-8")
        status, lines = verify("--all")
        assert status == 1
        assert any(f"made with another configuration: {text}" in line for line in lines), lines


def test_other_settings_than_released_are_named(
    toy: dict[str, Any], released: dict[str, Any], verify: Any
) -> None:
    toy["papers"]["toy2026"]["walks"]["settings"]["steps"] = 5
    made(toy)
    status, lines = verify("--cells", "1")
    assert status == 1
    assert (
        "results/toy2026/walks_estimates.parquet: other than released: settings.steps 5, not 4"
        in lines
    )


def test_a_reduced_run_is_not_compared_with_the_release(
    toy: dict[str, Any], released: dict[str, Any], verify: Any
) -> None:
    made(toy | {"scale": "reduced"})
    status, lines = verify("--cells", "1")
    assert status == 0
    assert "toy2026/walks: reduced scale; the release is of paper scale" in lines
    assert lines[-1] == "1 cells and 0 released numbers compared: no difference"


def test_what_was_not_made_is_listed(released: dict[str, Any], verify: Any) -> None:
    WALKS.unlink()
    status, lines = verify("--cells", "2")
    assert status == 1  # estimates without their table
    assert lines[-1].endswith("1 difference; not made: toy2026/walks")


def test_nothing_made_is_told(toy: dict[str, Any], chain: Chain, verify: Any) -> None:
    Path("config.yaml").write_text(yaml.safe_dump(toy), encoding="utf-8")
    status, lines = verify()
    assert status == 1
    assert lines == [
        "deeplimits verify: results: no table of the configuration is there; run snakemake"
    ]


def test_benchmarks_decide_about_the_size_of_the_sample(
    released: dict[str, Any], verify: Any
) -> None:
    (job,) = Path("results/toy2026/jobs/powers").glob("*.parquet")
    path = Path(f"results/toy2026/benchmarks/simulate/powers/{job.stem}.tsv")
    path.parent.mkdir(parents=True)
    path.write_text("s\th:m:s\n40.0\t0:00:40\n", encoding="utf-8")
    _, lines = verify()
    # 10 s a cell, and 20 s for each of three experiments
    assert [line.split(" cells")[0] for line in lines[:3]] == [
        *("tiny2027/squares: 1 of 2", "toy2026/powers: 2 of 4", "toy2026/walks: 1 of 24")
    ]
