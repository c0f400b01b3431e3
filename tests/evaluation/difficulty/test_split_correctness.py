"""Files of predictions find their splits; what could be of two splits is refused."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from recombine.errors import InputFileError, OptionError
from recombine.evaluation.difficulty.correctness import read_split_correctness

KNOWN = dict.fromkeys("abcde")


def write(path: Path, answers: dict[str, bool], model: str = "m") -> Path:
    rows = [orjson.dumps({"id": key, "correct": right, "model": model}) for key, right in answers.items()]
    path.write_bytes(b"\n".join(rows) + b"\n")
    return path


def test_one_file_for_splits_with_examples_of_their_own(tmp_path: Path) -> None:
    path = write(tmp_path / "all.jsonl", {"a": True, "b": False, "c": True, "e": True})
    ids = {"first": ["b", "a", "b"], "second": ["c"]}
    found = read_split_correctness({name: [path] for name in ids}, ids, known=KNOWN)
    assert list(found) == ["first", "second"]
    assert found["first"].ids == ("b", "a", "b")
    assert found["first"].correct.tolist() == [[False], [True], [False]]
    assert found["second"].correct.tolist() == [[True]]
    # One record is of no split's examples, and is counted once.
    assert [some.elsewhere for some in found.values()] == [1, 0]


def test_one_example_in_two_splits(tmp_path: Path) -> None:
    one, two = write(tmp_path / "1.jsonl", {"a": True, "b": True}), write(tmp_path / "2.jsonl", {"a": False})
    ids = {"first": ["a", "b"], "second": ["a"]}
    found = read_split_correctness({"first": [one], "second": [two]}, ids, known=KNOWN)
    assert found["first"].correct.tolist() == [[True], [True]]
    assert found["second"].correct.tolist() == [[False]]
    with pytest.raises(OptionError, match=r"first and second both test a, .*1\.jsonl.*give each split its own file"):
        read_split_correctness({"first": [one], "second": [one]}, ids, known=KNOWN)


def test_a_split_without_predictions(tmp_path: Path) -> None:
    path = write(tmp_path / "1.jsonl", {"a": True})
    with pytest.raises(InputFileError, match="no predictions are of the split second"):
        read_split_correctness({"first": [path], "second": []}, {"first": ["a"], "second": ["b"]}, known=KNOWN)
    with pytest.raises(InputFileError, match="no record for 1 of 2 examples, the first is b"):
        read_split_correctness({"first": [path]}, {"first": ["a", "b"]}, known=KNOWN)
