"""Data sets: the digits that come with scikit-learn, and a small file in the form of MNIST."""

import hashlib

import numpy as np
import pytest

from deeplimits import datasets
from deeplimits.errors import UserError

ARFF = b"""% A comment
@RELATION small
@ATTRIBUTE pixel1 real
@ATTRIBUTE pixel2 real
@ATTRIBUTE pixel3 real
@ATTRIBUTE pixel4 real
@ATTRIBUTE class {0,1,7}
@data
0,51,102,255,7
255,0,0,0,'1'
"""
MD5 = hashlib.md5(ARFF).hexdigest()


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "source.arff"
    path.write_bytes(ARFF)
    return path.as_uri()


def test_digits():
    images = datasets.load("digits")
    assert images.pixels.shape == (1797, 8, 8)
    assert images.labels.shape == (1797,)
    assert (images.pixels.min(), images.pixels.max()) == (0.0, 1.0)
    assert set(images.labels) == set(range(10))


def test_mnist_from_a_local_file(tmp_path, file):
    images = datasets.mnist(tmp_path / "cache", url=file, md5=MD5)
    assert np.array_equal(images.pixels[0] * 255, [[0, 51], [102, 255]])
    assert images.pixels.max() == 1.0
    assert images.labels.tolist() == [7, 1]


def test_the_cache_is_used(tmp_path, file):
    first = datasets.mnist(tmp_path, url=file, md5=MD5)
    again = datasets.mnist(tmp_path, url="file:///nowhere", md5=MD5)
    assert np.array_equal(first.pixels, again.pixels)


def test_another_file_is_refused_and_not_kept(tmp_path, file):
    with pytest.raises(UserError, match=f"has the MD5 {MD5}, OpenML states {datasets.MNIST_MD5}"):
        datasets.mnist(tmp_path / "cache", url=file)
    assert not (tmp_path / "cache").exists()


def test_a_damaged_cache_is_refused(tmp_path, file):
    (tmp_path / "mnist_784.arff").write_bytes(ARFF[:-2])
    with pytest.raises(UserError, match="delete it"):
        datasets.mnist(tmp_path, url=file, md5=MD5)


def test_no_download_names_the_remedy(tmp_path):
    with pytest.raises(UserError, match=r"save it as .*mnist_784\.arff.*dataset: digits"):
        datasets.mnist(tmp_path, url=(tmp_path / "absent").as_uri())


def test_the_cache_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert datasets.cache_folder() == tmp_path / "deeplimits"


def test_unknown_names_and_files():
    with pytest.raises(ValueError, match="fashion"):
        datasets.load("fashion")
    with pytest.raises(ValueError, match="no @DATA"):
        datasets.read_arff(b"@RELATION small\n")
