from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import recombine
from recombine.datasets.files.tables import read_table, write_table
from recombine.errors import InputFileError, InputWarning, OptionError, OutputFileError, RecombineError, RecordError
from recombine.grammars.terms.read_grammar import packaged_grammar
from recombine.records.example import Example

TEXT = st.text(st.characters(exclude_characters="\t\r\n\x00", exclude_categories=["Cs", "Zl", "Zp", "Cc"]), max_size=12)


def commands(*texts: str) -> list[Example]:
    grammar = packaged_grammar("scan")
    return [grammar.example(grammar.parse_forest(text).first(1)[0]) for text in texts]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.tsv", "a.tsv.gz", "a.parquet"])
def test_every_format_reads_back(name: str, tmp_path: Path) -> None:
    written = commands("jump", "walk opposite left twice")
    write_table(written, tmp_path / name)
    data = read_table(tmp_path / name)
    assert [(e.id, e.source, e.target, e.derivation) for e in data] == [
        (e.id, e.source, e.target, e.derivation) for e in written
    ]
    assert [e.tags["line"] for e in data] == ([2, 3] if "tsv" in name else [1, 2])
    assert data.structures
    assert data.name == "a"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(
    pairs=st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=4),
    name=st.sampled_from(["x.jsonl", "x.tsv", "x.parquet"]),
)
def test_any_text_reads_back(pairs: list[tuple[str, str]], name: str, tmp_path: Path) -> None:
    data = recombine.load(pairs)
    write_table(data, tmp_path / name)
    back = read_table(tmp_path / name)
    assert [(e.id, e.source, e.target) for e in back] == [(e.id, e.source, e.target) for e in data]


def test_tags_are_kept(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"question": "q", "program": "p", "db": "x", "answers": [1, 2]}\n')
    data = read_table(tmp_path / "a.jsonl", source="question", target="program")
    assert dict(data[0].tags) == {"db": "x", "answers": [1, 2], "line": 1}
    for name in ("b.jsonl", "b.tsv", "b.parquet"):
        write_table(data, tmp_path / name)
        assert read_table(tmp_path / name)[0].tags["answers"] == [1, 2]


def test_tsv_without_a_header(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("how many\tcount\nhow many\tcount\n")
    with pytest.warns(InputWarning, match=r"so line 1 is taken as an example \(how many → count\)"):
        data = read_table(tmp_path / "a.tsv")
    assert [e.source for e in data] == ["how many", "how many"]
    assert data[1].id == f"{data[0].id}#2"


MISTAKES: list[tuple[str, bytes, type[RecombineError], str]] = [
    ("a.jsonl", b'{"source": "a", "target": "b"}\n{"source": \n', RecordError, "line 2: broken JSON"),
    ("a.jsonl", b'{"source": "a", "target": "b"}\n\n{}', RecordError, "line 2: is empty"),
    ("a.jsonl", b"[1]", RecordError, "line 1: is not a JSON object"),
    (
        "a.jsonl",
        b'{"source": "a"}',
        RecordError,
        "line 1: no field 'target'; it has: source; name the field with --target",
    ),
    ("a.jsonl", b'{"source": "a", "target": 3}', RecordError, "'target' is not text"),
    (
        "a.jsonl",
        b'{"source": "a", "target": "b", "id": "1"}\n' * 2,
        RecordError,
        "line 2: the id '1' stands already in line 1",
    ),
    ("a.jsonl", b'{"source":"a","target":"b","id":1}\n{"source":"a","target":"b"}', RecordError, "line 2: no id"),
    ("a.jsonl", b'{"source":"a","target":"b","id":true}', RecordError, "the id is neither"),
    ("a.jsonl", b'{"source":"a","target":"b","derivation":[[1]]}', RecordError, "line 1: row 0 of the derivation"),
    ("a.jsonl", b'{"source":"a","target":"b","derivation":"x"}', RecordError, "not JSON"),
    ("a.jsonl", b'{"source":"a","target":"b","tags":3}', RecordError, "tags are not"),
    ("a.jsonl", b"\x00\x01", InputFileError, "binary file"),
    ("a.jsonl", b"\xff\xfe", RecordError, "line 1: is not UTF-8 (byte 0xff at offset 0)"),
    ("a.jsonl", b"", InputFileError, "has no records"),
    ("a.jsonl", b"\n\n", InputFileError, "has no records"),
    ("a.tsv", b"a\tb\tc\n", RecordError, "line 1: 3 fields where 2 are expected"),
    ("a.tsv", b"source\ttarget\na\n", RecordError, "line 2: 1 fields"),
    ("a.parquet", b"PAR1 not really", InputFileError, "not a Parquet file"),
    ("a.jsonl.gz", b"plain", InputFileError, "not a whole gzip file"),
    ("a.xlsx", b"a,b", OptionError, "cannot tell the format from the name; use .jsonl, .tsv, .csv, .parquet or .arrow"),
]


@pytest.mark.parametrize(("name", "content", "error", "message"), MISTAKES)
def test_mistakes_are_placed(
    name: str, content: bytes, error: type[RecombineError], message: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(error) as caught:
        read_table(tmp_path / name)
    assert message in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_column_of_a_tsv(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("question\tsql\nq\ts\n")
    with pytest.raises(RecordError, match="no column 'program'; the first line has: question, sql"):
        read_table(tmp_path / "a.tsv", source="question", target="program")


def test_tabs_cannot_be_written_to_tsv(tmp_path: Path) -> None:
    with pytest.raises(OutputFileError, match="holds a tab"):
        write_table([Example.of("a\tb", "c")], tmp_path / "a.tsv")
    assert list(tmp_path.iterdir()) == []


def test_a_half_written_gzip_file_is_refused(tmp_path: Path) -> None:
    whole = gzip.compress(b'{"source": "a", "target": "b"}\n')
    (tmp_path / "a.jsonl.gz").write_bytes(whole[:-9])
    with pytest.raises(InputFileError, match="not a whole gzip file"):
        read_table(tmp_path / "a.jsonl.gz")
