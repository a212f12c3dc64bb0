"""The command line, without Snakemake."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import deeplimits
from deeplimits import cli, columns, reference, tables
from deeplimits.schema import Column

SOURCE = Path(__file__).parents[1] / "src"
COMMANDS = [
    *cli.STAGES,
    "spec",
    "plan",
    "show",
    "check",
    "verdict",
    "costs",
    "reference",
    "columns",
]


@pytest.fixture
def project(toy: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the toy configuration, as the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("config.yaml").write_text(yaml.safe_dump(toy))
    return tmp_path


def run(*arguments: str, stdin: str | None = None, monkeypatch: Any = None) -> int:
    if stdin is not None:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
    return cli.main(arguments)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main([command, "--help"])
    assert caught.value.code == 0
    assert f"usage: deeplimits {command}" in capsys.readouterr().out


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    text = capsys.readouterr().out
    assert all(f"\n    {command}" in text for command in COMMANDS)


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--version"])
    assert capsys.readouterr().out.strip() == deeplimits.__version__


def test_there_is_one_command_for_each_stage() -> None:
    stages = {path.stem for path in (SOURCE / "deeplimits" / "stages").glob("*.py")}
    assert set(cli.STAGES) == stages - {"__init__"}


@pytest.mark.parametrize(
    ("stdin", "message"),
    [
        ("", "standard input is no JSON"),
        ("{", "standard input is no JSON"),
        ("[1, 2]", "standard input is no specification; see `deeplimits spec`"),
        ("{}", "standard input is no specification; see `deeplimits spec`"),
    ],
)
def test_wrong_input_ends_with_one_message(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
    stdin: str,
    message: str,
) -> None:
    output = tmp_path / "out.parquet"
    assert run("grid", "--output", str(output), stdin=stdin, monkeypatch=monkeypatch) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith(f"deeplimits grid: {message}")
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert not output.exists()


def test_a_stage_wants_its_outputs(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["plot", "--pdf", "f.pdf"])
    assert caught.value.code == 2
    assert "--png" in capsys.readouterr().err


def test_a_specification_runs_its_stage(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    assert run("spec", "simulate", "toy2026", "powers") == 0
    text = capsys.readouterr().out
    assert run("simulate", "--output", "o.parquet", stdin=text, monkeypatch=monkeypatch) == 0
    table = tables.read(Path("o.parquet"), json.loads(text)["identity"])
    assert table["value"].to_pylist() == [2.5, 6.25, 5.0, 25.0]


def test_an_overlay_is_laid_over_the_configuration(
    project: Path, capsys: pytest.CaptureFixture
) -> None:
    Path("overlay.yaml").write_text("seed: 77\n")
    assert run("spec", "grid", "toy2026", "walks", "--configfile", "overlay.yaml") == 0
    assert json.loads(capsys.readouterr().out)["seed"] == 77


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("spec", "grid", "toy2026", "walk"),
            "'toy2026 walk' names 0 steps; known: tiny2027 squares, ",
        ),
        (
            ("spec", "grid"),
            "'' names 3 steps; known: tiny2027 squares, toy2026 powers, toy2026 walks",
        ),
        (("plan", "--configfile", "gone.yaml"), "gone.yaml: can't be read"),
        (("show", "gone.parquet"), "gone.parquet: no such file"),
    ],
)
def test_wrong_names_end_with_one_message(
    project: Path, capsys: pytest.CaptureFixture, arguments: tuple[str, ...], message: str
) -> None:
    assert run(*arguments) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"deeplimits {arguments[0]}: {message}")
    assert error.count("\n") == 1


def test_a_wrong_configuration_ends_with_one_message(
    project: Path, capsys: pytest.CaptureFixture
) -> None:
    Path("config.yaml").write_text("sead: 1\n")
    assert run("plan") == 1
    assert capsys.readouterr().err.startswith("deeplimits plan: config key sead: unknown")


def test_the_plan_lists_every_step(project: Path, capsys: pytest.CaptureFixture) -> None:
    assert run("plan") == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 17
    assert {line[0] for line in lines} == set(cli.STAGES)
    plot = next(line for line in lines if line[:3] == ["plot", "toy2026", "ends"])
    assert plot[4:] == ["figures/toy2026/ends.pdf", "figures/toy2026/ends.png"]


@pytest.mark.parametrize("page", [reference, columns])
def test_the_references_are_printed(
    project: Path, capsys: pytest.CaptureFixture, page: Any
) -> None:
    assert run(page.__name__.removeprefix("deeplimits.")) == 0
    assert capsys.readouterr().out == page.text()


def python(*arguments: str, **options: Any) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(SOURCE)},
        check=False,
        **options,
    )


def test_the_package_runs_as_a_module() -> None:
    done = python("-m", "deeplimits", "simulate", "--help")
    assert done.returncode == 0
    assert done.stdout.startswith("usage: deeplimits simulate")


@pytest.mark.parametrize("rows", [1, 100_000])
def test_a_closed_pipe_ends_without_a_traceback(tmp_path: Path, rows: int) -> None:
    """Whether the text fits the buffer, and is written at the end, or not."""
    table = tmp_path / "table.parquet"
    built = tables.build((Column("n", "int64", "1", "a number"),), {"n": [1]}, (), "")
    tables.write(table, built, {"identity": "abc", "rows": list(range(rows))})
    code = (
        "import os, sys; read, write = os.pipe(); os.close(read); os.dup2(write, 1);"
        f"from deeplimits import cli; sys.exit(cli.main(['show', {str(table)!r}]))"
    )
    done = python("-c", code)
    assert done.returncode == 1
    assert done.stderr == ""


def test_the_library_is_importable_without_the_chain() -> None:
    done = python("-c", "from deeplimits import grid, rng, schema; import sys; print(*sys.modules)")
    assert not {"pandas", "matplotlib", "snakemake"} & set(done.stdout.split())
