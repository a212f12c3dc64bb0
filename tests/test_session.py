"""What the Snakefile needs: the plan or one message, and commands that survive any path."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from deeplimits import digest, plan, session
from imports import loaded

PROJECT = Path(__file__).parents[1]


def test_the_chain_is_that_of_the_merged_configuration(toy: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(yaml.safe_dump(toy))
    loaded = session.load({**toy, "seed": 7}, [str(path)])
    assert json.loads(loaded.call("grid", "toy2026", "walks").specification)["seed"] == 7


def test_a_wrong_configuration_ends_with_one_message(toy: dict[str, Any]) -> None:
    with pytest.raises(SystemExit) as caught:
        session.load({**toy, "sead": 7}, [])
    assert re.fullmatch(
        r"deeplimits: config key sead: unknown; did you mean 'seed'\? \(known: .*\)",
        caught.value.code,
    )


def test_a_duplicate_key_in_any_file_ends_with_one_message(
    toy: dict[str, Any], tmp_path: Path
) -> None:
    right, wrong = tmp_path / "config.yaml", tmp_path / "overlay.yaml"
    right.write_text(yaml.safe_dump(toy))
    wrong.write_text("seed: 1\nseed: 2\n")
    with pytest.raises(SystemExit, match=r"deeplimits: .*overlay\.yaml: duplicate key 'seed'"):
        session.load(toy, [str(right), str(wrong)])


def test_a_fault_of_ours_is_not_hidden(
    toy: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(_: Any) -> None:
        raise KeyError("a fault")

    monkeypatch.setattr(plan, "Plan", fault)
    with pytest.raises(KeyError):
        session.load(toy, [])


def bash(command: str) -> str:
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": "/elsewhere"},
    ).stdout


@pytest.mark.parametrize("name", ["plain", "with space", "ä λ", "it's", "{x}", "$HOME", "`x`"])
def test_stages_run_this_checkout_with_the_running_interpreter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    source = tmp_path / name
    (source / "deeplimits").mkdir(parents=True)
    (source / "deeplimits" / "__init__.py").touch()
    (source / "deeplimits" / "__main__.py").write_text(
        "import sys; print(__file__, sys.executable, *sys.argv[1:], sep='\\n')", encoding="utf-8"
    )
    interpreter = source / "python"
    interpreter.symlink_to(sys.executable)
    monkeypatch.setattr(digest, "SOURCE", source)
    monkeypatch.setattr(sys, "executable", str(interpreter))
    prefix = session.shell_prefix().format()  # as Snakemake does
    assert bash(prefix + "deeplimits 'a b' c").splitlines() == [
        str(source / "deeplimits" / "__main__.py"),
        str(interpreter),
        "a b",
        "c",
    ]


def test_the_specification_reaches_the_stage_as_it_is(tmp_path: Path) -> None:
    text = digest.canonical(
        {"a": "$HOME `x` 'y' \"z\" \\ {b} λ\nSPECIFICATION\n", "c": [1.5, None]}
    )

    class Params:
        specification = text

    class Log(str):
        def __format__(self, _: str) -> str:  # Snakemake's {log:q}
            return shlex.quote(self)

    log = tmp_path / "the log"
    command = session.call("stage --output x").format(params=Params, log=Log(log))
    assert json.loads(bash(f"deeplimits() {{ cat; echo $* >&2; }}; {command}")) == json.loads(text)
    assert log.read_text() == "stage --output x\n"


@pytest.mark.parametrize("names", [["walks", "walks_long"], ["a.b", "a+"], []])
def test_wildcards_match_exactly_the_names(names: list[str]) -> None:
    pattern = re.compile(f"(?:{session.alternatives(names)})")
    for text in ("walks", "walks_long", "walks_", "a.b", "axb", "a+", "aa", "", "|"):
        assert bool(pattern.fullmatch(text)) == (text in names)


def test_planning_loads_no_heavy_library(tmp_path: Path) -> None:
    """An edit is followed by a start that plans anew."""
    path = PROJECT / "config.yaml"
    code = (
        "from pathlib import Path; from deeplimits import config, session;"
        f"session.load(config.read_file(Path({str(path)!r})), [{str(path)!r}])"
    )
    found = loaded(code, PROJECT / "src", tmp_path)
    assert "numpy" in found, "the experiments were not imported"
    assert not {"pandas", "matplotlib", "pyarrow", "jax", "PIL", "snakemake"} & found
