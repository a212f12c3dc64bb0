"""Images with labels: scikit-learn's digits, which come with it, and MNIST from OpenML on request.

MNIST is taken as OpenML's data set 554 (mnist_784, version 1), whose description,
https://www.openml.org/api/v1/json/data/554, states the address and the MD5 of the file
(`md5_checksum`). A file that differs is refused, never used.
"""

import hashlib
import io
import os
import urllib.error
import urllib.request
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from deeplimits.errors import UserError
from deeplimits.files import write_whole

Name = Literal["digits", "mnist"]

MNIST_URL = "https://www.openml.org/data/v1/download/52667/mnist_784.arff"
MNIST_MD5 = "0298d579eb1b86163de7723944c7e495"


class Images(NamedTuple):
    """Grey images and what they show.

    Attributes
    ----------
    pixels
        (images, height, width), from 0 to 1.
    labels
        (images,), 0 to 9.
    """

    pixels: np.ndarray
    labels: np.ndarray


def load(name: Name) -> Images:
    """The data set of that name."""
    match name:
        case "digits":
            return digits()
        case "mnist":
            return mnist(cache_folder())
    raise ValueError(f'data set {name!r}: must be "digits" or "mnist"')


def digits() -> Images:
    """1797 handwritten digits of 8×8 pixels with 17 levels, installed with scikit-learn."""
    from sklearn.datasets import load_digits  # only here: it takes long to import

    bunch = load_digits()
    return Images(bunch.images / 16.0, bunch.target.astype(np.int64))


def mnist(folder: Path, *, url: str = MNIST_URL, md5: str = MNIST_MD5) -> Images:
    """70,000 handwritten digits of 28×28 pixels; downloaded into `folder` unless they are there.

    Raises
    ------
    UserError
        if the file can't be downloaded or read, or has another MD5.
    """
    path = folder / "mnist_784.arff"
    if not path.exists():
        content = _download(url, path)
        _refuse_other(content, md5, f"{url}: what was downloaded")
        write_whole(path, content)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: can't be read: {error.strerror}") from error
    _refuse_other(content, md5, f"{path}: the file")
    values = read_arff(content)
    side = round((values.shape[1] - 1) ** 0.5)
    return Images(values[:, :-1].reshape(-1, side, side) / 255.0, values[:, -1].astype(np.int64))


def cache_folder() -> Path:
    """Where downloads are kept: $XDG_CACHE_HOME/deeplimits, by default ~/.cache/deeplimits."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "deeplimits"


def read_arff(content: bytes) -> np.ndarray:
    """The rows after @DATA of a dense ARFF file of numbers."""
    lines = io.BytesIO(content)
    for line in lines:
        if line.strip().upper() == b"@DATA":
            return np.loadtxt(lines, delimiter=",", comments="%", ndmin=2, quotechar="'")
    raise ValueError("no @DATA in the ARFF file")


def _download(url: str, path: Path) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return answer.read()
    except (urllib.error.URLError, OSError) as error:
        raise UserError(
            f"{url}: can't be downloaded ({error}); fetch it yourself and save it as {path}, or "
            'set the experiment\'s "dataset: digits"'
        ) from error


def _refuse_other(content: bytes, md5: str, what: str) -> None:
    # Not for security: it is the checksum that OpenML publishes.
    found = hashlib.md5(content, usedforsecurity=False).hexdigest()
    if found != md5:
        raise UserError(f"{what} has the MD5 {found}, OpenML states {md5}; delete it and run again")
