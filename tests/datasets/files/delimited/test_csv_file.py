"""Comma-separated values: headers, separators, quotes, and what is refused."""

from __future__ import annotations

import csv
import gzip
import io
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.datasets.files.delimited.csv_file import parse_csv, write_csv_line
from recombine.datasets.files.tables import read_table
from recombine.errors import InputFileError, InputWarning, RecombineError, RecordError, UnreadableError


def read(folder: Path, text: str | bytes, **options: str) -> list[tuple[str, str]]:
    path = folder / "a.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return [(example.source, example.target) for example in read_table(path, **options)]


READ: dict[str, tuple[str, dict[str, str], list[tuple[str, str]]]] = {
    "plain": ("source,target\na b,c\n", {}, [("a b", "c")]),
    "other columns": ("id,q,sql\n7,a,b\n", {"source": "q", "target": "sql"}, [("a", "b")]),
    "by number": ("7,a,b\n8,c,d\n", {"source": "2", "target": "3"}, [("a", "b"), ("c", "d")]),
    "quotes": ('source,target\n"a, ""b""",c\nd "e",f\n', {}, [('a, "b"', "c"), ('d "e"', "f")]),
    "line breaks and tabs": ('source,target\n"a\nb\tc","d\r\ne"\n', {}, [("a\nb\tc", "d\r\ne")]),
    "crlf": ('source,target\r\na,"b"\r\n', {}, [("a", "b")]),
    "bom": ("\ufeffsource,target\na,b\n", {}, [("a", "b")]),
    "bom and quotes": ('\ufeff"source","target"\n"a","b"\n', {}, [("a", "b")]),
    "no line break at the end": ('source,target\na,"b"', {}, [("a", "b")]),
    "semicolons": ("source;target\na, b;c\n", {}, [("a, b", "c")]),
    "tabs": ("source\ttarget\na, b\tc\n", {}, [("a, b", "c")]),
    "sep": ("sep=;\nsource;target\na, b;c\n", {}, [("a, b", "c")]),
    "an odd sep": ("sep=|\r\nsource|target\r\na, b;|c\r\n", {}, [("a, b;", "c")]),
    "empty fields": ("source,target,note\na,,\n", {}, [("a", "")]),
    "a long field": ("source,target\na," + "x" * 200_000 + "\n", {}, [("a", "x" * 200_000)]),
}


@pytest.mark.parametrize("case", READ)
@pytest.mark.parametrize("packed", [False, True], ids=["", "gz"])
def test_files(case: str, packed: bool, tmp_path: Path) -> None:
    text, options, pairs = READ[case]
    path = tmp_path / ("a.csv.gz" if packed else "a.csv")
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    assert [(example.source, example.target) for example in read_table(path, **options)] == pairs


def test_lines_are_those_that_records_begin_on(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('source,target\n"a\nb",c\nd,e\n')
    assert [example.tags["line"] for example in read_table(tmp_path / "a.csv")] == [2, 4]


def test_a_separator_that_had_to_be_guessed_is_said(tmp_path: Path) -> None:
    with pytest.warns(InputWarning, match=r"a.csv: its fields are taken to be separated by semicolons"):
        assert read(tmp_path, "a, b;c\nd;e, f, g\n", source="1", target="2") == [("a, b", "c"), ("d", "e, f, g")]
    # A comma in a file of commas is one, whatever else its fields hold.
    assert read(tmp_path, "a;b,c\nd,e;f\n", source="1", target="2") == [("a;b", "c"), ("d", "e;f")]


def test_a_header_is_not_guessed_at_in_silence(tmp_path: Path) -> None:
    with pytest.warns(InputWarning, match="so line 1 is taken as an example"):
        assert read(tmp_path, "jump,I_JUMP\njump twice,I_JUMP I_JUMP\n")[0] == ("jump", "I_JUMP")
    with pytest.raises(RecordError, match=r"line 1: looks like a header .question, query.*--source question --target "):
        read(tmp_path, "question,query\nhow many,count\n")
    with pytest.raises(
        RecordError, match=r"looks like a header .column_1, question, sql.*--source question --target sql"
    ):
        read(tmp_path, ",question,sql\n0,how many,count ( x )\n")  # as pandas writes it, with its index


MISTAKES: dict[str, tuple[str | bytes, dict[str, str], type[RecombineError], str]] = {
    "empty": ("", {}, InputFileError, "a.csv: has no records; give a file with at least one"),
    "only a header": ("source,target\n", {}, InputFileError, "a.csv: has a header and no records"),
    "a torn quote at the end": (
        'source,target\na,b\nc,"d\ne,f\n',
        {},
        InputFileError,
        "a.csv, line 3: a double quote is opened in this record and never closed; close it",
    ),
    "text after a quote": (
        'source,target\na,"b" c\n',
        {},
        InputFileError,
        "a.csv, line 2: text after a closing double quote; double the quotes that are within a quoted field",
    ),
    "a ragged row": (
        "source,target\na,b\nc,d,e\n",
        {},
        RecordError,
        "a.csv, line 3: 3 fields where 2 are expected; put a field that holds commas in double quotes, or mend",
    ),
    "a short row": ("source,target\na\nb,c\n", {}, RecordError, "a.csv, line 2: 1 fields where 2 are expected; mend"),
    "an empty row": ("source,target\na,b\n\nc,d\n", {}, RecordError, "a.csv, line 3: is empty; remove it"),
    "one column": ("source\na\n", {}, RecordError, "a.csv, line 1: 1 field where 2 or more are expected"),
    "no such column": (
        "id,question,sql\n1,a,b\n",
        {"source": "qestion", "target": "sql"},
        RecordError,
        "line 1: no column 'qestion'; did you mean 'question'? the first line has: id, question, sql",
    ),
    "a column twice": ("source,source,target\na,b,c\n", {}, RecordError, "line 1: two columns are named 'source'"),
    "three columns and no header": (
        "a b,c d,e f\ng h,i j,k l\n",
        {},
        RecordError,
        "line 1: 3 fields where 2 are expected; name the columns with --source and --target; without a header, number",
    ),
    "latin-1": (
        "source,target\na,b\nK\xf6ln,c\n".encode("latin-1"),
        {},
        RecordError,
        "a.csv, line 3: is not UTF-8 (byte 0xf6 at offset 19); convert it to UTF-8",
    ),
    "latin-1 header": ("s\xf6urce,target\na,b\n".encode("latin-1"), {}, InputFileError, "at offset 1, in line 1)"),
    "utf-16": ("source,target\na,b\n".encode("utf-16"), {}, InputFileError, "a.csv: is UTF-16 text; save it as UTF-8"),
    "carriage returns": ("source,target\ra,b\r", {}, InputFileError, "a.csv, line 1: a lone carriage return"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_are_placed(case: str, tmp_path: Path) -> None:
    content, options, error, message = MISTAKES[case]
    with pytest.raises(error) as caught:
        read(tmp_path, content, **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_ragged_rows_are_counted_and_five_named(tmp_path: Path) -> None:
    rows = "".join("a,b\n" if number % 2 else "a,b,c\n" for number in range(14))
    with pytest.raises(UnreadableError) as caught:
        read(tmp_path, "source,target\n" + rows)
    told = "; ".join(f"line {line}: 3 fields where 2 are expected" for line in (2, 4, 6, 8, 10))
    assert f"a.csv: 7 of 14 records cannot be read (7 ragged): {told}; and 2 more; mend them" in str(caught.value)


FIELD = st.text(st.sampled_from('a",;\t\r\n '), max_size=5)


@given(rows=st.lists(st.lists(FIELD, min_size=2, max_size=2), min_size=1, max_size=4))
def test_what_is_written_reads_back(rows: list[list[str]]) -> None:
    text = "".join(write_csv_line(row) for row in [["source", "target"], *rows])
    assert list(csv.reader(io.StringIO(text, newline=""), strict=True))[1:] == rows
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = parse_csv(text, Path("a.csv"), source="source", target="target")
        assert [list(record.values()) for _, record in found] == rows
