from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from recombine.datasets.files.tables import read_table
from recombine.errors import InputFileError, RecombineError, RecordError


@pytest.mark.parametrize("name", ["a.json", "a.json.gz"])
def test_an_array_of_records(name: str, tmp_path: Path) -> None:
    import gzip

    text = b'[\n {"question": "q", "query": "s", "db_id": "d"},\n {"question": "q", "query": "s", "db_id": "e"}\n]'
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    data = read_table(tmp_path / name, source="question", target="query")
    assert [(e.source, e.target, e.tags["db_id"], e.tags["line"]) for e in data] == [
        ("q", "s", "d", 1),
        ("q", "s", "e", 2),
    ]
    assert data[1].id == f"{data[0].id}#2"
    assert data.name == "a"


MISTAKES: list[tuple[bytes, type[RecombineError], str]] = [
    (b"[]", InputFileError, "has no records"),
    (b'[\n{"source": "a"},\n', RecordError, "line 3: broken JSON"),
    (b'[{"source": "a", "target": "b"}, 3]', RecordError, "record 2: is not a JSON object"),
    (b'[{"source": "a"}]', RecordError, "record 1: no field 'target'; it has: source; name the field with --target"),
    (b'[{"source": "a", "target": 3}]', RecordError, "record 1: the field 'target' is not text"),
]


@pytest.mark.parametrize(("content", "error", "message"), MISTAKES)
def test_mistakes_in_arrays_are_placed(
    content: bytes, error: type[RecombineError], message: str, tmp_path: Path
) -> None:
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(error) as caught:
        read_table(tmp_path / "a.json")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_tags_given_and_other_fields(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"source": "a", "target": "b", "tags": {"x": 1, "line": 9}, "y": 2}\n')
    assert read_table(tmp_path / "a.jsonl")[0].tags == {"x": 1, "y": 2, "line": 1}


@pytest.mark.parametrize("field", ["x", "tags"])
def test_fields_are_kept_down_to_a_limit(field: str, tmp_path: Path) -> None:
    """orjson reads 1,024 lists inside each other and writes 254; what is kept can be written."""
    path = tmp_path / "a.jsonl"

    def read(lists: int) -> object:
        value = "[" * lists + "]" * lists
        text = value if field == "x" else f'{{"x": {value}}}'
        path.write_text(f'{{"source": "a", "target": "b", "{field}": {text}}}\n')
        return read_table(path)[0].tags["x"]

    assert orjson.dumps({"tags": [read(100)]})
    for lists in (101, 900):
        with pytest.raises(RecordError, match=r"a.jsonl, line 1: the field 'x' is more than 100 levels deep"):
            read(lists)
    with pytest.raises(RecordError, match="line 1: broken JSON"):
        read(100_000)
