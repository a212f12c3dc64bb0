"""What the Snakefile needs: the chain of its configuration, and how stages are called."""

import re
import shlex
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from deeplimits import chain, digest, environment
from deeplimits.chain import Chain
from deeplimits.errors import UserError


def load(merged: Mapping[str, Any], files: Iterable[str]) -> Chain:
    """The chain of Snakemake's merged configuration.

    Exits with one message where the configuration is wrong or the environment too old.
    """

    def make() -> Chain:
        from deeplimits import config, plan  # only here: they take time, and may be missing

        for name in files:  # Snakemake has already dropped duplicate keys from `merged`
            config.read_file(Path(name))
        return Chain.of(plan.Plan(config.validate(merged)))

    try:
        environment.refuse_old()
        return chain.kept(merged, files, make)
    except UserError as error:
        sys.exit(f"deeplimits: {error}")


def shell_prefix() -> str:
    """Bash that makes `deeplimits` run this checkout with the running interpreter."""
    source, python = shlex.quote(str(digest.SOURCE)), shlex.quote(sys.executable)
    prefix = (
        f"export PYTHONPATH={source} PYTHONNOUSERSITE=1; "
        f'deeplimits() {{ {python} -m deeplimits "$@"; }}; '
    )
    return prefix.replace("{", "{{").replace("}", "}}")  # Snakemake formats it


def alternatives(names: Iterable[str]) -> str:
    """Regular expression that matches exactly the names."""
    return "|".join(re.escape(name) for name in names) or "(?!)"


def call(command: str) -> str:
    """Shell template of a stage: specification on standard input, messages into the log.

    A heredoc, because a command line is limited to 128 KiB an argument.
    """
    return (
        f"deeplimits {command} 2> {{log:q}} <<'SPECIFICATION'\n"
        "{params.specification}\n"
        "SPECIFICATION\n"
    )
