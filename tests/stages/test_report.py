"""The report of a toy project: what stands on the page, and what stops it."""

import re
import shutil
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from deeplimits import seal, tables
from deeplimits.errors import UserError
from deeplimits.plan import Step

BENCHMARK = "s\th:m:s\tmax_rss\tcpu_time\n{}\t0:00:00\t{}\t{}\n"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test leaves what the report reads, because figures take seconds to draw."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture
def figured(chain: Any, store: Path) -> Any:
    """Everything that the report reads."""
    if not any(store.iterdir()):
        for stage in chain.plan.steps:
            if stage != "report":
                chain.make(stage)
        for folder in ("results", "figures"):
            shutil.copytree(folder, store / folder)
    shutil.copytree(store, ".", dirs_exist_ok=True)
    return chain


@pytest.fixture
def step(figured: Any) -> Step:
    return figured.plan.step("report")


def page(chain: Any, **changes: Any) -> str:
    """The text of the page, entities resolved."""
    (path,) = chain.run("report", chain.plan.step("report"), **changes)
    return unescape(path.read_text(encoding="utf-8"))


def measure(path: str, wall: float, memory: float, cpu: float) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(BENCHMARK.format(wall, memory, cpu))


def test_the_page_has_every_figure_claim_and_table(figured: Any) -> None:
    text = page(figured)
    for target in (
        "figure-toy2026-ends",
        "figure-toy2026-powers",
        "claim-toy2026-drift_decides",
        "table-toy2026-walks",
        "table-toy2026-powers",
        "table-tiny2027-squares",
    ):
        assert text.count(f'id="{target}"') == 1
        assert f'href="#{target}"' in text
    assert text.count("data:image/png;base64,") == 2
    assert "Ends of the walks (ours)." in text


def test_a_claim_is_told_whole(figured: Any) -> None:
    text = page(figured)
    (row,) = tables.read(Path("results/claims.parquet")).to_pylist()
    for name in ("statement", "reported", "measured", "rule", "setting_paper", "setting_ours"):
        assert row[name] in text
    assert '<span class="verdict reproduced">' in text
    assert "(stated by us; scale: ours)" in text
    assert "src/deeplimits/toy2026/claims.py" in text
    assert "&& python -m deeplimits verdict toy2026 drift_decides</code>" in text
    assert "<strong>1 of 1</strong> claims reproduced" in text
    assert "Not reproduced" not in text


def claiming(**values: str) -> Any:
    """A change of the only claim's columns."""

    def change(table: Any) -> Any:
        for name, value in values.items():
            column = table.schema.get_field_index(name)
            table = table.set_column(column, table.schema.field(column), [[value]])
        return table

    return change


def test_what_was_not_reproduced_stands_on_top(figured: Any, rewrite: Any) -> None:
    rewrite(Path("results/claims.parquet"), claiming(joint_verdict="contradicted"))
    text = page(figured)
    assert "<strong>0 of 1</strong> claims reproduced,\n1 contradicted, 0 inconclusive." in text
    top = text[text.index("Not reproduced") : text.index('id="check"')]
    assert top.index('class="verdict contradicted"') < top.index("#claim-toy2026-drift_decides")


def test_the_joint_verdict_counts_and_both_runs_are_told(figured: Any, rewrite: Any) -> None:
    other = {
        "stress_verdict": "contradicted",
        "stress_measured": "nothing of it",
        "stress_setting": "twice as long",
        "joint_verdict": "inconclusive",
        "joint_reason": "reproduced here, contradicted under stress",
    }
    rewrite(Path("results/claims.parquet"), claiming(**other))
    text = page(figured)
    assert "0 contradicted, 1 inconclusive." in text
    assert text.count("; reproduced here, contradicted under stress)") == 2  # with the figure, too
    assert "<dt>under stress</dt><dd>nothing of it</dd>" in text
    assert "<dt>setting under stress</dt><dd>twice as long</dd>" in text


def test_a_claim_that_was_not_stressed_says_so(figured: Any) -> None:
    text = page(figured)
    assert "<dt>setting under stress</dt><dd>not stressed: no stress run is released</dd>" in text
    assert "<dt>under stress</dt>" not in text


def test_it_says_how_to_cite_the_project(figured: Any) -> None:
    assert page(figured).count("<pre><code>@misc{deeplimits,") == 1


def test_parameters_are_the_configured_ones(figured: Any) -> None:
    text = page(figured)
    assert "<code>drift</code>: 0.5, 1.0; <code>kind</code>: a, b;" in text
    assert "<code>offset</code>: 3.0; <code>scale</code>: 2.0; <code>steps</code>: 4" in text


def test_an_interactive_plot_tells_its_numbers(figured: Any) -> None:
    text = page(figured)
    frame = tables.frame(tables.read(Path("results/toy2026/walks_estimates.parquet")))
    narrow = frame[(frame["spread"] == frame["spread"].min()) & (frame["kind"] == "a")]
    for row in narrow.itertuples():
        assert f"<title>drift {row.drift:g}: end {row.end:.2f}</title>" in text
    assert "<title>left <half></title>" in text


def test_costs_are_those_of_the_planned_jobs(figured: Any) -> None:
    folder = "results/toy2026/benchmarks"
    measure(f"{folder}/plot/ends.tsv", 3, 250, 2)
    for job in figured.plan.step("report").specification["jobs"]["toy2026/walks"]:
        measure(f"{folder}/simulate/walks/{job}.tsv", 100, 400, 80)
    measure(f"{folder}/simulate/walks/of_an_older_cut.tsv", 1e6, 9000, 1e6)
    for stage in ("grid", "aggregate", "estimate"):
        measure(f"{folder}/{stage}/walks.tsv", 10, 100, 5)
    text = page(figured)
    assert "drawing: 3 s (2 s of CPU), 0.25 GB" in text
    # beside the figure and the table, and with the claim, which reads the same
    assert text.count("4 min (3 min of CPU) in 5 jobs, largest 0.40 GB") == 3
    assert "not measured (made without Snakemake)" in text  # the other experiments


def test_a_reduced_run_says_so(toy: dict[str, Any], figured: Any) -> None:
    assert "Reduced scale." not in page(figured)
    assert "Reduced scale." in page(figured, scale="reduced")


def test_text_from_tables_is_never_markup(figured: Any, rewrite: Any) -> None:
    rewrite(Path("results/claims.parquet"), claiming(statement="<script>alert()</script>"))
    (made,) = figured.make("report")
    text = made.read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text


def test_links_into_the_project_are_relative_to_the_page(figured: Any) -> None:
    links = re.findall(r'href="([^"#]*)"', page(figured))
    files = {link for link in links if not link.startswith("https://arxiv.org/")}
    assert "../figures/toy2026/ends.pdf" in files
    assert "toy2026/walks.parquet" in files
    assert "../src/deeplimits/toy2026/figures/ends.py" in files
    made = {link for link in files if not link.startswith("../src/")}
    assert [link for link in made if not Path("results", link).is_file()] == []


def test_the_page_is_sealed_with_its_identity(figured: Any, step: Step) -> None:
    (path,) = figured.make("report")
    assert seal.read_note(path.read_bytes(), path) == (step.identity, None)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("figures/toy2026/ends.png", "damaged, or not made by deeplimits; delete it and run again"),
        ("results/claims.parquet", "damaged, or not made by deeplimits; delete it and run again"),
        ("results/toy2026/walks_estimates.parquet", "damaged, or not made by deeplimits"),
    ],
)
def test_a_damaged_input_stops_the_page(figured: Any, name: str, message: str) -> None:
    content = bytearray(Path(name).read_bytes())
    content[len(content) // 2] ^= 1
    Path(name).write_bytes(content)
    with pytest.raises(UserError, match=f"{name}: {message}"):
        figured.make("report")
    assert not Path("results/report.html").exists()
