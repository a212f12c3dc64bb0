"""Estimates, claims and their summary."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deeplimits import judging, provenance, stress, tables
from deeplimits.claims import COLUMNS as CLAIM_COLUMNS
from deeplimits.errors import UserError


@pytest.fixture
def estimated(chain: Any) -> Any:
    chain.until("judge")
    return chain


def claims(chain: Any) -> list[dict]:
    (path,) = chain.make("judge")
    return tables.read(path).to_pylist()


def test_estimates_have_their_schema_and_record(estimated: Any) -> None:
    table = tables.read(Path("results/toy2026/walks_estimates.parquet"))
    assert table.schema.names == ["kind", "drift", "spread", "walks", "end", "end_se"]
    assert len(table) == 8
    source = tables.read(Path("results/toy2026/walks.parquet"))
    record = tables.record_of(table)
    assert record["table"]["identity"] == tables.record_of(source)["identity"]


def test_estimates_from_another_table_are_refused(toy: dict[str, Any], estimated: Any) -> None:
    other = type(estimated)(toy | {"seed": 2})
    with pytest.raises(UserError, match=r"walks\.parquet: made from another"):
        other.make("estimate")


def test_a_claim_is_one_row(estimated: Any) -> None:
    (row,) = claims(estimated)
    assert row["paper"] == "toy2026"
    assert row["claim"] == "drift_decides"
    assert row["verdict"] == "reproduced"
    assert row["scale"] == "ours"
    assert row["tables"] == "walks_estimates"
    frame = tables.frame(tables.read(Path("results/toy2026/walks_estimates.parquet")))
    best = frame.sort_values(["drift", "spread"], ascending=[False, True]).iloc[0]
    assert (row["value"], row["error"]) == (best["end"], best["end_se"])


@pytest.mark.parametrize("scale", ["reduced", "stress"])
def test_a_run_at_another_scale_says_so_in_every_claim(
    toy: dict[str, Any], chain: Any, scale: str
) -> None:
    run = type(chain)(toy | {"scale": scale})
    run.until("judge")
    assert [row["scale"] for row in claims(run)] == [scale]


@pytest.mark.parametrize(
    ("scale", "joint"),
    [
        ("paper", f"reproduced ({stress.UNRELEASED})"),
        *((scale, f"none ({reason})") for scale, reason in stress.UNFORMED.items()),
    ],
)
def test_one_claim_is_judged_by_itself_as_with_all_others(
    toy: dict[str, Any], chain: Any, scale: str, joint: str
) -> None:
    run = type(chain)(toy | {"scale": scale})
    run.until("judge")
    text = judging.describe(run.plan, "toy2026", "drift_decides")
    (row,) = claims(run)
    assert text.splitlines() == [
        f"{row['verdict']} (scale: {row['scale']})",
        f"joint verdict: {joint}",
        f"claim: {row['statement']}",
        f"measured: {row['measured']}",
        f"rule: {row['rule']}",
        f"setting here: {row['setting_ours']}",
        f"tables: {row['tables']}",
    ]


def test_one_claim_is_not_judged_from_other_tables(toy: dict[str, Any], estimated: Any) -> None:
    other = type(estimated)(toy | {"seed": 2})
    with pytest.raises(UserError, match=r"walks_estimates\.parquet: made from another"):
        judging.describe(other.plan, "toy2026", "drift_decides")


def test_the_summary_holds_every_claim(estimated: Any) -> None:
    rows = claims(estimated)
    parquet, page = estimated.make("summarize")
    summary = tables.read(parquet)
    assert summary.select([column.name for column in CLAIM_COLUMNS]).to_pylist() == rows
    text = page.read_text(encoding="utf-8")
    for name in ("statement", "reported", "measured", "rule", "setting_paper", "setting_ours"):
        assert rows[0][name] in text
    assert f"- **number**: {rows[0]['value']:.4g} ± {rows[0]['error']:.3g}" in text
    assert "**Versions differ.**" not in text


def test_the_summary_warns_of_other_versions(
    estimated: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims(estimated)
    here = provenance.versions()
    monkeypatch.setattr(provenance, "versions", lambda: here | {"numpy": "9.9"})
    _, page = estimated.make("summarize")
    warnings = [line for line in page.read_text().splitlines() if line.startswith("> **Versions")]
    assert len(warnings) == 3
    assert warnings[2] == (
        f"> **Versions differ.** `toy2026/walks`: numpy {np.__version__} (now 9.9)"
    )


def test_the_summary_warns_of_jobs_that_are_older_than_their_table(
    estimated: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = provenance.versions()
    with monkeypatch.context() as patch:
        patch.setattr(provenance, "versions", lambda: here | {"scipy": "0.1"})
        estimated.run("simulate", estimated.jobs("walks")[0])
    estimated.make("aggregate")
    estimated.make("estimate")
    claims(estimated)
    _, page = estimated.make("summarize")
    warnings = [line for line in page.read_text().splitlines() if line.startswith("> **Versions")]
    assert warnings == [f"> **Versions differ.** `toy2026/walks`: scipy 0.1 (now {here['scipy']})"]
