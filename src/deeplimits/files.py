"""Writing files whole or not at all."""

import os
import tempfile
from pathlib import Path

from deeplimits.errors import UserError


def write_whole(path: Path, content: bytes) -> None:
    """Write `content` to `path` so that a reader sees the old file or the new one, never a part.

    Raises
    ------
    UserError
        if the folder can't be written or the disk is full; nothing half-written stays.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise UserError(f"{path}: can't be written: {error.strerror}") from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise UserError(f"{path}: can't be written: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    # The umask can only be read by setting it; mkstemp ignores it and makes private files.
    mask = os.umask(0)
    os.umask(mask)
    return mask
