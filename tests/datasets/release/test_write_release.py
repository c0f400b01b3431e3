"""What is written in the release's form is read back as the same data."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import pytest
from small_release import PAPER, items, write

import recombine
from recombine.datasets.release.write_release import write_release
from recombine.errors import OptionError, OutputFileError
from recombine.records.dataset import Dataset
from recombine.records.derivation import Derivation
from recombine.records.example import Example


def without_lines(data: Dataset) -> list[Example]:
    return [replace(e, tags={name: value for name, value in e.tags.items() if name != "line"}) for e in data]


def again(data: Dataset, path: Path, **options: Any) -> Dataset:
    """The data as it is read back."""
    write_release(data, path)
    return recombine.load(path, **options)


def read_items(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = orjson.loads(path.read_bytes())
    return found


@pytest.mark.parametrize("name", ["out.json", "out.json.gz"])
def test_a_file_that_was_read_is_written_as_it_was(tmp_path: Path, name: str) -> None:
    data = recombine.load(write(tmp_path / "a.json", [PAPER, *items(4)]))
    copy = again(data, tmp_path / name)
    assert list(copy) == list(data)
    assert (copy.hash, copy.structures, copy.fields) == (data.hash, data.structures, data.fields)
    write_release(copy, tmp_path / f"second_{name}")
    assert (tmp_path / name).read_bytes() == (tmp_path / f"second_{name}").read_bytes()


def test_the_form_of_an_item(tmp_path: Path) -> None:
    write_release(recombine.load(write(tmp_path / "a.json", [PAPER, *items(1)])), tmp_path / "out.json")
    paper, released = read_items(tmp_path / "out.json")
    assert released == items(1)[0]
    # Of the paper's item all but the names and places that the released file has otherwise.
    moved = {"questionTemplate", "complexityMeasures", "aggregatedRuleInfo", "ruleTree"}
    assert {k: v for k, v in paper.items() if k in PAPER and k not in moved} == {
        k: v for k, v in PAPER.items() if k not in moved
    }
    assert list(paper)[:4] == ["question", "questionWithBrackets", "questionWithMids", "questionPatternModEntities"]
    assert paper["complexityMeasures"] == {
        **PAPER["complexityMeasures"],
        "questionTemplate": "Did [entity] [VP_SIMPLE] [entity]",
    }
    assert paper["ruleIds"] == PAPER["aggregatedRuleInfo"]["ruleId"]
    assert paper["ruleTree"]["ruleId"] == PAPER["ruleTree"]["ruleId"]
    assert paper["ruleTree"]["subTrees"][0]["ruleId"] == PAPER["ruleTree"]["subTree"][0]["ruleId"]


def test_data_of_a_grammar_comes_back(tmp_path: Path, scan: Dataset) -> None:
    # SCAN's graphs are no trees: rules of the interpretation depend on several.
    some = Dataset.of("scan", islice(scan, 0, 20000, 500), structures=scan.structures)
    copy = again(some, tmp_path / "scan.json")
    assert without_lines(copy) == without_lines(some)
    assert (copy.hash, copy.structures, copy.language) == (some.hash, some.structures, None)
    item = read_items(tmp_path / "scan.json")[-1]
    assert {"source", "target", "ruleIds", "ruleTree", "derivation"} == item.keys()


def test_graphs_of_several_roots_and_no_rules_come_back(tmp_path: Path) -> None:
    graphs = [
        Derivation(("a", "b", "c"), ((0, 2, 1), (1, 2, 2))),
        Derivation(("a", "b"), ()),
        Derivation((), ()),
        Derivation(("a",) * 600, tuple((n, n + 1, 1) for n in range(599))),
        Derivation(("a", "b", "c"), ((0, 1, 2), (0, 2, 1))),
        Derivation(("knowledge:a", "resolution:b", "inference:c", "type:X:d"), ((0, 1, 1), (1, 2, 1), (2, 3, 1))),
        None,
    ]
    data = Dataset.of("g", [Example.of(str(n), "x", graph) for n, graph in enumerate(graphs)])
    assert without_lines(again(data, tmp_path / "g.json")) == without_lines(data)
    written = read_items(tmp_path / "g.json")
    assert ["derivation" in item for item in written] == [True, True, True, True, True, False, False]
    assert [item["ruleTree"] is None for item in written] == [True, True, True, True, False, False, True]


def test_ids_are_written_where_they_are_not_of_the_content(tmp_path: Path) -> None:
    data = Dataset.of("d", [Example("x", "a", "b"), Example("7", "a", "b")])
    assert without_lines(again(data, tmp_path / "d.json")) == without_lines(data)
    pairs = recombine.load([("a", "b"), ("a", "b")])
    assert without_lines(again(pairs, tmp_path / "p.json")) == without_lines(pairs)
    assert all("id" not in item for item in read_items(tmp_path / "p.json"))


def test_tags_of_any_json_come_back(tmp_path: Path) -> None:
    tags = {"source": "web", "tags": [1, {"a": None}], "part": "train", "x": 1.5, "sparqlNumConstraints": 2}
    language = recombine.load(write(tmp_path / "a.json", items(1))).language
    data = Dataset.of("d", [Example.of("q", "SELECT", tags=tags)], language=language)
    assert without_lines(again(data, tmp_path / "d.json")) == without_lines(data)
    assert read_items(tmp_path / "d.json")[0]["complexityMeasures"] == {"sparqlNumConstraints": 2}


def test_measures_may_be_one_tag(tmp_path: Path) -> None:
    data = Dataset.of("d", [Example.of("q", "t", tags={"complexityMeasures": {"recursionDepth": 2, "n": 1}})])  # type: ignore[dict-item]
    assert without_lines(again(data, tmp_path / "d.json"))[0].tags == {"recursionDepth": 2, "n": 1}
    twice = Example.of("q", "t", tags={"complexityMeasures": {"n": 1}, "n": 1})  # type: ignore[dict-item]
    with pytest.raises(OutputFileError, match="'n', which the form has already"):
        write_release(Dataset.of("d", [twice]), tmp_path / "e.json")


def test_contexts_and_identity_come_back(tmp_path: Path) -> None:
    rows = [
        {"source": "q", "target": "t", "context": {"scene": scene, "sparqlNumVariables": 1}} for scene in ("a", ["b"])
    ]
    data = recombine.load(rows, identity=["scene"])
    copy = again(data, tmp_path / "d.json")
    assert without_lines(copy) == without_lines(data)
    assert (copy.identity, (tmp_path / "d.json.meta.json").exists()) == (("scene",), True)
    # An old sidecar is not taken for that of data that has none.
    again(recombine.load([("a", "b")]), tmp_path / "d.json")
    assert not (tmp_path / "d.json.meta.json").exists()


def test_fields_that_were_named_keep_their_names(tmp_path: Path) -> None:
    fields = {"source": "question", "target": "expectedResponse"}
    data = recombine.load(write(tmp_path / "a.json", items()), **fields)
    assert list(again(data, tmp_path / "out.json", **fields)) == list(data)


def test_json_lines_between(tmp_path: Path) -> None:
    data = recombine.load(write(tmp_path / "a.json", [PAPER, *items()]))
    recombine.show(data).write(tmp_path / "b.jsonl")
    lines = recombine.load(tmp_path / "b.jsonl", language="sparql")
    assert list(again(lines, tmp_path / "c.json")) == list(data)


def test_the_verbs_write_it(tmp_path: Path, scan: Dataset) -> None:
    made = recombine.generate("scan", n=20, seed=1, format="cfq")
    made.write(tmp_path / "scan.json")
    assert without_lines(recombine.load(tmp_path / "scan.json")) == without_lines(made.dataset)
    recombine.show(tmp_path / "scan.json", format="cfq").write(tmp_path / "copy.json")
    assert (tmp_path / "copy.json").read_bytes() == (tmp_path / "scan.json").read_bytes()
    assert len(scan) == 20910


CLASHES: dict[str, tuple[Example, str]] = {
    "tag": (Example.of("a", "b", tags={"ruleTree": 1}), "has a tag or context 'ruleTree', which the form has already"),
    "source": (Example.of("a", "b", tags={"questionPatternModEntities": "c"}), "which the form has already"),
    "context": (Example.of("a", "b", context={"x": 1}, tags={"x": 2}), "has a tag or context 'x'"),
    "rules": (Example.of("a", "b", tags={"ruleIds": [1]}), "that is not a list of names of rules"),  # type: ignore[dict-item]
    "rule": (
        Example.of("a", "b", Derivation.tree(("type:KNOWLEDGE:x", []))),
        "the rule 'type:KNOWLEDGE:x' would be read as 'knowledge:x'",
    ),
    "value": (Example.of("a", "b", tags={"x": {1}}), "cannot be written as JSON"),  # type: ignore[dict-item]
}


@pytest.mark.parametrize("name", CLASHES)
def test_what_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    example, message = CLASHES[name]
    data = Dataset.of("d", [Example.of("c", "d", context=example.context), example])
    with pytest.raises(OutputFileError) as caught:
        write_release(data, tmp_path / "d.json")
    assert str(caught.value).startswith(f"{tmp_path / 'd.json'}: the example {example.id} ")
    assert message in str(caught.value)
    assert not (tmp_path / "d.json").exists()


def test_some_without_context_are_named(tmp_path: Path) -> None:
    data = Dataset.of("d", [Example.of("c", "d", context={"x": 1}), Example.of("a", "b")])
    with pytest.raises(OutputFileError, match="has no 'x' in its context, though others have"):
        write_release(data, tmp_path / "d.json")


def test_the_name_must_say_json(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"the form cfq is that of a \.json file"):
        write_release(recombine.load([("a", "b")]), tmp_path / "d.jsonl")
