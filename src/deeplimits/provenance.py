"""What a result was made with: library versions, the kind of machine and the commit."""

import functools
import importlib.metadata
import platform
import subprocess
from pathlib import Path

import numpy as np

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


@functools.cache
def machine() -> dict[str, str]:
    """What of the machine decides about the last bits of a number.

    The architecture, the C library, whose functions scipy calls, and the widest instructions of the
    processor, by which numpy and OpenBLAS choose their loops.
    """
    found = np.show_config(mode="dicts")["SIMD Extensions"]
    instructions = [*found["baseline"], *found.get("found", [])]
    return {
        "architecture": platform.machine(),
        "libc": " ".join(platform.libc_ver()).strip() or platform.system(),
        "instructions": " ".join(instructions),
    }


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
