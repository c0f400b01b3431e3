"""Fields within others, and targets that are no texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pytest

import recombine
from recombine.datasets.files.field_path import MISSING, find_field
from recombine.datasets.files.tables import read_table
from recombine.errors import RecordError, UnreadableError
from recombine.languages.known import find_language

CALL = {"name": "weather", "arguments": {"unit": "C", "city": "Köln", "days": [3.0, 1e2, None, True]}}
RECORD = {"turns": [{"text": "warm in Köln?"}], "call": CALL, "n": 7, "a.b": "whole", "a": {"b": "inner"}}


def put(folder: Path, *records: Any) -> Path:
    path = folder / "a.jsonl"
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    return path


def test_a_whole_name_comes_before_its_parts() -> None:
    assert find_field(RECORD, "a.b") == "whole"
    assert find_field({"a": {"b": "inner"}}, "a.b") == "inner"
    for field in ("turns.1.text", "turns.-1.text", "turns.text", "call.name.x", "call.", ".", "x"):
        assert find_field(RECORD, field) is MISSING


def test_nested_fields_of_json(tmp_path: Path) -> None:
    data = read_table(put(tmp_path, RECORD), source="turns.0.text", target="call.arguments")
    assert data[0].source == "warm in Köln?"
    assert data[0].target == '{"city":"Köln","days":[3,100,null,true],"unit":"C"}'
    assert data[0].tags["call"] == CALL  # what the target is within is kept
    assert data[0].tags["n"] == 7


def test_the_order_of_keys_and_the_form_of_numbers_do_not_matter(tmp_path: Path) -> None:
    texts = ['{"b": 1, "a": [2.50, -0.0]}', '{"a":[2.5,0],"b":1.0}', '{"a": [25e-1, 0], "b": 10e-1}']
    (tmp_path / "a.jsonl").write_text("".join(f'{{"source": "s", "target": {text}}}\n' for text in texts))
    data = read_table(tmp_path / "a.jsonl", language=find_language("json"))
    assert [example.target for example in data] == ['{"a":[2.5,0],"b":1}'] * 3
    assert data.ids == [data.ids[0], f"{data.ids[0]}#2", f"{data.ids[0]}#3"]
    # A text stays what it is.
    assert recombine.load([("s", texts[0])])[0].target == texts[0]


def test_nested_fields_of_other_files_and_of_python(tmp_path: Path) -> None:
    named: dict[str, Any] = {"source": "turns.0.text", "target": "call.name"}
    wanted = read_table(put(tmp_path, RECORD), **named).hash
    table = pa.Table.from_pylist([{"turns": RECORD["turns"], "call": CALL}])
    assert recombine.load(table, **named).hash == wanted
    assert recombine.load([RECORD], **named).hash == wanted
    assert recombine.load([RECORD], source="turns.0.text", target="call.arguments")[0].target.startswith('{"city"')


@pytest.mark.parametrize(("value", "text"), [(7, "7"), (1.0, "1"), (True, "true"), ([], "[]")])
def test_any_value_of_json_is_a_target_in_json(value: Any, text: str, tmp_path: Path) -> None:
    path = put(tmp_path, {"source": "s", "target": value})
    assert read_table(path, language=find_language("json"))[0].target == text


MISTAKES: list[tuple[dict[str, Any], str, str]] = [
    ({"source": "s", "target": None}, "target", "line 1: the field 'target' is null; give it a value"),
    (
        {"source": "s", "target": 7},
        "target",
        "line 1: the field 'target' is not text but a number; write it as a string; --language json takes any JSON",
    ),
    ({"source": "s", "target": True}, "target", "line 1: the field 'target' is not text but a truth"),
    (
        {"source": "s", "call": {"argument": {}}},
        "call.arguments",
        "line 1: no field 'call.arguments'; did you mean 'call.argument'? it has: call.argument; name the field with",
    ),
    ({"source": "s", "qury": "x"}, "query", "no field 'query'; did you mean 'qury'? it has: source, qury; name the"),
    ({"source": "s", "x": [{"y": "z"}]}, "x.1.y", "line 1: no field 'x.1.y'; it has: source, x; name the field with"),
]


@pytest.mark.parametrize(("record", "target", "message"), MISTAKES)
def test_mistakes_are_placed(record: dict[str, Any], target: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(RecordError) as caught:
        read_table(put(tmp_path, record), target=target)
    assert message in str(caught.value)


def test_a_source_is_text_and_a_target_not_too_deep(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="line 1: the field 'source' is not text; write it as a string"):
        read_table(put(tmp_path, {"source": {"a": 1}, "target": "t"}))
    deep = orjson.loads("[" * 101 + "]" * 101)
    with pytest.raises(RecordError, match="line 1: the field 'target' is not text but too deep an array"):
        read_table(put(tmp_path, {"source": "s", "target": deep}))
    assert read_table(put(tmp_path, {"source": "s", "target": deep[0]}))[0].target == "[" * 100 + "]" * 100


def test_records_of_python_are_all_counted() -> None:
    with pytest.raises(UnreadableError) as caught:
        recombine.load([("a", "b"), ("a",), {"source": "a"}, {"source": "a", "target": None}])
    assert "records: 3 of 4 records cannot be read (2 missing field, 1 wrong type): record 1: is not a pair of" in str(
        caught.value
    )
