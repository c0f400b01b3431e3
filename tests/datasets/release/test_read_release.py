"""The release's form is told by its fields, and read with its rule trees; what cannot be read is named."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from small_release import PAPER, Item, items, released, rule, tree, write

import recombine
from recombine.datasets.release.read_release import is_release, read_release
from recombine.errors import InputFileError, InputWarning, RecombineError, RecordError
from recombine.records.derivation import Derivation
from recombine.records.example import content_id
from recombine.structures.definition import PROGRAM_STRUCTURES, RULE_STRUCTURES


def test_the_item_of_the_paper(tmp_path: Path) -> None:
    data = recombine.load(write(tmp_path / "dataset.json", [PAPER]))
    example = data[0]
    assert (data.name, data.structures, data.fields) == (
        "dataset",
        RULE_STRUCTURES,
        ("questionPatternModEntities", "sparqlPatternModEntities"),
    )
    assert data.language is not None
    assert data.language.name == "sparql"
    assert example.source == "Did M0 executive produce M1"
    assert example.target == PAPER["sparqlPatternModEntities"]
    assert example.id == content_id(example.source, example.target)
    assert example.derivation == Derivation.tree(
        ("resolution:CONCEPT_TO_SPARQL", [("S=YNQ", [("YNQ=DID_DP_VP_INDIRECT", [])])])
    )
    assert example.tags == {
        **{name: PAPER[name] for name in ("question", "questionWithBrackets", "questionWithMids", "questionTemplate")},
        **{name: PAPER[name] for name in ("expectedResponse", "sparql", "sparqlPattern")},
        **PAPER["complexityMeasures"],
        "ruleIds": ["resolution:ENTITY_MID", "S=YNQ"],
        "line": 1,
    }


def test_fields_in_either_place_are_one(tmp_path: Path) -> None:
    inside, outside, both = items(3)
    for item in (outside, both):
        item["questionTemplate"] = item["complexityMeasures"]["questionTemplate"]
        item["recursionDepth"] = item["complexityMeasures"]["recursionDepth"]
    del outside["complexityMeasures"]["questionTemplate"], outside["complexityMeasures"]["recursionDepth"]
    data = recombine.load(write(tmp_path / "a.json", [inside, outside, both]))
    assert {(e.tags["questionTemplate"], e.tags["recursionDepth"]) for e in data} == {("Who [VP_SIMPLE] [entity]", 5)}


def test_rules_that_the_tree_gives_are_not_kept_twice(tmp_path: Path) -> None:
    same, fewer, without = items(3)
    fewer["ruleIds"] = fewer["ruleIds"][1:]
    del without["ruleTree"]
    data = recombine.load(write(tmp_path / "a.json", [same, fewer, without]))
    assert "ruleIds" not in data[0].tags
    assert data[1].tags["ruleIds"] == ["S=WHQ", "WHQ=WHO", "VP=V", "V=1"]
    assert data[2].tags["ruleIds"] == ["JOIN_BY_LOGICAL_FORM", "S=WHQ", "WHQ=WHO", "VP=V", "V=2"]
    assert (data[2].derivation, data.structures) == (None, PROGRAM_STRUCTURES)


@pytest.mark.parametrize("form", ["plain", "indented", "packed", "marked"])
def test_letters_quotes_and_braces_in_texts(tmp_path: Path, form: str) -> None:
    path = write(tmp_path / "a.json", items(5), indent=form == "indented")
    if form == "packed":
        path = tmp_path / "a.json.gz"
        path.write_bytes(gzip.compress((tmp_path / "a.json").read_bytes()))
    if form == "marked":
        path.write_bytes(b"\xef\xbb\xbf\n" + path.read_bytes())
    data = recombine.load(path)
    assert (data.name, len(data), data[4].tags["line"]) == ("a", 5, 5)
    assert data[3].tags["expectedResponse"] == 'Almodóvar, "東京"\\'
    assert data[3].tags["question"] == "Who edited {Film} 3"
    assert data[3].derivation is not None
    assert data[3].derivation.edges == ((0, 1, 1), (1, 2, 1), (1, 3, 2), (3, 4, 1))


def test_other_fields_can_be_sources_and_targets(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", items())
    data = recombine.load(path, source="question", target="expectedResponse")
    assert (data[0].source, data.fields) == ("Who edited {Film} 0", ("question", "expectedResponse"))
    assert data[0].tags["questionPatternModEntities"] == "Who edited M0"
    assert data.language is None  # answers are no SPARQL
    assert recombine.load(path, language="funql").language.name == "funql"  # type: ignore[union-attr]
    with pytest.raises(RecordError, match="record 1: no field 'query'"):
        recombine.load(path, target="query")


def test_equal_pairs_are_numbered(tmp_path: Path) -> None:
    data = recombine.load(write(tmp_path / "a.json", [released(1), released(2), released(1)]))
    assert data[2].id == f"{data[0].id}#2"


def test_ids_that_are_given_stand(tmp_path: Path) -> None:
    given = [{"id": key, **item} for key, item in zip(["a", 7], items(2), strict=True)]
    assert [example.id for example in recombine.load(write(tmp_path / "a.json", given))] == ["a", "7"]


def test_context_of_the_sidecar(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", items())
    write(tmp_path / "a.json.meta.json", {"context": ["expectedResponse"], "identity": ["expectedResponse"]})
    data = recombine.load(path)
    assert data[0].context == {"expectedResponse": 'Almodóvar, "東京"\\'}
    assert "expectedResponse" not in data[0].tags
    assert data.identity == ("expectedResponse",)
    assert data[0].id != content_id(data[0].source, data[0].target)
    write(tmp_path / "a.json.meta.json", {"context": ["scene"]})
    with pytest.raises(RecordError, match="record 1: no field 'scene', which is context"):
        recombine.load(path)


# -- which files are of this form


def test_the_form_is_told_by_fields(tmp_path: Path) -> None:
    pair = {"source": "a", "target": "b"}
    assert is_release(write(tmp_path / "mine.json", items()))
    assert is_release(write(tmp_path / "tree.json", [{**pair, "ruleTree": None}]))
    assert not is_release(write(tmp_path / "dataset.json", [pair]))  # the name alone says nothing
    assert not is_release(write(tmp_path / "one.json", items()[0]))
    assert not is_release(write(tmp_path / "items.jsonl", items()))
    (tmp_path / "lines.json").write_bytes(b"".join(orjson.dumps(item) + b"\n" for item in items()))
    assert not is_release(tmp_path / "lines.json")
    (tmp_path / "empty.json").touch()
    assert not is_release(tmp_path / "empty.json")
    (tmp_path / "cut.json").write_bytes(orjson.dumps(items())[:400])
    assert is_release(tmp_path / "cut.json")


def test_other_arrays_are_read_as_ever(tmp_path: Path) -> None:
    path = write(tmp_path / "dataset.json", [{"source": "a", "target": "b", "complexityMeasures": {"n": 1}}])
    assert recombine.load(path)[0].tags == {"complexityMeasures": {"n": 1}, "line": 1}


# -- what cannot be read

BAD: dict[str, tuple[Callable[[Item], Any], str]] = {
    "no question": (lambda item: item.pop("questionPatternModEntities"), "no field 'questionPatternModEntities'"),
    "a question that is no text": (
        lambda item: item.update(questionPatternModEntities=3),
        "the field 'questionPatternModEntities' is not text",
    ),
    "a query that is no text": (lambda item: item.update(sparqlPatternModEntities=None), "is null"),
    "measures that are a list": (
        lambda item: item.update(complexityMeasures=[1]),
        "the field 'complexityMeasures' is not a JSON object",
    ),
    "measures that differ": (
        lambda item: item.update(recursionDepth=6),
        "the field 'recursionDepth' differs from that inside of complexityMeasures",
    ),
    "a tree among the measures": (
        lambda item: item["complexityMeasures"].update(ruleTree=None),
        "the field 'ruleTree' stands inside of complexityMeasures",
    ),
    "a tree that is a text": (lambda item: item.update(ruleTree="S=WHQ"), "a node of the rule tree has no ruleId"),
    "a tree without a rule": (lambda item: item["ruleTree"].pop("ruleId"), "a node of the rule tree has no ruleId"),
    "a rule that is a text": (lambda item: item["ruleTree"].update(ruleId="S"), "a rule id is not a JSON object"),
    "a rule without a type": (lambda item: item["ruleTree"]["ruleId"].pop("type"), "a rule id lacks its type"),
    "sub-trees that are no list": (lambda item: item["ruleTree"].update(subTrees={}), "are not a list"),
    "rules that are no list": (lambda item: item.update(ruleIds={"a": 1}), "the field 'ruleIds' is not a list"),
    "a rule of the list": (lambda item: item.update(ruleIds=["S=WHQ"]), "a rule id is not a JSON object"),
    "two lists of rules": (
        lambda item: item.update(aggregatedRuleInfo={"ruleId": [rule("A")]}),
        "ruleIds and aggregatedRuleInfo list different rules",
    ),
    "another derivation": (
        lambda item: item.update(derivation=[["S=WHQ"]]),
        "ruleTree and derivation do not fit",
    ),
    "a broken derivation": (lambda item: item.update(derivation=[[1]]), "row 0 of the derivation is not"),
    "an id, and none before": (lambda item: item.update(id="x"), "an id, though record 1 has none"),
    "a deep tag": (lambda item: item.update(x=orjson.loads("[" * 150 + "]" * 150)), "more than 100 levels deep"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_items_are_named(tmp_path: Path, name: str) -> None:
    change, message = BAD[name]
    bad = released(1)
    change(bad)
    path = write(tmp_path / "a.json", [released(0), bad, released(2)])
    with pytest.raises(RecordError) as caught:
        recombine.load(path)
    assert str(caught.value).startswith(f"{path}, record 2: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_ids_are_named(tmp_path: Path) -> None:
    def load(*ids: object) -> None:
        given = [{**item, **({} if key is None else {"id": key})} for key, item in zip(ids, items(3), strict=True)]
        recombine.load(write(tmp_path / "a.json", given))

    with pytest.raises(RecordError, match="record 3: the id 'x' stands already in record 1"):
        load("x", "y", "x")
    with pytest.raises(RecordError, match="record 2: no id, though record 1 has one"):
        load("x", None, "y")
    with pytest.raises(RecordError, match="record 2: the id is neither text nor a whole number"):
        load("x", True, "y")


def test_a_tree_deeper_than_json_goes(tmp_path: Path) -> None:
    item = released(0)
    deep = b'{"ruleId":{"type":"A","stringValue":"b"},"subTrees":[' * 600 + b"]}" * 600
    item["ruleTree"] = None
    path = tmp_path / "a.json"
    path.write_bytes(orjson.dumps([item]).replace(b'"ruleTree":null', b'"ruleTree":' + deep))
    with pytest.raises(RecombineError, match=r"a\.json, record 1: broken JSON"):
        read_release(path)


def test_further_fields_of_nodes_are_said(tmp_path: Path) -> None:
    item = released(0)
    item["ruleTree"]["subTrees"][0]["weight"] = 3
    path = write(tmp_path / "a.json", [item, released(1)])
    with pytest.warns(InputWarning, match="further fields, which are not kept: 'weight' of 1"):
        recombine.load(path)


def test_what_is_held_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Trees are not held, so that the file may be larger than the limit.
    many = [released(n) | {"ruleTree": tree("S", *(tree("A" * 50) for _ in range(20)))} for n in range(100)]
    path = write(tmp_path / "a.json", many)
    monkeypatch.setenv("RECOMBINE_MAX_UNPACKED", "100000")
    assert path.stat().st_size > 200_000
    assert len(recombine.load(path)) == 100
    monkeypatch.setenv("RECOMBINE_MAX_UNPACKED", "20000")
    with pytest.raises(InputFileError, match="holds more besides its rule trees than 20,000 bytes"):
        recombine.load(path)


def test_no_items(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", [])
    with pytest.raises(InputFileError, match="has no records"):
        read_release(path)
    with pytest.raises(InputFileError, match="has no records"):
        recombine.load(path)


@pytest.mark.shared_data
def test_items_of_the_release(data_dir: Path) -> None:
    data = recombine.load(data_dir / "cfq" / "release_sample.json")
    assert (len(data), data.structures) == (10, PROGRAM_STRUCTURES)
    # Items 0, 7 and the last one of the file.
    assert data[0].source == "Did M1 's female actor edit and produce M0"
    assert data[7].source == "Did M3 's male cinematographer 's Canadian spouse 's spouse marry M0"
    assert data[9].target.endswith("\n?x0 ns:film.writer.film M1\n}")
    split = recombine.load_split(data, data_dir / "cfq" / "release_sample_split.json")
    assert split.sizes() == {"train": 6, "dev": 2, "test": 2}
    assert split.test == (data[9].id, data[0].id)
