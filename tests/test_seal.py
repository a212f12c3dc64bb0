"""Seals: every flipped bit is found, and the files stay what their formats want."""

import io
import zlib
from pathlib import Path

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from deeplimits import seal
from deeplimits.errors import UserError

PATH = Path("folder/file")


def png() -> bytes:
    notes = PngInfo()
    notes.add_text(seal.PNG_KEYWORD, seal.BLANK)
    buffer = io.BytesIO()
    Image.new("RGB", (3, 3)).save(buffer, "png", pnginfo=notes)
    return buffer.getvalue()


CONTENTS = {
    "png": png(),
    "text": f"text\n% {seal.BLANK}\n".encode(),
    "nothing but the seal": seal.BLANK.encode(),
    "data that look like a seal": f"{seal.BLANK} {seal.BLANK}.".encode(),
    "note": f"<!-- {seal.note('a' * 32)} -->".encode(),
    "note with a CSV": f"% {seal.note('a' * 32, b'1,2')}".encode(),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_a_sealed_file_is_taken_and_its_length_is_as_before(name: str) -> None:
    content = seal.sealed(CONTENTS[name])
    assert len(content) == len(CONTENTS[name])
    assert content != CONTENTS[name]
    seal.refuse_broken(content, PATH)


@pytest.mark.parametrize("name", CONTENTS)
def test_every_flipped_bit_and_every_cut_is_found(name: str) -> None:
    content = seal.sealed(CONTENTS[name])
    flipped = (
        content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :]
        for place in range(len(content))
        for bit in range(8)
    )
    cut = (content[:length] for length in range(len(content)))
    for damaged in (*flipped, *cut, content + b"\0", 2 * content, CONTENTS[name]):
        with pytest.raises(UserError, match="folder/file: damaged, or not made by deeplimits"):
            seal.refuse_broken(damaged, PATH)


def test_a_sealed_png_keeps_its_checksums() -> None:
    content = seal.sealed(CONTENTS["png"])
    place = 8
    while place < len(content):
        length = int.from_bytes(content[place : place + 4], "big")
        chunk, checksum = content[place + 4 : place + 8 + length], place + 8 + length
        assert zlib.crc32(chunk).to_bytes(4, "big") == content[checksum : checksum + 4]
        place = checksum + 4
    with Image.open(io.BytesIO(content)) as image:
        image.load()
        assert image.text[seal.PNG_KEYWORD] != seal.BLANK


def test_a_text_tells_its_identity_and_the_digest_of_its_csv() -> None:
    alone, paired = (seal.sealed(CONTENTS[name]) for name in ("note", "note with a CSV"))
    assert seal.read_note(alone, PATH) == ("a" * 32, None)
    assert seal.read_note(paired, PATH) == ("a" * 32, seal.digest(b"1,2"))


def test_a_sealed_text_without_a_note_is_refused() -> None:
    with pytest.raises(UserError, match="folder/file: carries no note of deeplimits; delete it"):
        seal.read_note(seal.sealed(CONTENTS["text"]), PATH)
