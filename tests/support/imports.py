"""What a program imports, seen from outside: in this process everything is imported already."""

import subprocess
import sys
from pathlib import Path


def loaded(code: str, source: Path, folder: Path | None = None) -> set[str]:
    """Names of all modules that are loaded after `code` ran in `folder` with `source` in front."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules, sep='\\n')"],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={"PYTHONPATH": str(source)},
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines())
