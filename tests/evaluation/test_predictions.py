"""Predictions: read, joined by id, source or target, and refused with file, line and remedy."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from recombine.errors import RecombineError
from recombine.evaluation.predictions import Assigned, Predictions, assign, read_predictions
from recombine.records.dataset import Dataset
from recombine.workbench import load

DATA = load(
    [("a", "A"), ("b", "B"), ("c", "C"), ("d", "C"), ("e  f", "E F"), ("a", "A")]  # the last repeats the first
)
IDS = [example.id for example in DATA]


def write(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def joined(path: Path, ids: list[str] = IDS, *, allow_missing: bool = False, **options: Any) -> Assigned:
    return assign(read_predictions(path, **options), DATA, ids, part="test", allow_missing=allow_missing)


def test_by_id(tmp_path: Path) -> None:
    path = write(tmp_path / "p.jsonl", *({"id": key, "prediction": str(n)} for n, key in enumerate(IDS)))
    found = joined(path, IDS[1:3])
    assert found.outputs == {IDS[1]: "1", IDS[2]: "2"}
    assert (found.missing, found.elsewhere, found.shared) == (0, 4, 0)
    assert joined(path, [IDS[1], IDS[1]]).outputs == {IDS[1]: "1"}
    packed = tmp_path / "p.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert joined(packed, IDS[1:3]).digest == found.digest != joined(path, IDS[1:4]).digest


def test_ids_that_are_numbers(tmp_path: Path) -> None:
    numbered = Dataset("numbered", tuple(type(e)(str(n), e.source, e.target) for n, e in enumerate(DATA)))
    path = write(tmp_path / "p.jsonl", {"id": 3, "prediction": "x"})
    assert assign(read_predictions(path), numbered, ["3"], part="test").outputs == {"3": "x"}


def test_an_empty_or_null_prediction_is_kept_as_empty(tmp_path: Path) -> None:
    path = write(tmp_path / "p.jsonl", {"id": IDS[0], "prediction": None}, {"id": IDS[1], "prediction": ""})
    found = joined(path, IDS[:2])
    assert (found.outputs, found.missing) == ({IDS[0]: "", IDS[1]: ""}, 0)


def test_missing_predictions_only_when_allowed(tmp_path: Path) -> None:
    path = write(tmp_path / "p.jsonl", {"id": IDS[0], "prediction": "x"})
    found = joined(path, [IDS[0], IDS[1], IDS[1], IDS[2]], allow_missing=True)
    assert (found.outputs, found.missing) == ({IDS[0]: "x"}, 3)
    with pytest.raises(RecombineError, match=rf"no prediction for 5 of 6 examples of test, the first is {IDS[1]}"):
        joined(path)


def test_by_source(tmp_path: Path) -> None:
    rows = [{"source": text, "output": text.upper()} for text in ("e f", "b")]
    found = joined(write(tmp_path / "p.jsonl", *rows), [IDS[4], IDS[1]], match_on="source", prediction="output")
    assert found.outputs == {IDS[4]: "E F", IDS[1]: "B"}


def test_records_with_one_text(tmp_path: Path) -> None:
    one, two = {"target": "C", "prediction": "1"}, {"target": "C", "prediction": "2"}
    alone, both = write(tmp_path / "1.jsonl", one), write(tmp_path / "2.jsonl", one, two)
    found = joined(alone, IDS[2:4], match_on="target")
    assert (found.outputs, found.shared) == ({IDS[2]: "1", IDS[3]: "1"}, 1)
    assert joined(both, IDS[2:4], match_on="target").outputs == {IDS[2]: "1", IDS[3]: "2"}
    # One of the two examples is not asked for: its record goes elsewhere, by order.
    found = joined(both, IDS[3:4], match_on="target")
    assert (found.outputs, found.elsewhere) == ({IDS[3]: "2"}, 1)
    with pytest.raises(RecombineError, match="line 2: 3 predictions with this target, the first in line 1, for 2 exam"):
        joined(write(tmp_path / "3.jsonl", one, two, one), IDS[2:4], match_on="target")


def test_of_several_models(tmp_path: Path) -> None:
    rows = [{"id": IDS[0], "prediction": name, "model": name} for name in ("bart", "t5")]
    path = write(tmp_path / "p.jsonl", *rows)
    assert joined(path, IDS[:1], model="t5").outputs == {IDS[0]: "t5"}
    with pytest.raises(RecombineError, match="of 2 models: bart, t5; choose one with --model"):
        joined(path, IDS[:1])
    with pytest.raises(RecombineError, match="did you mean 't5'"):
        joined(path, IDS[:1], model="t6")


def test_what_the_file_says_is_correct(tmp_path: Path) -> None:
    rows = [{"id": IDS[0], "prediction": "A", "correct": True}, {"id": IDS[1], "prediction": "A", "correct": False}]
    assert joined(write(tmp_path / "p.jsonl", *rows), IDS[:2]).stated == {IDS[0]: True, IDS[1]: False}


GOOD = {"id": IDS[0], "prediction": "A"}
BAD: list[tuple[list[Any], dict[str, Any], str]] = [
    ([GOOD, GOOD], {}, f"p.jsonl, line 2: the id '{IDS[0]}' stands already in line 1; give one prediction for each id"),
    (
        [GOOD, {**GOOD, "id": "x"}, {**GOOD, "id": "y"}],
        {},
        "p.jsonl, line 2: the id 'x' is not in records, nor are those of 1 more records; give the data that was",
    ),
    ([{"id": IDS[0]}], {}, "line 1: no field 'prediction'; it has: id; name the field with --prediction"),
    ([{"prediction": "A"}], {}, "line 1: no field 'id'; it has: prediction; choose another with --match-on"),
    ([{**GOOD, "prediction": 3}], {}, "line 1: the field 'prediction' is not text"),
    ([{**GOOD, "prediction": False}], {}, "line 1: the field 'prediction' is not text"),
    ([{**GOOD, "id": True}], {}, "line 1: the field 'id' is not text"),
    ([{**GOOD, "id": None}], {}, "line 1: the field 'id' is not text"),
    ([{**GOOD, "model": ["x"]}], {}, "line 1: the field 'model' is not text"),
    ([{**GOOD, "correct": "yes"}], {}, "line 1: the field 'correct' is neither true nor false"),
    ([GOOD, {**GOOD, "correct": True}], {}, "line 1: no 'correct', though other records have one"),
    ([{**GOOD, "model": "a"}, GOOD], {}, "line 2: no 'model', though other records have one"),
    ([[1]], {}, "line 1: is not a JSON object"),
    ([GOOD], {"match_on": "sources"}, "did you mean 'source'"),
    ([GOOD], {"match_on": "source"}, "no field 'source'"),
    ([], {}, "p.jsonl: has no predictions"),
]


@pytest.mark.parametrize(("records", "options", "message"), BAD)
def test_bad_files(records: list[Any], options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(RecombineError) as caught:
        joined(write(tmp_path / "p.jsonl", *records), IDS[:1], **options)
    assert message in str(caught.value)


def test_broken_json(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text('{"id": "1", "prediction": "x"}\n{"id"\n')
    with pytest.raises(RecombineError, match="line 2: broken JSON"):
        read_predictions(tmp_path / "p.jsonl")
    (tmp_path / "p.jsonl").write_text('{"id": "1", "prediction": "x"}\n\n')
    with pytest.raises(RecombineError, match="line 2: is empty; remove it"):
        read_predictions(tmp_path / "p.jsonl")


def test_from_python() -> None:
    found = assign(Predictions.of({IDS[0]: "A"}), DATA, IDS[:1], part="test")
    assert found.outputs == {IDS[0]: "A"}
