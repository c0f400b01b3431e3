"""`--skip-unreadable`: what cannot be read is left out, counted by reason and listed; splits remember it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import InputFileError, InputWarning, OptionError, UnreadableError

pytestmark = pytest.mark.filterwarnings("ignore:literals are kept")  # languages of one's own here do not tell them

KINDS, PLACES = ("city", "river", "state", "lake"), ("loc_2", "next_to_2", "traverse_2")
GOOD = [(f"{k} {p}", f"answer ( intersection ( {k} , {p} ( m0 ) ) )") for k in KINDS for p in PLACES]
GOOD += [(f"{f} {k}", f"answer ( {f} ( {k} ) )") for f in ("largest", "count", "longest") for k in KINDS]
BAD = {
    3: b'{"question": "x"}',
    5: b'{"question": "x", "query": null}',
    7: b'{"question": "x", "query": 7}',
    8: b'{"question": "x", "query": "answer ( city"}',
    9: b'{"question": "h\xffw", "query": "answer ( city )"}',
    11: b"",
    13: b'{"question": ',
}
REASONS = {"broken_json": 1, "empty": 1, "encoding": 1, "malformed": 1, "missing_field": 2, "wrong_type": 1}
NAMED = ("--source", "question", "--target", "query", "--language", "funql")
SKIP = ("--skip-unreadable",)


def call(*arguments: str) -> object:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    return ended.value.code


def result(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert call(*arguments, "--json") == 0, capsys.readouterr().err
    printed: dict[str, Any] = orjson.loads(capsys.readouterr().out)
    return printed


def lines(bad: dict[int, bytes]) -> bytes:
    """The good records, with others at these lines."""
    good = [orjson.dumps({"question": source, "query": target}) for source, target in GOOD]
    for number, line in sorted(bad.items()):
        good.insert(number - 1, line)
    return b"\n".join(good) + b"\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "data.jsonl").write_bytes(lines(BAD))
    (tmp_path / "good.jsonl").write_bytes(lines({}))
    return tmp_path


def split(*more: str) -> tuple[str, ...]:
    return (
        "split",
        "data.jsonl",
        *NAMED,
        "--by",
        "tmcd",
        "--test",
        "12",
        "--effort",
        "0.01",
        "-o",
        "split.json",
        *more,
    )


def test_without_it_all_are_counted_and_five_are_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*split()) == 2
    offset = lines(BAD).index(b"\xff")
    assert capsys.readouterr().err == (
        "error: data.jsonl: 6 of 31 records cannot be read (2 missing field, 1 broken json, 1 empty, 1 encoding, 1 "
        "wrong type): line 3: no field 'query'; line 5: the field 'query' is null; line 7: the field 'query' is not "
        f"text but a number; line 9: is not UTF-8 (byte 0xff at offset {offset}); line 11: is empty; and 1 more; mend "
        "them, or leave them out with --skip-unreadable\n"
    )
    assert sorted(path.name for path in here.iterdir()) == ["data.jsonl", "good.jsonl"]


def test_what_is_left_out_is_counted_and_listed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = result(capsys, *split(*SKIP))
    assert made["unreadable"] == {
        "records": 31,
        "left_out": 7,
        "reasons": REASONS,
        "file": "data.unreadable.jsonl",
    }
    listed = [orjson.loads(line) for line in (here / "data.unreadable.jsonl").read_bytes().splitlines()]
    assert [(each["file"], each["place"]) for each in listed] == [("data.jsonl", f"line {number}") for number in BAD]
    assert listed[3] == {
        "file": "data.jsonl",
        "place": "line 8",
        "reason": "malformed",
        "problem": "FunQL program, column 8: a bracket that is not closed",
        "record": {"question": "x", "query": "answer ( city"},
    }
    # What is left is what would have been read of the good records alone.
    assert made["signature"].startswith(
        f"data:data@{recombine.load('good.jsonl', source='question', target='query').hash[:8]}|"
    )
    assert call(*split(*SKIP)) == 0
    assert (
        "data.jsonl: 7 of 31 records left out (2 missing field, 1 broken json, 1 empty, 1 encoding, 1 malformed, 1 "
        "wrong type); listed in data.unreadable.jsonl\n"
    ) in capsys.readouterr().err


REMEMBERED: dict[str, tuple[str, ...]] = {
    "measure": ("measure", "data.jsonl", "split.json"),
    "check": ("check", "data.jsonl", "split.json", "--strict"),
    "difficulty": ("difficulty", "data.jsonl", "split.json"),
    "levels": ("levels", "data.jsonl", "split.json"),
    "select": ("select", "data.jsonl", "-k", "2", "--split", "split.json"),
    "score": ("score", "data.jsonl", "split.json", "outputs.jsonl"),
    "report": ("report", "split.json", "--data", "data.jsonl", "-o", "page.html"),
}


def test_every_verb_with_the_split_reads_the_same(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result(capsys, *split(*SKIP, "--unreadable", "list.jsonl"))
    (here / "list.jsonl").unlink()
    record = orjson.loads((here / "split.json").read_bytes())
    assert record["skip_unreadable"] is True
    outputs = (orjson.dumps({"id": key, "prediction": "answer ( city )"}) + b"\n" for key in record["parts"]["test"])
    (here / "outputs.jsonl").write_bytes(b"".join(outputs))
    for name, arguments in REMEMBERED.items():
        told = result(capsys, *arguments)["unreadable"]
        assert (name, told) == (name, {"records": 31, "left_out": 7, "reasons": REASONS, "file": None})
    # Nobody asked for a list, so none was written; whoever asks gets it.
    assert not [path for path in here.iterdir() if "unreadable" in path.name or path.name == "list.jsonl"]
    assert result(capsys, *REMEMBERED["check"], "--unreadable", "list.jsonl")["unreadable"]["file"] == "list.jsonl"
    assert len((here / "list.jsonl").read_bytes().splitlines()) == 7
    # The split fits the good records alone: it is of the same content.
    assert "unreadable" in result(capsys, "measure", "good.jsonl", "split.json")


def test_a_split_of_data_without_faults_is_written_as_ever(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["split", "good.jsonl", *NAMED, "--by", "random", "--test", "6", "--seed", "1", "-o"]
    assert "unreadable" not in result(capsys, *arguments, "a.json")
    made = result(capsys, *arguments, "b.json", *SKIP)
    assert made["unreadable"] == {"records": 24, "left_out": 0, "reasons": {}, "file": None}
    kept = [orjson.loads((here / name).read_bytes()) for name in ("a.json", "b.json")]
    assert kept[0] == {key: value for key, value in kept[1].items() if key != "skip_unreadable"}
    assert not (here / "good.unreadable.jsonl").exists()


def test_a_file_of_another_program_is_not_written_over(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "data.unreadable.jsonl").write_text("mine\n")
    assert call(*split(*SKIP)) == 2
    assert capsys.readouterr().err == (
        "error: data.unreadable.jsonl: is there and is no list of unreadable records; name another file with "
        "--unreadable\n"
    )
    assert (here / "data.unreadable.jsonl").read_text() == "mine\n"
    assert call(*split("--unreadable", "no/such/folder.jsonl")) == 2
    assert "the directory no/such does not exist" in capsys.readouterr().err
    assert not (here / "split.json").exists()


REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "published data": (
        ("show", "scan"),
        "scan is published, and read whole; leave out --skip-unreadable, or give",
    ),
    "nothing to read": (
        ("show", "data.jsonl"),
        "data.jsonl: none of its 31 records can be read (28 missing field, 1 broken json, 1 empty, 1 encoding), such "
        "as line 1: no field 'source'; name its fields with --source",
    ),
    "a cluster": (
        ("split", "data.jsonl", "--by", "random", "--test", "2", "--cluster", "local"),
        "--skip-unreadable is not for a cluster; leave out one of them",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_where_it_cannot_be(case: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, message = REFUSED[case]
    assert call(*arguments, *SKIP) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1
    assert not (here / "data.unreadable.jsonl").exists()


def test_from_python(here: Path) -> None:
    with pytest.warns(InputWarning, match=r"7 of 31 records left out .*; --unreadable FILE lists them"):
        data = recombine.load("data.jsonl", source="question", target="query", language="funql", skip_unreadable=True)
    assert data.unreadable is not None
    assert data.unreadable.counts == REASONS
    with pytest.warns(InputWarning, match="listed in mine.jsonl"):
        made = recombine.split(
            "data.jsonl", source="question", target="query", language="funql", test=6, unreadable="mine.jsonl"
        )
    assert len((here / "mine.jsonl").read_bytes().splitlines()) == 7
    with pytest.warns(InputWarning, match="left out"):  # the split says it
        assert recombine.check("data.jsonl", made).problems == []
    with pytest.raises(UnreadableError):  # it was for that call alone
        recombine.load("data.jsonl", source="question", target="query")
    with pytest.warns(InputWarning, match="records: 2 of 3 records left out .1 malformed, 1 wrong type"):
        some = recombine.load(
            [("a", "answer ( city )"), ("b", "answer ("), "c"], language="funql", skip_unreadable=True
        )
    assert [example.source for example in some] == ["a"]
    with pytest.raises(OptionError, match="scan is published"):
        recombine.load("scan", skip_unreadable=True)


def test_what_a_reader_does_not_support_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    from recombine.errors import NotReadError, ProgramError
    from recombine.languages.known import LANGUAGES
    from recombine.languages.language import Language
    from recombine.structures.programs.unread_programs import unread_programs
    from recombine.tree import Tree

    def parse(text: str) -> Tree:
        if "with" in text:
            raise NotReadError("picky", 0, "WITH is not read", "leave the example out")
        if "(" in text:
            raise ProgramError("picky", text.index("("), "a bracket", "remove it")
        return Tree(text)

    picky = Language("picky", parse, lambda tree: tree.label)
    rows = [("a", "x"), ("b", "with x"), ("c", "("), ("d", "with y"), ("e", "y")]
    monkeypatch.setitem(LANGUAGES._things, "picky", picky)
    with pytest.warns(InputWarning, match="3 of 5 records left out .2 unsupported, 1 malformed"):
        data = recombine.load(rows, language="picky", skip_unreadable=True)
    assert [example.source for example in data] == ["a", "e"]
    whole = recombine.load(rows, language="picky")  # nothing is asked of its programs yet
    error = unread_programs(whole, picky, "mine")
    assert str(error).startswith("mine: 3 of 5 records cannot be read (2 unsupported, 1 malformed): example ")
    with pytest.raises(UnreadableError, match=r"3 of 5 records cannot be read .2 unsupported, 1 malformed"):
        recombine.split(rows, language="picky", by="tmcd", test=1)


def test_a_program_that_stands_often_counts_every_time(here: Path) -> None:
    rows = [("a", "answer ( city )"), *((f"b{n}", "answer (") for n in range(4)), ("c", "answer ( x")]
    with pytest.raises(UnreadableError, match=r"records: 5 of 6 records cannot be read .5 malformed"):
        recombine.measure(rows, recombine.split(rows, test=2), language="funql")


def test_the_cache_tells_the_two_readings_apart(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from recombine.datasets import load_file

    monkeypatch.setattr(load_file, "LEAST", 1)
    named = {"source": "question", "target": "query", "language": "funql"}
    kept = [recombine.load("good.jsonl", **named, skip_unreadable=skip) for skip in (False, True, False, True)]
    assert len({data.hash for data in kept}) == 1
    assert [data.unreadable is not None for data in kept] == [False, True, False, True]
    assert kept[0].made_from != kept[1].made_from
    assert [data.made_from for data in kept[2:]] == [data.made_from for data in kept[:2]]
    for _ in range(2):  # what is said is said every time
        with pytest.warns(InputWarning, match="7 of 31 records left out"):
            recombine.load("data.jsonl", **named, skip_unreadable=True)
    with pytest.raises(InputFileError, match="no such file"):
        recombine.load("gone.jsonl", skip_unreadable=True)


def test_a_study_leaves_out_too(here: Path) -> None:
    from recombine.studies.cells.load_data import load_data
    from recombine.studies.file.study_file import DataTable

    table = DataTable(file="data.jsonl", source="question", target="query", language="funql", skip_unreadable=True)
    with pytest.warns(InputWarning, match="7 of 31 records left out"):
        assert len(load_data(table, here)) == 24
