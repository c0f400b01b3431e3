"""Further measures: a plug-in's values stand beside the package's, and nothing changes where there are none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import OptionError, SplitError
from recombine.measures.known import Part, register_measure
from recombine.pages.splits.measures_table import table
from recombine.plugins import load_plugin
from recombine.records.dataset import Dataset
from recombine.records.split import Split

PLUGIN = """
from recombine.measures.known import register_measure

def new_words(train, test):
    known = {word for example in train for word in example.source.split()}
    return [sum(word not in known for word in example.source.split()) for example in test]

def compounds(train, test):
    return None if test.features is None else float(test.features.compounds.sums(test.rows).sum()) / len(test)

register_measure("new-words", new_words)
register_measure("compounds", compounds)
"""
ROWS = [("big m0", "answer ( size ( m0 ) )"), ("long m0", "answer ( len ( m0 ) )"), ("red river", "answer ( river )")]


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with data and two measures of a plug-in."""
    monkeypatch.chdir(tmp_path)
    lines = (orjson.dumps({"source": source, "target": target}) + b"\n" for source, target in ROWS)
    (tmp_path / "data.jsonl").write_bytes(b"".join(lines))
    (tmp_path / "split.json").write_bytes(orjson.dumps({"train": [0], "test": [1, 2, 2]}))
    (tmp_path / "more.py").write_text(PLUGIN)
    load_plugin("more.py")
    return tmp_path


@pytest.fixture
def registered() -> Callable[[str, Any], Any]:
    """Registers measures that are gone after the test."""
    return register_measure


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    printed = capsys.readouterr()
    assert ended.value.code == 0, printed.err
    return printed.out


def halves() -> tuple[Dataset, Split]:
    data = recombine.load(ROWS)
    parts = {"train": (data[0].id,), "test": (data[1].id, data[2].id)}
    return data, Split(parts, data.name, data.hash, recombine.Signature.of(by="hand"))


def test_values_stand_under_their_names_and_in_the_signature(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = ("measure", "data.jsonl", "split.json", "--language", "funql")
    value = orjson.loads(call(capsys, *named, "--json"))
    assert value["measures"] == {"compounds": 4 / 3, "new-words": [1, 2, 2]}
    keys = list(value)
    assert keys.index("measures") == keys.index("duplicates") + 1
    assert "|measures:compounds,new-words|version:" in value["signature"]
    printed = call(capsys, *named)
    rows = [line.split() for line in printed.splitlines()]
    assert ["compounds", "1.333"] in rows
    assert ["new-words", "[1,2,2]"] in rows
    assert orjson.loads(call(capsys, "list", "--json"))["measures"] == ["new-words", "compounds"]
    assert "measures\n  new-words compounds\n" in call(capsys, "list")


def test_a_split_file_keeps_them(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "split", "data.jsonl", "--by", "random", "--train", "2", "-o", "made.json", "--quiet")
    kept = orjson.loads((plugin / "made.json").read_bytes())["measured"]
    assert sorted(kept["measures"]) == ["compounds", "new-words"]
    assert kept["measures"]["compounds"] is None
    assert kept["signature"].partition("|measures:")[2].startswith("compounds,new-words|")


def test_the_page_of_a_split_shows_them(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "report", "split.json", "--data", "data.jsonl", "--language", "funql", "-o", "page.html", "--quiet")
    page = (plugin / "page.html").read_text()
    assert "Further measures" in page
    assert "[1,2,2]" in page


def test_nothing_changes_where_there_are_none() -> None:
    values = recombine.measure(*halves())
    assert "measures" not in values
    assert "measures" not in values["signature"]
    assert [group.title for group in table([values], "test")][-1] == "Test examples verbatim in train"


def test_rows_of_the_page(registered: Callable[[str, Any], None]) -> None:
    registered("count", lambda train, test: len(test) - len(train))
    registered("share", lambda *_: 0.25)
    registered("words", lambda *_: {"a": [True]})
    group = table(
        [recombine.measure(*halves()), {**recombine.measure(*halves()), "measures": {"count": None}}], "test"
    )[-1]
    assert group.title == "Further measures"
    assert [(row.key, row.texts()) for row in group.rows] == [
        ("measures.count", ["1", "–"]),
        ("measures.share", ["0.250", "–"]),
        ("measures.words", ['{"a":[true]}', "–"]),
    ]


def test_parts_are_train_and_the_part_measured_against(registered: Callable[[str, Any], None]) -> None:
    seen: list[Part] = []
    registered("see", lambda train, test: seen.extend((train, test)))
    data, split = halves()
    recombine.measure(data, split)
    assert [(part.name, list(part), list(part.rows), part.features) for part in seen] == [
        ("train", [data[0]], [0], None),
        ("test", [data[1], data[2]], [1, 2], None),
    ]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), (1, 2), {1: 2}, [{"a": {1}}], object()])
def test_what_json_cannot_hold_is_refused(registered: Callable[[str, Any], None], value: Any) -> None:
    registered("odd", lambda *_: value)
    with pytest.raises(OptionError, match=r"the measure odd gives .*, which JSON cannot hold; give finite numbers"):
        recombine.measure(*halves())


def test_a_measure_that_fails_is_one_line(registered: Callable[[str, Any], None]) -> None:
    registered("odd", lambda *_: 1 / 0)
    with pytest.raises(OptionError, match="the measure odd fails: ZeroDivisionError: division by zero; mend"):
        recombine.measure(*halves())


def test_the_package_s_own_errors_pass(registered: Callable[[str, Any], None]) -> None:
    def refuse(*_: Part) -> None:
        raise SplitError("no", "yes")

    registered("odd", refuse)
    with pytest.raises(SplitError, match="no; yes"):
        recombine.measure(*halves())


@pytest.mark.parametrize("name", ["", "A", "a,b", "a|b", "1a", "a b"])
def test_names_that_a_signature_cannot_list(name: str) -> None:
    with pytest.raises(OptionError, match="cannot have the name"):
        register_measure(name, lambda *_: 1)


def test_a_name_is_given_once(plugin: Path) -> None:
    with pytest.raises(OptionError, match=r"there is a measure 'compounds' already, of more.py"):
        register_measure("compounds", lambda *_: 2)
