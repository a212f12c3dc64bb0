"""The chain as plain data: what the plan says, kept under all that it follows from."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from deeplimits import chain, config, digest, released
from deeplimits.chain import Chain
from deeplimits.errors import UserError
from deeplimits.plan import Plan
from imports import loaded

Raw = dict[str, Any]
PROJECT = Path(__file__).parents[1]


@pytest.fixture
def plan(toy: Raw) -> Plan:
    return Plan(config.validate(toy))


class Maker:
    """Makes chains and counts them."""

    def __init__(self, raw: Raw) -> None:
        self.raw, self.made = raw, 0
        self.file = Path("config.yaml")
        self.file.write_text(yaml.safe_dump(raw, sort_keys=False))

    def load(self) -> Chain:
        return chain.kept(self.raw, [str(self.file)], self._make)

    def _make(self) -> Chain:
        self.made += 1
        return Chain.of(Plan(config.validate(self.raw)))


@pytest.fixture
def maker(toy: Raw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Maker:
    """In an empty folder, beside a source folder of its own that may be changed."""
    source = tmp_path / "src"
    copy = ["cp", "-rL", str(digest.SOURCE), str(source)]
    subprocess.run(copy, check=True)
    shutil.copy(PROJECT / "pyproject.toml", tmp_path)
    monkeypatch.setattr(digest, "SOURCE", source)
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return Maker(toy)


def test_every_step_of_the_plan_is_a_call(plan: Plan) -> None:
    made = Chain.of(plan)
    for stage, steps in plan.steps.items():
        assert len(made.calls[stage]) == len(steps)
        for name, step in steps.items():
            call = made.call(stage, *name)
            assert (call.key, call.specification) == (step.key, step.text)
            assert (tuple(call.inputs), tuple(call.outputs)) == (step.inputs, step.outputs)


def test_names_and_targets_are_those_of_the_papers(plan: Plan) -> None:
    made = Chain.of(plan)
    assert made.papers == ["toy2026", "tiny2027"]
    assert made.names("aggregate") == ["powers", "squares", "walks"]
    assert made.names("plot") == ["ends", "powers"]
    assert made.targets("tiny2027") == ["results/tiny2027/squares.parquet"]
    assert set(made.targets("toy2026")) == {
        *(
            f"figures/toy2026/{name}.{form}"
            for name in ("ends", "powers")
            for form in ("pdf", "png")
        ),
        *(f"results/toy2026/powers.{form}" for form in ("parquet", "csv", "tex")),
        *(f"results/toy2026/{name}.parquet" for name in ("walks", "walks_estimates", "claims")),
    }
    assert made.captions["toy2026"]["ends"] == "Ends of the walks (ours)."


def test_resources_are_those_of_the_experiment_or_the_general_ones(toy: Raw) -> None:
    own = {"mem_mb": 7, "runtime": 8}
    toy["papers"]["toy2026"]["walks"]["resources"] = own
    made = Chain.of(Plan(config.validate(toy)))
    assert made.resources["toy2026"] == {"walks": own, "powers": {"mem_mb": 500, "runtime": 5}}
    assert made.other == {"mem_mb": 600, "runtime": 6}


def test_a_second_start_finds_the_chain_of_the_first(maker: Maker) -> None:
    first, second = maker.load(), maker.load()
    assert maker.made == 1
    assert first == second


def edit_module(maker: Maker) -> None:
    path = digest.SOURCE / "deeplimits" / "toy2026" / "model.py"
    path.write_text(path.read_text() + "\nEXTRA = 1\n")


def add_module(maker: Maker) -> None:
    path = digest.SOURCE / "deeplimits" / "toy2026" / "figures" / "powers.py"
    (path.parent / "more.py").write_text(path.read_text())


def edit_data(maker: Maker) -> None:
    path = digest.SOURCE / "deeplimits" / "toy2026" / "experiments" / "constant.txt"
    path.write_text(path.read_text() + " ")


def edit_file(maker: Maker) -> None:
    """Duplicate keys are gone in what Snakemake merged, so the file counts too."""
    maker.file.write_text(maker.file.read_text() + "\n")


def change_value(maker: Maker) -> None:
    maker.raw["seed"] += 1


def release_a_stress_run(maker: Maker) -> None:
    released.FOLDER.mkdir()
    (released.FOLDER / "stress.csv").write_text("a verdict")


CHANGES: list[Callable[[Maker], None]] = [
    edit_module,
    add_module,
    edit_data,
    edit_file,
    change_value,
    release_a_stress_run,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_whatever_a_chain_follows_from_makes_it_anew(
    maker: Maker, change: Callable[[Maker], None]
) -> None:
    maker.load()
    change(maker)
    changed = maker.load()
    assert maker.made == 2
    assert changed == Chain.of(Plan(config.validate(maker.raw)))
    maker.load()
    assert maker.made == 2


@pytest.mark.parametrize("library", ["python", "pydantic"])
def test_another_version_makes_it_anew(
    maker: Maker, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    maker.load()
    if library == "python":
        monkeypatch.setattr(sys, "version", "3.99")
    else:
        monkeypatch.setattr(chain.importlib.metadata, "version", lambda _: "99")
    maker.load()
    assert maker.made == 2


def test_a_file_in_the_way_of_a_folder_is_seen_at_every_start(maker: Maker) -> None:
    maker.load()
    Path("results").write_text("a file")
    with pytest.raises(UserError, match=r"folders\.results: .* can't be made"):
        maker.load()


@pytest.mark.parametrize("damage", [lambda text: text[:-1], lambda text: text.replace("a", "b", 1)])
def test_a_damaged_chain_is_made_anew(maker: Maker, damage: Callable[[str], str]) -> None:
    first = maker.load()
    (path,) = chain.FOLDER.glob("*.json")
    path.write_text(damage(path.read_text()))
    assert maker.load() == first
    assert maker.made == 2
    maker.load()
    assert maker.made == 2, "the damaged one was not replaced"


def test_a_chain_that_can_not_be_kept_is_used(maker: Maker) -> None:
    chain.FOLDER.parent.write_text("a file where the folder should be")
    assert maker.load() == maker.load()
    assert maker.made == 2


def test_only_the_newest_chains_are_kept(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "KEPT", 2)
    for seed in (1, 2, 3):
        maker.raw["seed"] = seed
        maker.load()
    assert len(list(chain.FOLDER.iterdir())) == 2
    maker.load()
    assert maker.made == 3


def test_a_kept_chain_is_loaded_without_planning(maker: Maker) -> None:
    """Also what stands behind planning: the experiments and their libraries."""
    maker.load()
    code = (
        "import yaml; from deeplimits import session;"
        "session.load(yaml.safe_load(open('config.yaml')), ['config.yaml'])"
    )
    found = loaded(code, digest.SOURCE)
    assert "deeplimits.plan" not in found
    assert "yaml" in found
    assert not {"numpy", "pydantic", "scipy"} & found
