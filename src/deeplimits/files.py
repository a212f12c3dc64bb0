"""Writing files whole or not at all."""

import contextlib
import fcntl
import glob
import os
import tempfile
from pathlib import Path

from deeplimits.errors import UserError


def write_whole(path: Path, content: bytes) -> None:
    """Write `content` to `path` so that a reader sees the old file or the new one, never a part.

    What a writer of the same file left behind when it was killed is removed.

    Raises
    ------
    UserError
        if the folder can't be written or the disk is full; nothing half-written stays.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(path)
        handle, temporary = _open_temporary(path)
    except OSError as error:
        raise UserError(_message(path, error)) from error
    try:
        # Open, and so locked, until it has its name.
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(handle)
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(path)
    except OSError as error:
        raise UserError(_message(path, error)) from error
    finally:
        temporary.unlink(missing_ok=True)


def _message(path: Path, error: OSError) -> str:
    return (
        f"{path}: can't be written: {error.strerror}; nothing half-written is left, "
        "so mend that and run again"
    )


def _open_temporary(path: Path) -> tuple[int, Path]:
    """A new file beside `path`, locked, so that no other writer takes it for a leftover."""
    while True:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        _lock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return handle, Path(name)
        os.close(handle)  # removed by another writer before it was locked


def _remove_leftovers(path: Path) -> None:
    """Remove temporary files of `path` whose writer is gone: the lock went with it."""
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.*"):
        with contextlib.suppress(OSError), leftover.open("rb") as stream:
            if _lock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB):
                leftover.unlink()


def _lock(handle: int, operation: int) -> bool:
    """Lock a file; False where another process holds it, or the file system has no locks."""
    try:
        fcntl.flock(handle, operation)
    except OSError:
        return False
    return True


def _umask() -> int:
    # The umask can only be read by setting it; mkstemp ignores it and makes private files.
    mask = os.umask(0)
    os.umask(mask)
    return mask
