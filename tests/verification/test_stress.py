"""The released stress run: written from a finished one, beside the verdicts here, and sealed."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from deeplimits import judging, registry, released, stress, tables
from deeplimits.errors import UserError
from deeplimits.verification import stress as release
from faults import bash
from toy_chain import Chain
from toy_project import CHECKOUT, Project

NAME = ("toy2026", "drift_decides")
STRESS = {
    "seed": 2,
    "scale": "stress",
    "folders": {"results": "stress/results", "figures": "stress/figures", "logs": "stress/logs"},
}
CSV, RECORD = (released.FOLDER / name for name in released.STRESS)


def finished(raw: dict[str, Any]) -> Chain:
    """The claims of a configuration, judged and summed up."""
    run = Chain(raw)
    run.until("summarize")
    run.make("summarize")
    return run


@pytest.fixture
def stressed(chain: Chain, toy: dict[str, Any]) -> Chain:
    """A finished stress run that is released."""
    run = finished(toy | STRESS)
    assert write(run) == ["toy2026/drift_decides: reproduced"]
    return run


def write(run: Chain) -> list[str]:
    step = run.plan.step("summarize")
    seed = run.plan.configuration.top.seed
    return release.write(released.FOLDER, Path(step.outputs[0]), step.identity, seed)


def rows(run: Chain) -> list[dict[str, Any]]:
    return tables.read(Path(run.plan.step("summarize").outputs[0])).to_pylist()


def page(run: Chain) -> str:
    return Path(run.plan.step("summarize").outputs[1]).read_text(encoding="utf-8")


def test_a_release_holds_the_verdicts_and_what_made_them(stressed: Chain) -> None:
    (judged,) = rows(stressed)
    found = release.read(released.FOLDER)
    assert found is not None
    assert found == {
        NAME: stress.Stressed(
            stress.rule_digest(judged["statement"], judged["rule"]),
            judged["verdict"],
            judged["measured"],
            judged["setting_ours"],
        )
    }
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    assert (record["seed"], record["commit"]) == (2, "unknown")
    assert (
        record["versions"]
        == tables.record_of(tables.read(Path("stress/results/claims.parquet")))["versions"]
    )


def test_a_release_is_written_alike_twice(stressed: Chain) -> None:
    before = [path.read_bytes() for path in (CSV, RECORD)]
    write(stressed)
    assert [path.read_bytes() for path in (CSV, RECORD)] == before


def test_another_run_than_that_of_the_plan_is_not_released(
    chain: Chain, toy: dict[str, Any]
) -> None:
    finished(toy | STRESS)
    with pytest.raises(UserError, match=r"stress/results/claims\.parquet: made from another code"):
        write(Chain(toy | STRESS | {"seed": 3}))
    assert not released.FOLDER.exists()


def test_the_summary_shows_both_verdicts_and_the_joint_one(
    stressed: Chain, toy: dict[str, Any]
) -> None:
    here = finished(toy)
    (row,), (other,) = rows(here), rows(stressed)
    assert (row["verdict"], row["stress_verdict"]) == ("reproduced", "reproduced")
    assert (row["stress_measured"], row["stress_setting"]) == (
        other["measured"],
        other["setting_ours"],
    )
    assert row["measured"] != other["measured"], "one seed"
    assert row["joint_verdict"] == "reproduced"
    assert row["joint_reason"] == "reproduced here and under stress"
    text = page(here)
    assert "| **reproduced** | reproduced | **reproduced** | ours |" in text
    assert "- **joint verdict**: reproduced (reproduced here and under stress)\n" in text
    assert f"- **measured under stress**: {other['measured']}\n" in text


def test_a_flip_is_inconclusive(stressed: Chain, toy: dict[str, Any], rewrite: Any) -> None:
    rewrite(Path("stress/results/claims.parquet"), replacing("verdict", "contradicted"))
    write(stressed)
    here = finished(toy)
    (row,) = rows(here)
    assert (row["verdict"], row["stress_verdict"]) == ("reproduced", "contradicted")
    assert row["joint_verdict"] == "inconclusive"
    assert row["joint_reason"] == "reproduced here, contradicted under stress"
    assert "| **reproduced** | contradicted | **inconclusive** | ours |" in page(here)


def test_a_stress_verdict_by_another_rule_does_not_count(
    stressed: Chain, toy: dict[str, Any], rewrite: Any
) -> None:
    rewrite(Path("stress/results/claims.parquet"), replacing("rule", "by another rule"))
    write(stressed)
    here = finished(toy)
    (row,) = rows(here)
    assert (row["stress_verdict"], row["joint_verdict"]) == (None, "reproduced")
    assert row["joint_reason"].startswith("not stressed: the released stress verdict is on another")
    assert "| **reproduced** | none | **reproduced** | ours |" in page(here)
    assert "under stress**" not in page(here)


def test_a_claim_that_the_stress_run_did_not_judge_stands_beside_others(
    stressed: Chain, toy: dict[str, Any], rewrite: Any
) -> None:
    here = Chain(toy)
    here.until("summarize")
    again = replacing("claim", "judged_later")
    rewrite(
        Path("results/toy2026/claims.parquet"),
        lambda table: pa.concat_tables([table, again(table)]),
    )
    here.make("summarize")
    first, second = rows(here)
    assert (first["stress_verdict"], second["stress_verdict"]) == ("reproduced", None)
    assert second["joint_verdict"] == "reproduced"
    assert second["joint_reason"] == stress.UNKNOWN
    assert "| **reproduced** | none | **reproduced** | ours |" in page(here)
    assert page(here).count("- **measured under stress**: ") == 1


def replacing(column: str, value: str) -> Any:
    """A change of a table: one column holds this value in every row."""

    def change(table: pa.Table) -> pa.Table:
        place = table.schema.get_field_index(column)
        values = pa.array([value] * len(table), pa.string())
        return table.set_column(place, table.schema.field(column), values)

    return change


def test_without_a_release_the_page_says_so_once(chain: Chain, toy: dict[str, Any]) -> None:
    here = finished(toy)
    (row,) = rows(here)
    assert (row["stress_verdict"], row["joint_verdict"]) == (None, "reproduced")
    assert row["joint_reason"] == stress.UNRELEASED
    assert page(here).count("no stress run is released") == 1
    assert "joint |" not in page(here)
    assert "**joint verdict**" not in page(here)


@pytest.mark.parametrize("scale", ["reduced", "stress"])
def test_other_scales_form_no_joint_verdict_and_say_why(
    stressed: Chain, toy: dict[str, Any], scale: str
) -> None:
    run = finished(toy | {"scale": scale})
    (row,) = rows(run)
    assert row["scale"] == scale
    assert (row["stress_verdict"], row["joint_verdict"]) == (None, None)
    assert row["joint_reason"] == stress.UNFORMED[scale]
    assert page(run).count(stress.UNFORMED[scale]) == 1
    assert "| under stress |" not in page(run)


def change(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"reproduced", b"contradicted"))


DAMAGES = {
    "a verdict is changed": (lambda: change(CSV), "stress.csv: changed after it was released; "),
    "the table is lost": (CSV.unlink, "stress.csv: can't be read (No such file or directory); "),
    "the record is lost": (RECORD.unlink, "stress.json: can't be read (No such file or director"),
    "the record is cut": (lambda: RECORD.write_text("{"), "stress.json: no record of a release; "),
    "the record is a list": (lambda: RECORD.write_text("[]"), "stress.json: no record of a rele"),
    "the record is empty": (lambda: RECORD.write_text("{}"), "stress.json: no record of a relea"),
}


@pytest.mark.parametrize(("damage", "message"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_release_is_one_line_of_the_summary(
    stressed: Chain, toy: dict[str, Any], damage: Any, message: str
) -> None:
    damage()
    with pytest.raises(UserError) as caught:
        finished(toy)
    assert str(caught.value).startswith(f"released/{message}")
    assert "take it from the repository again" in str(caught.value)
    assert not Path("results/claims.md").exists()


def test_one_claim_by_itself_has_its_joint_verdict(stressed: Chain, toy: dict[str, Any]) -> None:
    here = finished(toy)
    lines = judging.describe(here.plan, *NAME).splitlines()
    assert lines[1] == "joint verdict: reproduced (reproduced here and under stress)"
    change(CSV)
    with pytest.raises(UserError, match=r"stress\.csv: changed after it was released"):
        judging.describe(Chain(toy).plan, *NAME)


def test_a_release_of_other_columns_names_the_remedy(
    stressed: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "COLUMNS", (*release.COLUMNS, "more"))
    with pytest.raises(UserError, match=r"stress\.csv: other columns .* `make release-stress`"):
        release.read(released.FOLDER)


def test_a_release_that_changes_under_a_run_is_noticed(
    stressed: Chain, toy: dict[str, Any]
) -> None:
    run = Chain(toy)
    run.until("summarize")
    CSV.unlink()
    RECORD.unlink()
    with pytest.raises(UserError, match=r"released/stress\.csv: changed just now; run snakemake"):
        run.make("summarize")


def test_a_release_counts_for_the_summary_and_the_report_alone(
    chain: Chain, toy: dict[str, Any]
) -> None:
    before = Chain(toy).plan
    released.FOLDER.mkdir()
    CSV.write_text("anything")
    after, other = Chain(toy).plan, Chain(toy | STRESS).plan
    CSV.write_text("anything else")
    again, same = Chain(toy).plan, Chain(toy | STRESS).plan
    for stage, steps in before.steps.items():
        keys = [plan.steps[stage][name].key for plan in (before, after, again) for name in steps]
        assert len(set(keys)) == (3 if stage in ("summarize", "report") else len(steps))
    assert other.steps == same.steps


@pytest.mark.chain
def test_a_stress_run_through_the_chain_is_released_and_then_stands_beside(
    project: Project,
) -> None:
    """Snakemake twice: the stress run by an overlay, then the run here."""
    overlay = "\n".join(
        (
            "seed: 2",
            "scale: stress",
            "folders: {results: stress/results, figures: stress/figures, logs: stress/logs}",
            "papers: {toy2026: {walks: {settings: {steps: 8}}}}",
        )
    )
    project.path("stress.yaml").write_text(overlay, encoding="utf-8")
    here = project.path("results/claims.parquet")
    assert tables.read(here)["joint_reason"].to_pylist() == [stress.UNRELEASED]
    project.snakemake("stress/results/claims.parquet", "--configfile", "stress.yaml")
    assert not project.path("stress/figures").exists()
    said = bash(project, "python -m deeplimits release --configfile stress.yaml")
    assert (said.code, said.text) == (0, "toy2026/drift_decides: reproduced\n")
    assert project.planned() == {"summarize", "report"}
    project.snakemake()
    (row,) = tables.read(here).to_pylist()
    assert (row["stress_verdict"], row["joint_verdict"]) == ("reproduced", "reproduced")
    assert project.planned() == set()


def test_the_tracked_release_is_of_a_stress_run_of_these_claims() -> None:
    found = release.read(CHECKOUT / "released")
    judged = {
        (paper, claim.name): stress.rule_digest(claim.statement, claim.rule)
        for paper in registry.papers()
        if registry.has_claims(paper)
        for claim in registry.load(paper, "claims").CLAIMS
    }
    assert found is not None
    assert {name: other.rule for name, other in found.items()} == judged
