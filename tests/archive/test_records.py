"""Snakemake's records, as an archive reads them."""

import base64
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from deeplimits.archive import records
from deeplimits.archive.names import METADATA
from deeplimits.errors import UserError
from deeplimits.plan import Plan
from toy_chain import Chain

TABLE = "results/toy2026/walks.parquet"
READ = "results/toy2026/walks_estimates.parquet"  # by the figure
FIGURE = "figures/toy2026/ends.pdf"


def place(output: str, length: int = 254) -> Path:
    """Where Snakemake puts a record: base64 in pieces, all but the last one folders."""
    name = base64.urlsafe_b64encode(output.encode()).decode()
    pieces = [name[start : start + length] for start in range(0, len(name), length)]
    return Path(METADATA, *(f"@{piece}" for piece in pieces[:-1]), pieces[-1])


def record(path: Path, **values: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"starttime": 0.5, "endtime": 60, "input_checksums": {}} | values))


def digests(plan: Plan) -> dict[str, str]:
    """A digest for each input of the plan: its name backwards."""
    steps = [step for named in plan.steps.values() for step in named.values()]
    return {name: name[::-1] for step in steps for name in step.inputs}


@pytest.fixture
def plan(chain: Chain) -> Plan:
    """The plan of the toy papers, with a record for every output in the working folder."""
    found = digests(chain.plan)
    for steps in chain.plan.steps.values():
        for step in steps.values():
            sums = {name: f"sha256:{found[name]}" for name in step.inputs}
            for output in step.outputs:
                record(place(output), input_checksums=sums)
    return chain.plan


def test_every_output_has_its_record(plan: Plan) -> None:
    record(place("results/of/another/configuration.parquet"))
    record(Path(METADATA, "no base64!"))
    found = records.read(plan)
    outputs = [o for named in plan.steps.values() for step in named.values() for o in step.outputs]
    assert list(found) == outputs
    assert found[TABLE].path == place(TABLE)
    assert found[TABLE].start == datetime(1970, 1, 1, 0, 0, 0, 500_000, tzinfo=UTC)
    assert found[TABLE].end == datetime(1970, 1, 1, 0, 1, tzinfo=UTC)
    records.refuse_other_inputs(plan, found, digests(plan))


def test_a_record_with_a_long_name_is_found(plan: Plan) -> None:
    place(TABLE).unlink()
    long = place(TABLE, length=13)
    record(long)
    assert records.read(plan)[TABLE].path == long


def test_a_missing_record_is_named(plan: Plan) -> None:
    place(FIGURE).unlink()
    with pytest.raises(UserError, match=f"^{FIGURE}: Snakemake has no record of it; delete it"):
        records.read(plan)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"starttime": null, "endtime": 1}'])
def test_a_record_that_cannot_be_read_is_named(plan: Plan, text: str) -> None:
    place(FIGURE).write_text(text)
    with pytest.raises(UserError, match=f"^{FIGURE}: Snakemake's record of it can't be read"):
        records.read(plan)


@pytest.mark.parametrize("sums", [{}, {READ: "sha256:of another table"}])
def test_an_output_of_another_input_is_named(plan: Plan, sums: dict[str, str]) -> None:
    """A new time on the table would make Snakemake draw the figure again."""
    known = json.loads(place(FIGURE).read_text())["input_checksums"]
    assert known.pop(READ)
    record(place(FIGURE), input_checksums=known | sums)
    with pytest.raises(UserError, match=f"^{FIGURE}: not made from {READ} as it is now; delete"):
        records.refuse_other_inputs(plan, records.read(plan), digests(plan))
