"""What a result was made with: library versions and the commit."""

import importlib.metadata
import platform
import subprocess
from pathlib import Path

from deeplimits import __version__

LIBRARIES = (
    "numpy",
    "scipy",
    "pandas",
    "pyarrow",
    "matplotlib",
    "pydantic",
    "snakemake",
    "jax",
    "jaxlib",
    "optax",
    "scikit-learn",
)


def versions() -> dict[str, str]:
    """Versions of Python, of this package and of the libraries that results depend on."""
    found = {name: importlib.metadata.version(name) for name in LIBRARIES}
    return {"python": platform.python_version(), "deeplimits": __version__, **found}


def commit() -> str:
    """The commit of this checkout, "+" behind it where tracked files differ; "unknown" without git.

    A checkout inside another project's repository does not take that project's commit.
    """
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return "unknown"
    command = ["git", "-C", str(root), "describe", "--always", "--abbrev=40", "--dirty=+"]
    try:
        run = subprocess.run([*command, "--exclude=*"], capture_output=True, text=True, check=False)
    except OSError:  # git is not installed
        return "unknown"
    return run.stdout.strip() if run.returncode == 0 else "unknown"
