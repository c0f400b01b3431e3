"""Schemas and questions come back from files as they were; files that are not whole are refused."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from few_questions import SCHEMA, few_questions

from recombine.errors import InputFileError
from recombine.models.kbqa.arrays.array_file import (
    read_arrays,
    read_questions,
    read_schema,
    write_arrays,
    write_questions,
    write_schema,
)
from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
from recombine.models.kbqa.arrays.tries import Tries

QUESTIONS = few_questions(range(20))


def values(of: QuestionArrays) -> list[object]:
    """All that questions hold, as plain values."""
    rows = (of.vocabulary, of.targets, of.candidates.parents, of.candidates.codes)
    arrays = (of.link_begins, of.link_kinds, of.pruned, *(part for each in rows for part in (each.begins, each.values)))
    return [of.ids, of.texts, of.link_words, of.link_texts, *(array.tolist() for array in arrays)]


def test_they_come_back(tmp_path: Path) -> None:
    write_schema(tmp_path / "schema.npz", SCHEMA)
    write_questions(tmp_path / "questions.npz", QUESTIONS)
    back = read_schema(tmp_path / "schema.npz")
    assert (back.words, back.texts, back.kinds.tolist()) == (SCHEMA.words, SCHEMA.texts, SCHEMA.kinds.tolist())
    questions = read_questions(tmp_path / "questions.npz", back)
    assert values(questions) == values(QUESTIONS)
    assert questions.vocabulary.values.dtype == QUESTIONS.vocabulary.values.dtype == np.int32


def test_texts_and_numbers_of_all_kinds_come_back(tmp_path: Path) -> None:
    schema = SchemaArrays(("", "Ångström 雪", "a\nb\0c", "\ud800"), ("x" * 70_000, "", "", "y"), np.zeros(4, np.uint8))
    write_schema(tmp_path / "schema.npz", schema)
    assert read_schema(tmp_path / "schema.npz").words == schema.words
    assert read_schema(tmp_path / "schema.npz").texts == schema.texts
    deep = [[*range(1, 400), 0], [1, 2, 3, 70_000, 0], [0]]
    tries = Tries.of([[], deep, [], [[0]], deep[:1], []])
    rows = Ragged.of([[], [70_000, 1], [], [0], [], []])
    nothing = few_questions(range(0))
    written = replace(few_questions(range(6)), candidates=tries, vocabulary=rows, targets=Ragged.of([[]] * 6))
    for questions in (written, nothing):
        write_questions(tmp_path / "questions.npz", questions)
        assert values(read_questions(tmp_path / "questions.npz")) == values(questions)


def test_the_same_arrays_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_questions(tmp_path / name, QUESTIONS)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "questions.npz"
    write_questions(path, QUESTIONS)
    whole, arrays = path.read_bytes(), read_arrays(path)
    for cut in (0, 10, len(whole) // 2, len(whole) - 30):
        path.write_bytes(whole[:cut])
        with pytest.raises(InputFileError, match="no whole file of arrays"):
            read_questions(path)
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 255
    path.write_bytes(bytes(flipped))
    with pytest.raises(InputFileError, match="no whole file of arrays"):
        read_questions(path)
    path.unlink()
    with pytest.raises(InputFileError, match="no such file"):
        read_questions(path)
    assert set(arrays) >= {"candidates_more", "targets_values"}


@pytest.mark.parametrize(
    "name", ["ids_sizes", "candidates_more", "targets_values", "link_kinds", "pruned", "texts_bytes"]
)
def test_arrays_that_do_not_fit_together_are_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "questions.npz"
    write_questions(path, QUESTIONS)
    arrays = read_arrays(path)
    write_arrays(path, {**arrays, name: arrays[name][:-1]})
    with pytest.raises(InputFileError, match="no whole file of arrays"):
        read_questions(path)
    write_arrays(path, {other: array for other, array in arrays.items() if other != name})
    with pytest.raises(InputFileError, match=name):
        read_questions(path)


def test_a_parent_after_its_node_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "questions.npz"
    write_questions(path, QUESTIONS)
    arrays = read_arrays(path)
    more = arrays["candidates_more"].astype(np.int64)
    more[1] += 5
    write_arrays(path, {**arrays, "candidates_more": more})
    with pytest.raises(InputFileError, match="a node stands before its parent"):
        read_questions(path)


def test_questions_of_a_larger_schema_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "questions.npz"
    write_questions(path, QUESTIONS)
    less = SchemaArrays(SCHEMA.words[:-1], SCHEMA.texts[:-1], SCHEMA.kinds[:-1])
    with pytest.raises(InputFileError, match="neither items of the schema nor links"):
        read_questions(path, less)


def test_an_array_with_objects_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "bad.npz", kinds=np.array([{}], dtype=object))
    with pytest.raises(InputFileError, match="no whole file of arrays"):
        read_schema(tmp_path / "bad.npz")
