"""Results as `score` writes and prints them."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from recombine.errors import InputFileError, RecordError
from recombine.evaluation.generalization.result_file import read_result
from recombine.workbench import load, score, split


def test_both_forms_of_one_score_say_the_same(tmp_path: Path) -> None:
    data = load([(f"w{n}", f"A{n}") for n in range(6)], language="actions")
    made = split(data, train=1, test=5)
    scored = score(data, made, {key: data[key].target if place < 3 else "X" for place, key in enumerate(made.test)})
    scored.write(tmp_path / "lines.jsonl")
    (tmp_path / "whole.json").write_bytes(orjson.dumps(scored.to_dict()))
    lines, whole = (read_result(tmp_path / name) for name in ("lines.jsonl", "whole.json"))
    assert (lines.right, lines.n, lines.accuracy) == (whole.right, whole.n, whole.accuracy) == (3, 5, 0.6)
    assert (set(lines.ids), whole.ids, whole.correct) == (set(made.test), (), None)
    assert lines.outputs[made.test[4]] == "X"
    assert lines.restricted(made.test[:2]).accuracy == 1.0


def test_one_line_is_a_result_of_one_entry(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text('{"id": "a", "prediction": "x", "correct": true}\n')
    assert read_result(tmp_path / "one.jsonl").correct == {"a": True}


@pytest.mark.parametrize(
    ("text", "error", "named"),
    [
        ('{"id": "a", "prediction": "x"}\n{"id": "b", "correct": true}\n', RecordError, "line 1.*what is correct"),
        ('{"id": "a", "correct": true}\n{"id": "a", "correct": true}\n', RecordError, "line 2.*'a' stands there"),
        ('{"n": 5}', InputFileError, "is no result"),
        ('{"n": 0, "accuracy": 0.5}', InputFileError, "is no result"),
        ('{"n": 5, "accuracy": 1.5}', InputFileError, "is no result"),
        ("", RecordError, "line 1"),
    ],
)
def test_what_is_no_result_is_refused(tmp_path: Path, text: str, error: type[Exception], named: str) -> None:
    (tmp_path / "bad.jsonl").write_text(text)
    with pytest.raises(error, match=named):
        read_result(tmp_path / "bad.jsonl")
