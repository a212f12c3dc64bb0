"""The command line: one subcommand a stage, and a few to look at what there is.

A stage reads its specification, a JSON object, from standard input and writes the files that its
options name. `spec` prints the specification of any step of a configuration, so the chain also
runs by hand:

    python -m deeplimits spec simulate agazzi2026 table1 | python -m deeplimits simulate --output …
"""

import argparse
import importlib
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deeplimits import __version__
from deeplimits.errors import UserError

if TYPE_CHECKING:
    from deeplimits.config import Configuration
    from deeplimits.plan import Plan

# stage → (its help, the files it writes)
STAGES = {
    "grid": ("products of axes → one row a cell", ("output",)),
    "simulate": ("the cells of one job → their rows", ("output",)),
    "aggregate": ("grid and job files → one table", ("output",)),
    "estimate": ("one table → estimates with errors", ("output",)),
    "plot": ("tables → a figure as PDF and PNG", ("pdf", "png")),
    "typeset": ("tables → a printed table as CSV and LaTeX", ("csv", "tex")),
    "judge": ("tables of a paper → its claims", ("output",)),
    "summarize": ("claims of all papers → one table and one page", ("output", "page")),
    "report": ("figures and claims → one page to read and to print", ("output",)),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand; what the user can mend is one line on standard error, exit code 1."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
        sys.stdout.flush()
    except UserError as error:
        print(f"deeplimits {options.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"deeplimits {options.command}: interrupted; run it again", file=sys.stderr)
        return 128 + signal.SIGINT
    except BrokenPipeError:  # `deeplimits plan | head`: what is left to flush goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="deeplimits", description=__doc__.splitlines()[0])
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for stage, (text, outputs) in STAGES.items():
        command = commands.add_parser(
            stage, help=text, description=f"{text}; reads the specification from standard input"
        )
        for name in outputs:
            command.add_argument(f"--{name}", type=Path, required=True, help="file to write")
        command.set_defaults(run=_run_stage, outputs=outputs)

    command = commands.add_parser("spec", help="print the specification of one step")
    command.add_argument("stage", choices=list(STAGES))
    command.add_argument("name", nargs="*", help="paper, then experiment or figure, then job")
    _add_configfiles(command)
    command.set_defaults(run=_print_specification)

    command = commands.add_parser("plan", help="list every step: stage, name, key, outputs")
    _add_configfiles(command)
    command.set_defaults(run=_print_plan)

    command = commands.add_parser("show", help="print the record of a table or a figure")
    command.add_argument("file", type=Path, help="a .parquet, .pdf or .png made by deeplimits")
    command.set_defaults(run=_show)

    command = commands.add_parser(
        "check", help="read every file that was made; name those that are damaged or out of date"
    )
    _add_configfiles(command)
    command.set_defaults(run=_check)

    command = commands.add_parser("verdict", help="judge one claim from the tables that are there")
    command.add_argument("paper", help="key of the paper")
    command.add_argument("claim", help="name of the claim, as in results/claims.md")
    _add_configfiles(command)
    command.set_defaults(run=_print_verdict)

    command = commands.add_parser(
        "costs", help="print docs/claims.md: a command per claim, its time and memory in this run"
    )
    _add_configfiles(command)
    command.set_defaults(run=_print_costs)

    command = commands.add_parser(
        "verify", help="recompute cells of a finished run; compare it with the released estimates"
    )
    which = command.add_mutually_exclusive_group()
    which.add_argument("--cells", type=_natural, metavar="N", help="recompute N cells")
    which.add_argument("--all", action="store_true", help="recompute every cell")
    command.add_argument("--seed", type=int, default=0, help="of the sample; 0 by default")
    command.add_argument("--results", type=Path, help="of the run; config.yaml's by default")
    command.add_argument("--released", type=Path, default=Path("released"), help="the release")
    _add_configfiles(command)
    command.set_defaults(run=_verify)

    command = commands.add_parser(
        "release",
        help="write the estimates of a finished run, small; of the stress run its verdicts",
    )
    command.add_argument("--results", type=Path, help="of the run; config.yaml's by default")
    command.add_argument("--released", type=Path, default=Path("released"), help="where to")
    _add_configfiles(command)
    command.set_defaults(run=_release)

    command = commands.add_parser(
        "gallery", help="write docs/gallery and the README's part from the finished run"
    )
    _add_configfiles(command)
    command.set_defaults(run=_write_gallery)

    command = commands.add_parser(
        "archive", help="pack a finished run, with its code and its description, into one zip"
    )
    command.add_argument("--output", type=Path, help="deeplimits-VERSION.zip by default")
    _add_configfiles(command)
    command.set_defaults(run=_archive)

    command = commands.add_parser("reference", help="print the reference of all config keys")
    command.set_defaults(run=_print_reference)

    command = commands.add_parser("columns", help="print the reference of all tables' columns")
    command.set_defaults(run=_print_columns)
    return parser


def _natural(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _add_configfiles(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--configfile",
        type=Path,
        nargs="+",
        default=[],
        help="laid over config.yaml, as in Snakemake",
    )


def _run_stage(options: argparse.Namespace) -> None:
    try:
        specification = json.load(sys.stdin)
    except json.JSONDecodeError as error:
        raise UserError(f"standard input is no JSON ({error}); see `deeplimits spec`") from error
    if not isinstance(specification, dict) or "identity" not in specification:
        raise UserError("standard input is no specification; see `deeplimits spec`")
    stage = importlib.import_module(f"deeplimits.stages.{options.command}")
    stage.run(specification, *(getattr(options, name) for name in options.outputs))


def _configuration(options: argparse.Namespace) -> "Configuration":
    from deeplimits import environment

    environment.refuse_old()
    from deeplimits import config  # only here: a stage does not need it

    return config.validate(config.read_files([Path("config.yaml"), *options.configfile]))


def _plan(options: argparse.Namespace) -> "Plan":
    configuration = _configuration(options)
    from deeplimits import plan

    return plan.Plan(configuration)


def _print_specification(options: argparse.Namespace) -> None:
    steps = _plan(options).steps[options.stage]
    name = tuple(options.name)
    matching = [step for known, step in steps.items() if known[: len(name)] == name]
    if len(matching) != 1:
        known = ", ".join(" ".join(known) for known in steps)
        raise UserError(f"{' '.join(name)!r} names {len(matching)} steps; known: {known}")
    print(matching[0].text)


def _print_plan(options: argparse.Namespace) -> None:
    for stage, steps in _plan(options).steps.items():
        for name, step in steps.items():
            print(stage, *name, step.key, *step.outputs, sep="\t")


def _show(options: argparse.Namespace) -> None:
    from deeplimits import inspection

    print(inspection.describe(options.file))


def _check(options: argparse.Namespace) -> None:
    from deeplimits import checking

    report = checking.check(_plan(options))
    for problem in report.problems:
        print(problem, flush=True)  # before the summary, which goes to standard error
    if report.problems:
        raise UserError(report.summary)
    print(report.summary)


def _print_verdict(options: argparse.Namespace) -> None:
    from deeplimits import judging

    print(judging.describe(_plan(options), options.paper, options.claim))


def _print_costs(options: argparse.Namespace) -> None:
    from deeplimits import claim_page

    print(claim_page.text(_plan(options)), end="")


def _verify(options: argparse.Namespace) -> None:
    # As Snakemake runs a job: the bits of a product of matrices change with the number of threads.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    configuration = _configuration(options)
    from deeplimits.verification import run

    verification = run.Verification(
        configuration, _results(options, configuration), lambda line: print(line, flush=True)
    )
    verification.check_cells(run.Sample(options.seed, options.cells, options.all))
    verification.check_estimates(options.released)
    for difference in verification.differences:
        print(difference)
    if verification.differences:
        raise UserError(verification.summary)
    print(verification.summary)


def _release(options: argparse.Namespace) -> None:
    configuration = _configuration(options)
    if configuration.top.scale == "stress":
        _release_verdicts(options, configuration)
        return
    from deeplimits.verification import release
    from deeplimits.verification.declaration import declared

    experiments = [(paper, name) for paper in configuration.experiments for name in declared(paper)]
    for line in release.write(options.released, _results(options, configuration), experiments):
        print(line)


def _release_verdicts(options: argparse.Namespace, configuration: "Configuration") -> None:
    from deeplimits import plan
    from deeplimits.verification import stress

    identity = plan.Plan(configuration).step("summarize").identity
    claims = _results(options, configuration) / "claims.parquet"
    for line in stress.write(options.released, claims, identity, configuration.top.seed):
        print(line)


def _archive(options: argparse.Namespace) -> None:
    plan = _plan(options)
    from deeplimits.archive import build

    path = options.output or build.DEFAULT
    made = build.write(path, plan, options.configfile)
    print(f"{path}: {made.files} files, {made.size / 1e6:.1f} MB, SHA-256 {made.digest}")


def _results(options: argparse.Namespace, configuration: "Configuration") -> Path:
    return options.results or Path(configuration.top.folders.results)


def _write_gallery(options: argparse.Namespace) -> None:
    from deeplimits.gallery import writing

    for line in writing.write(_plan(options), Path()):
        print(line)


def _print_reference(options: argparse.Namespace) -> None:
    from deeplimits import reference

    print(reference.text(), end="")


def _print_columns(options: argparse.Namespace) -> None:
    from deeplimits import columns

    print(columns.text(), end="")
