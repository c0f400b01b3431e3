"""Vectors of words from a file: GloVe's text, or an array of numpy with its words in a text file beside it.

A text file has a word and its numbers on each line; a first line of two whole numbers (word2vec's) is left out. An
array `NAME.npy` has a row for each line of `NAME.txt`. Rows of another width than the first are an error. Of a word
that comes twice the first vector counts, and the others are counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import InputFileError, RecordError
from recombine.files import check_file, read_text

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Words and their vectors."""

    words: tuple[str, ...]
    vectors: NDArray[np.float32]
    """A row for each word."""
    repeated: int
    """Lines left out because their word had come before."""


def read_vectors(path: Path | str, *, only: Collection[str] | None = None) -> WordVectors:
    """The vectors of a file; with `only`, of these words alone."""
    path = check_file(path)
    words, vectors = _of_array(path) if path.suffix == ".npy" else _of_text(path, only)
    first: dict[str, int] = {}
    for row, word in enumerate(words):
        first.setdefault(word, row)
    repeated = len(words) - len(first)
    kept = [(word, row) for word, row in first.items() if only is None or word in only]
    rows = np.array([row for _, row in kept], np.int64)
    return WordVectors(tuple(word for word, _ in kept), np.ascontiguousarray(vectors[rows], np.float32), repeated)


def _of_text(path: Path, only: Collection[str] | None) -> tuple[list[str], NDArray[Any]]:
    words: list[str] = []
    rows: list[NDArray[np.float32] | None] = []
    width = 0
    for number, line in enumerate(read_text(path).split("\n"), 1):
        parts = line.rstrip("\r ").split(" ")
        if parts == [""] or (number == 1 and len(parts) == 2 and all(part.isdigit() for part in parts)):
            continue
        width = width or len(parts) - 1
        if len(parts) - 1 != width:
            problem = f"has {len(parts) - 1} numbers, and the lines before it have {width}"
            raise RecordError(path, f"line {number}", problem, "give vectors of one width")
        words.append(parts[0])
        rows.append(_numbers(path, number, parts[1:]) if only is None or parts[0] in only else None)
    if not width:
        raise InputFileError(f"{path}: has no vectors", "give GloVe's text form: a word and its numbers on each line")
    blank = np.zeros(width, np.float32)
    return words, _finite(path, np.stack([blank if row is None else row for row in rows]))


def _numbers(path: Path, number: int, parts: list[str]) -> NDArray[np.float32]:
    try:
        return np.array(parts, np.float32)
    except ValueError:
        raise RecordError(path, f"line {number}", "is no word with numbers", "give GloVe's text form") from None


def _of_array(path: Path) -> tuple[list[str], NDArray[Any]]:
    try:
        vectors = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise InputFileError(f"{path}: is no array of numpy ({error})", "write it with numpy.save") from error
    if vectors.ndim != 2 or vectors.dtype.kind != "f" or not vectors.size:
        problem = f"{path}: has numbers of type {vectors.dtype} in the shape {vectors.shape}"
        raise InputFileError(problem, "give a table of floating-point numbers, a row for each word")
    beside = path.with_suffix(".txt")
    if not beside.is_file():
        raise InputFileError(f"{path}: has no {beside.name} beside it", "write the words there, one on each line")
    words = read_text(beside).split("\n")
    words = [word.rstrip("\r") for word in (words[:-1] if words[-1] == "" else words)]
    if len(words) != len(vectors):
        raise InputFileError(
            f"{path}: has {len(vectors)} rows, and {beside.name} {len(words)} words", "give a word a row"
        )
    return words, _finite(path, vectors)


def _finite(path: Path, vectors: NDArray[Any]) -> NDArray[Any]:
    # The smallest and the largest are finite if all are; a sum could be too large for its type.
    if not (np.isfinite(vectors.min()) and np.isfinite(vectors.max())):
        row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        raise InputFileError(f"{path}: the vector of row {row + 1} has a number that is not finite", "leave it out")
    return vectors
