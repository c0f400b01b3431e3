"""Every verb that takes data and a split takes language and fields from the split file, and refuses others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from recombine.cli.main import run

KINDS, PLACES = ("city", "river", "state", "lake"), ("loc_2", "next_to_2", "traverse_2")
NQG = ("--restarts", "1", "--steps", "5")
VERBS: dict[str, tuple[str, ...]] = {
    "measure": ("measure", "data.jsonl", "split.json"),
    "check": ("check", "data.jsonl", "split.json", "--strict"),
    "difficulty": ("difficulty", "data.jsonl", "split.json"),
    "select": ("select", "data.jsonl", "-k", "2", "--split", "split.json"),
    "select templates": ("select", "data.jsonl", "-k", "2", "--by", "template", "--split", "split.json"),
    "induce": ("induce", "data.jsonl", "split.json", "--restarts", "1"),
    "train": ("train", "data.jsonl", "split.json", "-o", "model", *NQG),
    "score": ("score", "data.jsonl", "split.json", "outputs.jsonl"),
    "compare": ("compare", "data.jsonl", "split.json", "outputs.jsonl", "outputs.jsonl"),
    "report": ("report", "split.json", "--data", "data.jsonl", "-o", "page.html"),
}
OTHERS = {"--language": "sql", "--source": "query", "--target": "question"}
"""A contradiction of each option; the fields are there, under the other side's name."""


def call(*arguments: str) -> object:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    return ended.value.code


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder, made the current one, with data in fields of its own, a split, and outputs for its test part."""
    monkeypatch.chdir(tmp_path)
    pairs = [(f"{k} {p}", f"answer ( intersection ( {k} , {p} ( m0 ) ) )") for k in KINDS for p in PLACES]
    pairs += [(f"{f} {k}", f"answer ( {f} ( {k} ) )") for f in ("largest", "count", "longest") for k in KINDS]
    lines = (orjson.dumps({"question": source, "query": target}) + b"\n" for source, target in pairs)
    (tmp_path / "data.jsonl").write_bytes(b"".join(lines))
    named = ("--source", "question", "--target", "query", "--language", "funql")
    wish = ("--by", "tmcd", "--train", "12", "--test", "12", "--seed", "1", "-o", "split.json", "--json", "--quiet")
    assert call("split", "data.jsonl", *named, *wish) == 0
    parts = orjson.loads((tmp_path / "split.json").read_bytes())["parts"]
    outputs = (orjson.dumps({"id": key, "prediction": "answer ( city )"}) + b"\n" for key in parts["test"])
    (tmp_path / "outputs.jsonl").write_bytes(b"".join(outputs))
    capsys.readouterr()
    return tmp_path


@pytest.mark.parametrize("verb", VERBS)
def test_what_is_not_given_is_taken_from_the_split(verb: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = ("--source", "question", "--target", "query", "--language", "funql")
    assert call(*VERBS[verb], "--json") == 0, capsys.readouterr().err
    taken = capsys.readouterr()
    assert "does not say" not in taken.err
    assert call(*VERBS[verb], "--json", *named) == 0
    assert _without_time(taken.out) == _without_time(capsys.readouterr().out)


def _without_time(out: str) -> dict[str, Any]:
    value: dict[str, Any] = orjson.loads(out)
    return {key: entry for key, entry in value.items() if "seconds" not in key}


def test_predicting_and_the_page_on_a_parser(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*VERBS["train"], "--quiet") == 0
    predict = ("predict", "model", "data.jsonl", "split.json", "--quiet")
    page = ("report", "split.json", "--data", "data.jsonl", "--parser", "model", "-o", "page.html", "--quiet")
    for verb in (predict, page):
        assert call(*verb) == 0, capsys.readouterr().err
        for option, other in OTHERS.items():
            _refused(verb, option, other, capsys)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("option", OTHERS)
def test_a_contradiction_is_refused(verb: str, option: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _refused(VERBS[verb], option, OTHERS[option], capsys)


def _refused(verb: tuple[str, ...], option: str, other: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert call(*verb, option, other) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: split.json: was made ")
    assert f"; leave out {option}, or" in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("verb", VERBS)
def test_an_old_file_is_read_and_it_is_said(verb: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = orjson.loads((here / "split.json").read_bytes())
    for key in ("language", "source", "target", "data_path"):
        del record[key]
    (here / "split.json").write_bytes(orjson.dumps(record))
    named = ("--source", "question", "--target", "query", "--language", "funql")
    assert call(*VERBS[verb], *named) == 0, capsys.readouterr().err
    assert capsys.readouterr().err.count("split.json does not say the language and the fields of its data") == 1
    assert call(*VERBS[verb], *named, "--quiet") == 0
    assert "does not say" not in capsys.readouterr().err
    assert call(*VERBS[verb]) == 2
    assert "no field 'source'" in capsys.readouterr().err


def test_two_splits_that_differ(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = orjson.loads((here / "split.json").read_bytes())
    (here / "other.json").write_bytes(orjson.dumps(record | {"language": "sexpression"}))
    assert call("difficulty", "data.jsonl", "split.json", "other.json") == 2
    assert "other.json: was made for targets in the language 'sexpression', not in 'funql'" in capsys.readouterr().err


def test_a_language_may_be_added_to_a_split_without(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = orjson.loads((here / "split.json").read_bytes())
    (here / "split.json").write_bytes(orjson.dumps(record | {"language": None}))
    assert call("check", "data.jsonl", "split.json", "--strict") == 1
    assert call("check", "data.jsonl", "split.json", "--strict", "--language", "funql") == 0


def test_the_path_is_named_where_the_data_is_wanted(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("report", "split.json", "-o", "page.html") == 2
    assert "name the data file with --data, such as --data data.jsonl" in capsys.readouterr().err


def test_two_folders_give_the_same_bytes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "elsewhere").mkdir()
    (here / "elsewhere" / "data.jsonl").write_bytes((here / "data.jsonl").read_bytes())
    wish = ("--source", "question", "--target", "query", "--by", "random", "--test", "4", "--quiet", "-o")
    assert call("split", "data.jsonl", *wish, "one.json") == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here / "elsewhere")
        assert call("split", "data.jsonl", *wish, "two.json") == 0
        assert call("split", str(here / "data.jsonl"), *wish, "three.json") == 0
    written = (here / "one.json").read_bytes()
    assert (here / "elsewhere" / "two.json").read_bytes() == written
    assert (here / "elsewhere" / "three.json").read_bytes() == written
    assert str(here).encode() not in written
