"""Tab-separated values: what is a header, what quotes mean, and what is refused rather than guessed."""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.datasets.files.delimited.tsv import is_in_quotes, parse_tsv, write_line
from recombine.datasets.files.tables import read_table, write_table
from recombine.errors import InputFileError, InputWarning, RecombineError, RecordError
from recombine.records.example import Example

RIVERS = "how many rivers\tcount ( river )\nhow many lakes\tcount ( lake )\n"


def read(folder: Path, text: str | bytes, **options: str) -> list[tuple[str, str]]:
    """The pairs in a file with this content, when nothing had to be taken for granted."""
    path = folder / "a.tsv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return [(example.source, example.target) for example in read_table(path, **options)]


# -- headers


HEADERS = {
    "question\tquery": "--source question --target query",
    "Question\tSQL": "--source Question --target SQL",
    "Source\tTarget": "--source Source --target Target",
    "source\tprogram": "--source source --target program",
    "sql\tutterance": "--source utterance --target sql",  # by what the names mean, not by their order
    "natural language\tlogical form": "--source 'natural language' --target 'logical form'",
    "id\tquestion\tlogical_form": "--source question --target logical_form",
    "frage\tabfrage": "--source frage --target abfrage",  # no usual names, but words that no line is like
    "utterance\tgold_v2": "--source utterance --target gold_v2",
}


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "bom"])
def test_a_header_that_was_not_named_is_refused(header: str, end: str, mark: str, tmp_path: Path) -> None:
    columns = header.count("\t") + 1
    rows = RIVERS if columns == 2 else "".join(f"{n}\t{line}\n" for n, line in enumerate(RIVERS.splitlines()))
    text = mark + f"{header}\n{rows}".replace("\n", end)
    with pytest.raises(RecordError) as caught:
        read(tmp_path, text)
    assert "a.tsv, line 1: looks like a header" in str(caught.value)
    assert f"such as {HEADERS[header]}, or" in str(caught.value)
    assert "number them: --source 1 --target 2" in str(caught.value)
    # Both remedies do what they say: the line is the header, or it is an example.
    source, target = (header.split("\t").index(name) for name in _named(HEADERS[header]))
    options = dict(zip(("source", "target"), _named(HEADERS[header]), strict=True))
    expected = [(line.split("\t")[source], line.split("\t")[target]) for line in rows.splitlines()]
    assert read(tmp_path, text, **options) == expected
    numbered = read(tmp_path, text, source=str(source + 1), target=str(target + 1))
    assert numbered == [(header.split("\t")[source], header.split("\t")[target]), *expected]


def _named(options: str) -> tuple[str, str]:
    source, target = options.removeprefix("--source ").split(" --target ")
    return source.strip("'"), target.strip("'")


HEADERLESS = {
    "scan": "jump\tI_JUMP\njump twice\tI_JUMP I_JUMP\n",
    "scan, other commands": "jump\tI_JUMP\nwalk\tI_WALK\nrun twice\tI_RUN I_RUN\n",
    "scan, one line": "jump\tI_JUMP\n",
    "sentences": RIVERS,
    "a usual name in a sentence": "which question is it\tquery ( x )\n" + RIVERS,
    "crlf": RIVERS.replace("\n", "\r\n"),
    "bom": "\ufeff" + RIVERS,
    "no line break at the end": RIVERS.removesuffix("\n"),
}


@pytest.mark.parametrize("case", HEADERLESS)
def test_without_a_header_the_first_line_is_an_example_and_that_is_said(case: str, tmp_path: Path) -> None:
    text = HEADERLESS[case]
    with pytest.warns(InputWarning) as said:
        found = read(tmp_path, text)
    plain = text.removeprefix("\ufeff").replace("\r", "").strip("\n")
    assert found == [tuple(line.split("\t")) for line in plain.split("\n")]
    assert len(said) == 1
    assert "a.tsv: no header" in str(said[0].message)
    assert "line 1 is taken as an example" in str(said[0].message)
    assert "--source and --target" in str(said[0].message)
    assert read(tmp_path, text, source="1", target="2") == found  # said by the user, so there is nothing to say


def test_columns_by_number(tmp_path: Path) -> None:
    text = "7\tsay a\tA\n8\tsay b\tB\n"
    assert read(tmp_path, text, source="2", target="3") == [("say a", "A"), ("say b", "B")]
    assert read_table(tmp_path / "a.tsv", source="2", target="3")[1].tags == {"1": "8", "line": 2}
    with pytest.raises(RecordError, match="line 1: no column 4: there are 3; count the columns from 1"):
        read(tmp_path, text, source="2", target="4")
    with pytest.raises(RecordError, match="line 1: no column '0'"):
        read(tmp_path, text, source="0", target="1")
    with pytest.raises(RecordError, match="could be names or numbers of columns; put a line with other names before"):
        read(tmp_path, "2\t1\n3\t4\n", source="1", target="2")
    assert read(tmp_path, "0\t1\na b\tc\n", source="0", target="1") == [("a b", "c")]  # names, as pandas writes them


def test_a_column_that_is_there_twice(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="line 1: two columns are named 'source'"):
        read(tmp_path, "source\tsource\ttarget\na\tb\tc\n")


# -- quotes


QUOTED = '"source"\t"target"\n"how many"\t"count ( river )"\n"say ""a""\tor\nb"\t"x"\n"c"\t""\n'


@pytest.mark.parametrize(
    "text", [QUOTED, QUOTED.removesuffix("\n"), QUOTED.replace('"\n"', '"\r\n"'), "\ufeff" + QUOTED]
)
def test_a_file_in_quotes(text: str, tmp_path: Path) -> None:
    with pytest.warns(InputWarning, match="every field is in double quotes, which are read as quoting"):
        found = read(tmp_path, text)
    assert found == [("how many", "count ( river )"), ('say "a"\tor\nb', "x"), ("c", "")]
    with pytest.warns(InputWarning):
        assert [example.tags["line"] for example in read_table(tmp_path / "a.tsv")] == [2, 3, 5]


PARTLY: dict[str, tuple[str, list[tuple[str, str]]]] = {
    # Where pandas and spreadsheets quote what needs it, doubled quotes, tabs and line breaks give it away.
    "what needs it": (
        'source\ttarget\nhow many\tcount\nwho is a\t"SELECT ""a"" , b"\n',
        [("how many", "count"), ("who is a", 'SELECT "a" , b')],
    ),
    "all but numbers": ('"source"\t"target"\t"n"\n"a b"\t"c"\t1\n', [("a b", "c")]),
    "a line break": (
        'source\ttarget\nhow many\t"count\n( river )"\nwho\tx\n',
        [("how many", "count\n( river )"), ("who", "x")],
    ),
    "a tab": ('source\ttarget\nhow many\t"a\tb"\n', [("how many", "a\tb")]),
}


@pytest.mark.parametrize("case", PARTLY)
def test_a_file_that_is_quoted_where_it_needs_it(case: str, tmp_path: Path) -> None:
    text, pairs = PARTLY[case]
    with pytest.warns(InputWarning, match="some fields are in double quotes, which are read as quoting, as in CSV"):
        assert read(tmp_path, text) == pairs
    (tmp_path / "a.csv").write_text(text)
    assert [(e.source, e.target) for e in read_table(tmp_path / "a.csv")] == pairs


REFUSED: dict[str, tuple[str, str]] = {
    "a column": (
        'source\ttarget\nhow many\t"count"\nwho\t"say"\n',
        "a.tsv, line 2: the field 'target' is in double quotes, as in all lines, but not every field is",
    ),
    "an open quote": (
        'source\ttarget\nhow many\t"count\n( river )\n',
        "a.tsv, line 3: 1 fields where 2 are expected",
    ),
    "text after a quote": (
        'source\ttarget\nhow many\t"a ""b"""\nwho\t"x" = y\n',
        "a.tsv, line 2: the field 'target' is in double quotes, with doubled ones inside, but not every field is",
    ),
    "a quoted header and an open quote": (
        '"source"\t"target"\na\t"b\n',
        "a.tsv, line 1: its fields are in double quotes, but not every field of",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_file_whose_quotes_cannot_be_understood_is_refused(case: str, tmp_path: Path) -> None:
    text, message = REFUSED[case]
    with pytest.raises(RecordError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)


def test_quotes_within_programs_are_text(tmp_path: Path) -> None:
    text = 'source\ttarget\na b\t"x" = "y"\nsay\t"lone"\nc\td = "e"\nd\t"open\n'
    assert [target for _, target in read(tmp_path, text)] == ['"x" = "y"', '"lone"', 'd = "e"', '"open']


FIELD = st.text(st.sampled_from('a" '), max_size=4)


@given(rows=st.lists(st.lists(FIELD, min_size=2, max_size=2), min_size=1, max_size=3))
def test_what_is_written_reads_back(rows: list[list[str]]) -> None:
    quoted = any(is_in_quotes(field) for row in rows for field in row)
    text = "".join(write_line(row, quoted=quoted) for row in [["source", "target"], *rows])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        found = parse_tsv(text, Path("a.tsv"), source="source", target="target")
        assert [list(record.values()) for _, record in found] == rows


def test_files_of_plain_fields_are_written_without_quotes(tmp_path: Path) -> None:
    write_table([Example.of('say "a"', "A")], tmp_path / "a.tsv")
    assert (tmp_path / "a.tsv").read_text().split("\n")[1].endswith('\tsay "a"\tA')


# -- nothing to read


NOTHING: dict[str, tuple[bytes, type[RecombineError], str]] = {
    "empty": (b"", InputFileError, "a.tsv: has no records; give a file with at least one"),
    "bom": (b"\xef\xbb\xbf", InputFileError, "a.tsv: has no records"),
    "blank lines": (b"\n\n\n", InputFileError, "a.tsv: has no records"),
    "blank lines, crlf": (b"\r\n\r\n", InputFileError, "a.tsv: has no records"),
    "only a header": (b"source\ttarget\n", InputFileError, "a.tsv: has a header and no records"),
    "only a header, crlf": (b"\xef\xbb\xbfsource\ttarget\r\n", InputFileError, "a.tsv: has a header and no records"),
    "only another header": (b"question\tquery\n", RecordError, "line 1: looks like a header"),
    "a blank line between": (b"source\ttarget\na\tb\n\nc\td\n", RecordError, "a.tsv, line 3: is empty; remove it"),
    "commas": (b"a,b\nc,d\n", RecordError, "1 fields where 2 are expected; separate the fields by tabs"),
}


@pytest.mark.parametrize("case", NOTHING)
@pytest.mark.parametrize("packed", [False, True], ids=["", "gz"])
def test_files_with_nothing_to_read(case: str, packed: bool, tmp_path: Path) -> None:
    content, error, message = NOTHING[case]
    path = tmp_path / ("a.tsv.gz" if packed else "a.tsv")
    path.write_bytes(gzip.compress(content) if packed else content)
    with pytest.raises(error) as caught:
        read_table(path)
    assert message in str(caught.value).replace("a.tsv.gz", "a.tsv")
