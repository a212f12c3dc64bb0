"""All faults of a run, by section of the page."""

import shutil
from collections.abc import Callable
from signal import SIGINT, SIGKILL, SIGTERM

import interruptions
import namespaces
from faults import Fault, Said, bash
from toy_project import Project
from toy_steps import walks

INTERRUPTIONS = "Interruptions"
_LIBRARY = '"numpy>=2.0"'


def _run(options: str = "", **environment: str) -> Callable[[Project], Said]:
    return lambda project: bash(project, f"snakemake {options}", **environment)


def _inside(prefix: Callable[[], str]) -> Callable[[Project], Said]:
    """A run with a file system or a network of its own; the fault is over when it ends."""
    return lambda project: bash(project, f"{prefix()} snakemake")


def _after(change: Callable[[Project], object]) -> Callable[[Project], Said]:
    """A run after something was changed."""

    def happen(project: Project) -> Said:
        change(project)
        return bash(project, "snakemake")

    return happen


def _told(how: str, options: str = "") -> Callable[[Project], Said]:
    return _after(lambda project: project.path("failure").write_text(how))


def _untell(project: Project) -> None:
    project.path("failure").unlink()


def _set_scale(value: float) -> Callable[[Project], object]:
    def change(raw: dict) -> None:
        walks(raw)["settings"]["scale"] = value

    return lambda project: project.configure(change)


def _hide_library(project: Project) -> None:
    """The interpreter of Snakemake no longer finds scikit-learn, nor its metadata.

    Without pydantic, Snakemake itself does not start.
    """
    project.path("src/sitecustomize.py").write_text(
        "import importlib.metadata as m, sys\n"
        "sys.modules['sklearn'] = None\n"
        "found = m.distribution\n"
        "def distribution(name):\n"
        "    if name == 'scikit-learn':\n"
        "        raise m.PackageNotFoundError(name)\n"
        "    return found(name)\n"
        "m.distribution = distribution\n"
    )


def _delete(*names: str) -> Callable[[Project], object]:
    def change(project: Project) -> None:
        for name in names:
            project.path(name).unlink()

    return change


def _flip_kept_chain(project: Project) -> None:
    """Another seed of a simulation that must be made again."""
    (path,) = project.path(".snakemake/deeplimits").glob("*.json")
    text = path.read_text()
    assert '\\"seed\\":1' in text
    path.write_text(text.replace('\\"seed\\":1', '\\"seed\\":3'))
    for name in ("grids/walks.parquet", "jobs/walks", "walks.parquet"):
        found = project.path(f"results/toy2026/{name}")
        shutil.rmtree(found) if found.is_dir() else found.unlink()


def _move(project: Project) -> Said:
    """Everything again from a folder with an awkward name, whose files then come back here."""
    other = project.copy(project.root.with_name("päth wíth λ and 'quotes'"))
    said = bash(other, "snakemake")
    for folder in ("results", "figures", ".snakemake"):
        shutil.rmtree(project.path(folder), ignore_errors=True)
        shutil.copytree(other.path(folder), project.path(folder))
    return said


def _stage(name: str, says: str, signal: int) -> Fault:
    return Fault(
        f"{name} in each stage while it writes",
        interruptions.each_stage(signal),
        says,
        types=("snakemake",),
    )


_OVERLAY = "folders: {results: other/results, figures: other/figures, logs: other/logs}"
_AGAIN = ("snakemake",)
_WRITABLE = ("make the folder writable", lambda project: None)
_ROOM = ("make room", lambda project: None)
_CORRECT = ("correct the settings", _set_scale(2.0))

SECTIONS: dict[str, tuple[Fault, ...]] = {
    INTERRUPTIONS: (
        _stage("Ctrl-C (SIGINT)", "deeplimits report: interrupted; run it again", SIGINT),
        _stage("SIGTERM", "Terminated", SIGTERM),
        _stage("SIGKILL", "Killed", SIGKILL),
        Fault(
            "Ctrl-C at the terminal where `snakemake` runs",
            interruptions.snakemake(SIGINT, jobs_too=True),
            "Terminating processes on user request",
            types=_AGAIN,
        ),
        Fault(
            "SIGTERM to `snakemake`",
            interruptions.snakemake(SIGTERM),
            "Will exit after finishing currently running jobs",
            types=_AGAIN,
        ),
        Fault(
            "SIGKILL to `snakemake`, and a new run while its jobs still work",
            interruptions.snakemake(SIGKILL),
            "Directory cannot be locked",
            types=("snakemake --unlock", "snakemake"),
        ),
    ),
    "Failing simulations": (
        Fault(
            "a simulation gives an infinite value",
            _after(_set_scale(1.0e308)),
            "column position is inf in the row {",
            mend=_CORRECT,
            types=_AGAIN,
        ),
        Fault(
            "one simulation job fails",
            _told("raise at 1.0"),
            "an injected failure",
            mend=("mend the cause", _untell),
            types=_AGAIN,
        ),
        Fault(
            "all simulation jobs of an experiment are killed",
            _told("kill"),
            "Killed",
            mend=("mend the cause", _untell),
            types=_AGAIN,
        ),
    ),
    "Files": (
        Fault(
            "figures, tables, CSV and page deleted by hand",
            _after(
                _delete(
                    "figures/toy2026/ends.pdf",
                    "figures/toy2026/powers.png",
                    "results/toy2026/walks_estimates.parquet",
                    "results/toy2026/powers.csv",
                    "results/claims.md",
                )
            ),
            fresh=False,
        ),
        Fault(
            "what `.snakemake/deeplimits/` keeps between runs is damaged",
            _after(_flip_kept_chain),
            fresh=False,
        ),
        Fault(
            "the disk of `figures/` is full",
            _inside(lambda: namespaces.small_disk("figures", "8k")),
            "can't be written: No space left on device",
            mend=_ROOM,
            types=_AGAIN,
            needs="--mount",
        ),
        Fault(
            "the disk of `results/` is full",
            _inside(lambda: namespaces.small_disk("results", "32k")),
            "No space left on device",
            mend=_ROOM,
            types=_AGAIN,
            needs="--mount",
        ),
        Fault(
            "`results/` is read-only",
            _inside(lambda: namespaces.read_only("results")),
            "Read-only file system: 'results/",
            mend=_WRITABLE,
            types=_AGAIN,
            needs="--mount",
        ),
        Fault(
            "`results/` is read-only, and a table in it must be made again",
            lambda project: bash(
                project,
                f"rm results/toy2026/walks.parquet; {namespaces.read_only('results')} snakemake",
            ),
            "Write-protected output files",
            mend=_WRITABLE,
            types=_AGAIN,
            fresh=False,
            needs="--mount",
        ),
        Fault(
            "`figures/` is read-only",
            _inside(lambda: namespaces.read_only("figures")),
            "Read-only file system: 'figures/",
            mend=_WRITABLE,
            types=_AGAIN,
            needs="--mount",
        ),
    ),
    "Two runs at once": (
        Fault(
            "a second `snakemake` in the folder of a running one",
            interruptions.second_run(""),
            "Directory cannot be locked",
            mend=("wait for the first one", lambda project: None),
        ),
        Fault(
            "a second `snakemake` with folders of its own",
            interruptions.second_run("--configfile overlay.yaml", overlay=_OVERLAY),
        ),
    ),
    "Surroundings": (
        Fault("a path with spaces, quotes and non-ASCII letters", _move),
        Fault("another locale and time zone", _run(LC_ALL="POSIX", TZ="Pacific/Apia")),
        Fault("no home folder", _run(HOME="/nonexistent")),
        Fault("no network", _inside(namespaces.offline), needs="--net"),
        Fault(
            "a library is older than `pyproject.toml` wants",
            _after(lambda project: project.replace("pyproject.toml", _LIBRARY, '"numpy>=99"')),
            "is installed, >=99 is needed: run make env, or install requirements.lock",
            mend=(
                "`make env`",
                lambda project: project.replace("pyproject.toml", '"numpy>=99"', _LIBRARY),
            ),
            types=_AGAIN,
        ),
        Fault(
            "a library is missing",
            _after(_hide_library),
            "deeplimits: scikit-learn is not installed: run make env, or install requirements.lock",
            mend=("`make env`", _delete("src/sitecustomize.py")),
            types=_AGAIN,
        ),
    ),
}
