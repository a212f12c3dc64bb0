"""What tests of several areas share: a comparison of laws, the toy papers, and projects of them."""

import signal
import threading
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pyarrow as pa
import pytest
import yaml
from scipy.stats import norm

import deeplimits
from deeplimits import digest, provenance, registry, tables
from toy_chain import Chain
from toy_project import Project, shared_packages

# A shell starts what it puts in the background with Ctrl-C ignored, and every child would inherit
# that: tests that interrupt one would wait for ever.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, and no folder of old ones.
hypothesis.settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("fixed")

TESTS = Path(__file__).parent
LONGEST = ("smoke", "slurm", "faults", "chain", "guides", "archive", "verification")
PACKAGE = TESTS.parent / "src" / "deeplimits"
VERSIONS = provenance.versions()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring the folders with the longest tests to the front: no core works through one alone."""
    ranks = {TESTS / folder: rank for rank, folder in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.path.parent, len(ranks)))


class LawTest:
    """Test that nonnegative statistics of two samples have the same means.

    Each statistic is compared by its log ratio of means in standard errors, which for squares of
    centred variables is the log-variance ratio; the level 1e-3 is shared by all statistics of a
    comparison (Bonferroni). With `DRAWS` draws an arm the standard error of the log variance of a
    Gaussian is .0055, so that 3% in variance (.0296) is rejected with probability .95 or more.
    """

    DRAWS = 131_072
    LEVEL = 1e-3

    def z(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Log ratios in standard errors; samples of shape (draws, statistics)."""
        (m1, v1), (m2, v2) = (_mean_and_variance(sample) for sample in (first, second))
        return np.log(m1 / m2) / np.sqrt(v1 / m1**2 + v2 / m2**2)

    def z_against(self, sample: np.ndarray, means: np.ndarray) -> np.ndarray:
        """The same against known means."""
        m, v = _mean_and_variance(sample)
        return np.log(m / means) / np.sqrt(v / m**2)

    def rejects(self, z: np.ndarray) -> bool:
        return bool(np.max(np.abs(z)) > norm.isf(self.LEVEL / (2 * np.size(z))))


def _mean_and_variance(sample: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    assert len(sample) >= LawTest.DRAWS
    return sample.mean(axis=0), sample.var(axis=0) / len(sample)


@pytest.fixture(scope="session")
def law() -> LawTest:
    return LawTest()


@pytest.fixture(scope="session")
def toy_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source folder with the chain and, as its only papers, the toy ones."""
    source = tmp_path_factory.mktemp("toy") / "src"
    (source / "deeplimits").mkdir(parents=True)
    for path in (
        *PACKAGE.glob("*.py"),
        *shared_packages(),
        *TESTS.glob("toy/*20??"),
    ):
        (source / "deeplimits" / path.name).symlink_to(path)
    return source


@pytest.fixture
def toy(toy_source: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Make the toy papers the only ones there are; returns a copy of their configuration."""
    monkeypatch.setattr(digest, "SOURCE", toy_source)
    monkeypatch.setattr(registry, "_ROOT", toy_source / "deeplimits")
    monkeypatch.setattr(deeplimits, "__path__", [str(toy_source / "deeplimits")])
    monkeypatch.chdir(toy_source.parent)
    return yaml.safe_load((TESTS / "toy" / "config.yaml").read_text())


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with everything made. Not to be changed: `project` is a copy."""
    project = Project.assemble(tmp_path_factory.mktemp("finished") / "project")
    project.snakemake()
    return project


@pytest.fixture
def project(finished: Project, tmp_path: Path) -> Project:
    """A copy of the finished project."""
    return finished.copy(tmp_path / "project")


@pytest.fixture
def chain(toy: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Chain:
    monkeypatch.chdir(tmp_path)
    # Looked up once, because it takes longer than a stage of the toy paper.
    monkeypatch.setattr(provenance, "versions", VERSIONS.copy)
    monkeypatch.setattr(provenance, "commit", lambda: "unknown")
    return Chain(toy)


@pytest.fixture
def rewrite() -> Any:
    """Write a table again with other rows under its old record, as a faulty program would."""

    def rewrite(path: Path, change: Any) -> None:
        table = tables.read(path)
        record = tables.record_of(table)
        changed: pa.Table = change(table)
        tables.write(path, changed, record)

    return rewrite
