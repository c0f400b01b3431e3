"""Which examples models got right, from files; ids that do not match are errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import orjson
import pytest

from recombine.errors import InputFileError, RecombineError, UnknownNameError
from recombine.evaluation.difficulty.correctness import Correctness, read_correctness

TABLE = np.array([[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]], bool)
FOUND = Correctness(tuple("abcde"), ("w", "x", "y", "z"), TABLE)


def test_gold_labels() -> None:
    assert FOUND.gold("majority").tolist() == [1, 1, -1, 0, 0]
    assert FOUND.gold("all agree").tolist() == [1, -1, -1, -1, 0]
    assert FOUND.gold("z").tolist() == [1, 0, 0, 0, 0]
    assert {name: labels.tolist() for name, labels in FOUND.labels("each model").items()}["w"] == [1, 1, 1, 1, 0]
    assert list(FOUND.labels()) == ["majority"]
    assert FOUND.accuracies() == {"w": 0.8, "x": 0.6, "y": 0.4, "z": 0.2}
    with pytest.raises(UnknownNameError, match="did you mean 'majority'"):
        FOUND.gold("majorty")


def test_one_model_is_its_own_majority() -> None:
    one = Correctness(("a", "b"), ("m",), np.array([[True], [False]]))
    assert one.gold().tolist() == one.gold("all agree").tolist() == [1, 0]


def write(path: Path, *records: object) -> Path:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    return path


def right(key: str, correct: object = True, model: str = "m") -> dict[str, object]:
    return {"id": key, "correct": correct, "model": model}


def read(paths: list[Path], ids: str = "ab", known: str = "abc") -> Correctness:
    return read_correctness(paths, list(ids), known=dict.fromkeys(known))


def test_several_models_in_one_file_and_in_two(tmp_path: Path) -> None:
    both = [right("b", False, "n"), right("a", True, "n")]
    together = write(tmp_path / "all.jsonl", right("a"), right("b"), *both, right("c"))
    found = read([together])
    assert (found.models, found.correct.tolist(), found.elsewhere) == (("m", "n"), [[True, True], [True, False]], 1)
    apart = [write(tmp_path / "m.jsonl", right("a"), right("b")), write(tmp_path / "n.jsonl", *both)]
    assert read(apart).correct.tolist() == found.correct.tolist()


def test_a_file_names_its_model(tmp_path: Path) -> None:
    path = write(tmp_path / "t5.jsonl", {"id": "a", "correct": True}, {"id": 7, "correct": False})
    assert read_correctness([path], ["a", "7"], known={"a": 0, "7": 0}).models == ("t5.jsonl",)


def test_a_repeated_id_has_one_record(tmp_path: Path) -> None:
    path = write(tmp_path / "m.jsonl", right("a"), right("b", False))
    assert read([path], "aba").correct[:, 0].tolist() == [True, False, True]


CASES: dict[str, tuple[list[object], str]] = {
    "an id of no example": ([right("a"), right("q")], "line 2: the id 'q' is not in the data"),
    "an example without a record": ([right("a")], "m has no record for 1 of 2 examples, the first is b"),
    "two records": ([right("a"), right("a"), right("b")], "line 2: the id 'a' of m stands already in .*line 1"),
    "not a truth value": ([right("a", "yes")], "line 1: does not say whether it is correct"),
    "nothing said": ([{"id": "a", "prediction": "x"}], "line 1: does not say whether it is correct"),
    "no id": ([{"correct": True}], "line 1: no id"),
    "a model that is no text": ([{"id": "a", "correct": True, "model": 3}], "line 1: the model is not text"),
    "not an object": ([[1]], "line 1: is not a JSON object"),
    "other examples only": ([right("c")], "no record is of an example that was asked for"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_files(case: str, tmp_path: Path) -> None:
    records, message = CASES[case]
    with pytest.raises(RecombineError, match=message):
        read([write(tmp_path / "m.jsonl", *records)])


def test_broken_and_empty_files(tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text('{"id"')
    with pytest.raises(RecombineError, match="line 1: broken JSON"):
        read([tmp_path / "broken.jsonl"])
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(InputFileError, match="has no records"):
        read([tmp_path / "empty.jsonl"])
