"""Vectors of words from files, whole and broken ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from recombine.errors import InputFileError, RecombineError, RecordError
from recombine.models.kbqa.nets.read_vectors import read_vectors


def test_glove_text(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("the 1.0 -2\nfilm 0.5 3e-1 \nthe 9 9\n", encoding="utf-8")
    read = read_vectors(path)
    assert read.words == ("the", "film")
    assert read.repeated == 1
    np.testing.assert_array_equal(read.vectors, np.array([[1, -2], [0.5, 0.3]], np.float32))


def test_a_first_line_with_counts_is_no_vector(tmp_path: Path) -> None:
    path = tmp_path / "word2vec.txt"
    path.write_text("2 3\na 1 2 3\nb 4 5 6\n", encoding="utf-8")
    assert read_vectors(path).words == ("a", "b")


def test_some_words_alone(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("a 1 2\nb 3 4\nc 5 6\n", encoding="utf-8")
    read = read_vectors(path, only={"c", "a", "z"})
    assert read.words == ("a", "c")
    np.testing.assert_array_equal(read.vectors, np.array([[1, 2], [5, 6]], np.float32))


def test_an_array_with_its_words_beside_it(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.array([[1, 2], [3, 4], [5, 6]], np.float16))
    (tmp_path / "v.txt").write_text("a\nb\na\n", encoding="utf-8")
    read = read_vectors(tmp_path / "v.npy")
    assert (read.words, read.repeated) == (("a", "b"), 1)
    assert read.vectors.dtype == np.float32
    np.testing.assert_array_equal(read.vectors, [[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a 1 2\nb 1 2 3\n", "line 2: has 3 numbers, and the lines before it have 2"),
        ("a 1 2\nb 1 x\n", "line 2: is no word with numbers"),
        ("a 1 nan\n", "not finite"),
        ("", "has no vectors"),
    ],
)
def test_broken_texts(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "glove.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecombineError, match=fault):
        read_vectors(path)


def test_broken_arrays(tmp_path: Path) -> None:
    path, beside = tmp_path / "v.npy", tmp_path / "v.txt"
    np.save(path, np.ones((2, 2), np.float32))
    with pytest.raises(InputFileError, match=r"has no v\.txt beside it"):
        read_vectors(path)
    beside.write_text("a\nb\nc\n", encoding="utf-8")
    with pytest.raises(InputFileError, match=r"has 2 rows, and v\.txt 3 words"):
        read_vectors(path)
    np.save(path, np.ones(3, np.float32))
    with pytest.raises(InputFileError, match="shape"):
        read_vectors(path)
    path.write_bytes(b"no array")
    with pytest.raises(InputFileError, match="is no array of numpy"):
        read_vectors(path)
    with pytest.raises(InputFileError, match="no such file"):
        read_vectors(tmp_path / "none.txt")


def test_the_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("a 1\nb 1 2\n", encoding="utf-8")
    with pytest.raises(RecordError) as caught:
        read_vectors(path)
    assert caught.value.record == "line 2"
