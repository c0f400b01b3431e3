"""One table of kinds: the package's own are found by their names, and a plug-in's serve as they do."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import DefinitionError, OptionError, RecordError
from recombine.languages.funql import FUNQL
from recombine.languages.language import Language
from recombine.plugins import load_plugin
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.structures.counted_kind import Count, counted_kind
from recombine.structures.dataset_features import extract_features
from recombine.structures.definition import Structures
from recombine.structures.kinds import STRUCTURE_KINDS, StructureKind, register_structures
from recombine.structures.read_once import ReadOnce
from recombine.tree import Tree

PLUGIN = """
from collections import Counter
from recombine.structures.counted_kind import counted_kind
from recombine.structures.kinds import register_structures

def pairs(example, language):
    words = example.source.split()
    return Counter(map(" ".join, zip(words, words[1:])))

def labels(example, language):
    waiting, counts = [language.parse(example.target)], Counter()
    while waiting:
        node = waiting.pop()
        counts[node.label] += 1
        waiting += node.children
    return counts

register_structures(counted_kind("word-pairs", pairs))
register_structures(counted_kind("labels", labels, atoms="labels,presence"))
"""
ROWS = [
    ("how big is m0", "answer ( size ( m0 ) )"),
    ("how long is m0", "answer ( len ( m0 ) )"),
    ("how big is the river m0", "answer ( size ( river ( m0 ) ) )"),
    ("how long is the river m0", "answer ( len ( river ( m0 ) ) )"),
    ("how long is the longest river", "answer ( len ( longest ( river ( all ) ) ) )"),
    ("how big is the longest river", "answer ( size ( longest ( river ( all ) ) ) )"),
]


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with data, and two kinds of a plug-in."""
    monkeypatch.chdir(tmp_path)
    lines = (orjson.dumps({"source": source, "target": target}) + b"\n" for source, target in ROWS)
    (tmp_path / "data.jsonl").write_bytes(b"".join(lines))
    (tmp_path / "more.py").write_text(PLUGIN)
    load_plugin("more.py")
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    printed = capsys.readouterr()
    assert ended.value.code == code, printed.err
    return printed.out if code == 0 else printed.err


def data() -> Dataset:
    return recombine.load(ROWS, language="funql")


def nothing(*_: object) -> dict[str, float]:
    return {}


def count_with(kind: str, count: Count) -> dict[str, float]:
    """The first row of a kind that is not registered."""
    made = counted_kind(kind, count)
    return made.extract(ReadOnce(data()), made.parse(kind)).row(0)


def test_every_kind_is_under_its_name() -> None:
    names = ["rules", "symbols", "tokens", "dag", "line", "tree", "path", "subtree", "words", "sequence"]
    names += ["local", "connected", "ngram"]
    assert list(STRUCTURE_KINDS)[:13] == names
    roles = {name: STRUCTURE_KINDS[name].roles for name in names}
    assert [STRUCTURE_KINDS[name].name for name in names] == names
    assert set(roles.values()) == {("atoms",), ("compounds",), ("compounds", "local")}
    assert [name for name in names if "local" in roles[name]] == ["local", "connected", "ngram"]


def test_graphs_that_both_halves_need_are_made_once() -> None:
    calls: list[str] = []

    def parse(text: str) -> Tree:
        calls.append(text)
        return FUNQL.parse(text)

    dataset = replace(data(), language=replace(FUNQL, parse=parse))
    extract_features(dataset, Structures.parse("symbols;tree:2-2"))
    assert sorted(calls) == sorted(target for _, target in ROWS)


def test_local_structures_are_compounds() -> None:
    found = recombine.features(data(), "local:2,no-siblings")
    assert str(found.structures) == "atoms=symbols,presence;compounds=local:2,no-siblings"
    assert found.atoms.row(0) == {"answer": 1, "size": 1, "m0": 1}
    assert found.compounds.row(0) == {"<s> > answer": 1, "answer > size": 1, "size > m0": 1}
    assert recombine.features(data(), "symbols:arity;local:2").atoms.row(0) == {"answer/1": 1, "size/1": 1, "m0/0": 1}


def test_local_structures_measure_and_split(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = ("data.jsonl", "--language", "funql")
    options = ("--by", "mcd", "--train", "3", "--test", "3", "--max-atom-divergence", "1", "--effort", "0.01")
    made = orjson.loads(
        call(capsys, "split", *named, *options, "--structures", "local:2", "-o", "s.json", "--quiet", "--json")
    )
    assert "|optimised:atoms=symbols,presence;compounds=local:2|" in made["signature"]
    printed = call(capsys, "measure", *named, "s.json", "--structures", "compounds=local:2", "--quiet", "--json")
    measured = orjson.loads(printed)
    assert measured["compound_divergence"] == made["compound_divergence"] > 0
    assert "|structures:atoms=symbols,presence;compounds=local:2|" in measured["signature"]
    other = orjson.loads(call(capsys, "measure", *named, "s.json", "--structures", "ngram:3", "--quiet", "--json"))
    assert other["compound_divergence"] != made["compound_divergence"]


def test_a_plugin_counts(plugin: Path) -> None:
    found = recombine.features(data(), "word-pairs")
    assert str(found.structures) == "atoms=tokens,presence;compounds=word-pairs,counts"
    assert found.compounds.row(0) == {"how big": 1, "big is": 1, "is m0": 1}
    assert found.atoms.row(0) == {"answer": 1, "(": 1, "size": 1, "m0": 1, ")": 1}
    repeated = recombine.load([("to and to and", "J")])
    values = {
        text: recombine.features(repeated, f"word-pairs,{text}").compounds.row(0) for text in ("counts", "presence")
    }
    assert values == {"counts": {"to and": 2, "and to": 1}, "presence": {"to and": 1, "and to": 1}}
    both = recombine.features(data(), "labels,presence,top=3,alpha=0.5")
    assert str(both.structures) == "atoms=labels,presence;compounds=labels,presence,top=3,alpha=0.5"
    assert both.compounds.shape == (6, 3)
    assert both.atoms.shape == (6, 7)
    assert both.rules.startswith("7@")
    assert both.structures == Structures.parse(str(both.structures))


def test_a_plugin_splits_measures_and_is_listed(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = ("data.jsonl", "--language", "funql")
    options = ("--by", "tmcd", "--train", "3", "--test", "3", "--effort", "0.01", "--structures", "word-pairs,presence")
    made = orjson.loads(call(capsys, "split", *named, *options, "-o", "s.json", "--quiet", "--json"))
    assert "optimised:atoms=tokens,presence;compounds=word-pairs,presence|" in made["signature"]
    text = call(capsys, "measure", *named, "s.json", "--structures", "symbols;word-pairs,presence", "--json")
    measured = orjson.loads(text)
    assert measured["compound_divergence"] == made["compound_divergence"]
    assert "structures:atoms=symbols,presence;compounds=word-pairs,presence|" in measured["signature"]
    assert call(capsys, "check", *named, "s.json").startswith("no problems")
    assert orjson.loads(call(capsys, "list", "--json"))["structures"][-2:] == ["word-pairs", "labels"]
    assert " ngram word-pairs labels " in " ".join(call(capsys, "list").split())
    refused = call(capsys, "difficulty", *named, "s.json", "--structures", "word-pairs", code=2)
    assert "cannot read the local structures 'word-pairs'; write local:2, " in refused
    assert call(capsys, "report", "s.json", "--data", "data.jsonl", "--structures", "word-pairs", "-o", "page.html")


def test_without_the_plugin_its_name_is_not_known() -> None:
    with pytest.raises(DefinitionError, match="cannot read the structures 'word-pairs'"):
        Structures.parse("word-pairs")


@pytest.mark.parametrize("text", ["word-pairs,weighted", "word-pairs:2", "word-pairs,top=0", "word-pairs,alpha=1"])
def test_notation_of_a_plugin(plugin: Path, text: str) -> None:
    with pytest.raises(DefinitionError, match="word-pairs"):
        Structures.parse(text)


def test_names_that_would_not_parse_are_refused() -> None:
    for name in ("Words", "a,b", "a:b", "a;b", "a=b", "2nd", "", "atoms", "compounds", "small"):
        with pytest.raises(OptionError, match="cannot have the name"):
            register_structures(counted_kind(name, nothing))
    with pytest.raises(OptionError, match="there is a kind of structures 'dag' already, of the package"):
        register_structures(counted_kind("dag", nothing))
    parse, extract = STRUCTURE_KINDS["dag"].parse, STRUCTURE_KINDS["dag"].extract
    for roles in ((), ("verbs",), ("local",)):
        with pytest.raises(OptionError, match="serve as"):
            register_structures(StructureKind("words", roles, parse, extract))


def test_counts_that_are_none() -> None:
    assert count_with("words", lambda *_: {"a": 2, "b": 0}) == {"a": 2}
    bad: list[dict[Any, Any]] = [{"a": -1}, {"a": float("nan")}, {"a": "1"}, {1: 1}, {"a": True}]
    for counts in bad:
        with pytest.raises(DefinitionError, match=r"the structures words of the example \w+ of records count"):
            count_with("words", lambda *_, counts=counts: counts)


def test_a_function_that_fails_is_one_line() -> None:
    def fails(example: Example, language: Language | None) -> Counter[str]:
        raise ValueError("no words")

    def parses(example: Example, language: Language | None) -> Counter[str]:
        assert language is not None
        return Counter([language.parse(example.target + " )").label])

    with pytest.raises(DefinitionError, match="fail: ValueError: no words; mend the plug-in"):
        count_with("words", fails)
    with pytest.raises(RecordError, match=r"records, example \w+: FunQL program, column"):
        count_with("words", parses)


def test_parts_of_all_the_sizes_of_a_definition() -> None:
    # answer(size(river(m0))): three edges, two paths of two, and as many sub-trees cut at these depths.
    for text in ("symbols;path:1-2", "symbols;subtree:1-2"):
        row = recombine.features(data(), text).compounds.row(2)
        assert len(row) == 5, text
        assert row["answer(1:size(1:river))"] == 1
    assert recombine.features(data(), "symbols;path:1-2,top=1").compounds.names == ["answer(1:len)"]
