"""Seals: a file's digest inside the file, so that one flipped bit anywhere is found.

A writer leaves `BLANK` where its format has room for a remark; `sealed` puts the digest of the
whole file, taken while zeros stand in its place, where the zeros stood. In a PNG the checksum of
the chunk that holds the seal is made right again, so that every reader takes the file.

A text carries a `note`, one remark with the identity of the step that made it, and the seal. CSV
has no remarks: its digest stands in the note of the LaTeX file that is made with it.
"""

import hashlib
import re
import zlib
from pathlib import Path

from deeplimits.errors import UserError

_MARK = b"deeplimits-seal:"
_ZEROS = b"0" * 32
BLANK = (_MARK + _ZEROS).decode()
DAMAGED = "damaged, or not made by deeplimits; delete it and run again"
PNG_KEYWORD = "Seal"

_SEAL = re.compile(_MARK + rb"([0-9a-f]{32})")
_PNG_CHUNK = f"tEXt{PNG_KEYWORD}\0".encode()
_NOTE = re.compile(
    rb"deeplimits-identity:([0-9a-f]{32})(?: deeplimits-csv:([0-9a-f]{32}))? " + _SEAL.pattern
)


def digest(content: bytes) -> bytes:
    """Digest of a file's content, 32 hexadecimal digits."""
    return hashlib.blake2b(content, digest_size=16).hexdigest().encode()


def sealed(content: bytes) -> bytes:
    """The file with its digest in place of the zeros of `BLANK`."""
    return _with_digits(content, _find(content), digest(content))


def refuse_broken(content: bytes, path: Path) -> None:
    """Refuse a file that is not, bit for bit, what was sealed.

    Raises
    ------
    UserError
        naming `path` and the remedy.
    """
    place = _find(content)
    if place is None or sealed(_with_digits(content, place, _ZEROS)) != content:
        raise UserError(f"{path}: {DAMAGED}")


def refuse_other(found: str | None, identity: str, path: Path) -> None:
    """Refuse a file whose identity is not that of its step.

    Raises
    ------
    UserError
        naming `path` and the remedy.
    """
    if found != identity:
        raise UserError(
            f"{path}: made from another code or specification (identity {found}, expected "
            f"{identity}); delete it and run again"
        )


def note(identity: str, csv: bytes | None = None) -> str:
    """What a text says of itself, to be put into a remark; with the digest of the CSV beside it."""
    companion = f" deeplimits-csv:{digest(csv).decode()}" if csv is not None else ""
    return f"deeplimits-identity:{identity}{companion} {BLANK}"


def read_note(content: bytes, path: Path) -> tuple[str, bytes | None]:
    """The identity and the digest of the CSV, if any, that stand in the note of a text.

    Raises
    ------
    UserError
        if the text is damaged or carries no note.
    """
    refuse_broken(content, path)
    found = _NOTE.search(content)
    if found is None:
        raise UserError(f"{path}: carries no note of deeplimits; delete it and run again")
    return found[1].decode(), found[2]


def _find(content: bytes) -> re.Match[bytes] | None:
    """The last match, because data stand before remarks."""
    found = list(_SEAL.finditer(content))
    return found[-1] if found else None


def _with_digits(content: bytes, place: re.Match[bytes], digits: bytes) -> bytes:
    start, end = place.span(1)
    content = content[:start] + digits + content[end:]
    chunk = place.start() - len(_PNG_CHUNK)
    if content[max(chunk, 0) : place.start()] != _PNG_CHUNK:
        return content
    checksum = zlib.crc32(content[chunk:end]).to_bytes(4, "big")
    return content[:end] + checksum + content[end + 4 :]
