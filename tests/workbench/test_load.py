"""Data from Python: records with contexts, identity and a world."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from toy_world import write_toy

import recombine
from recombine.errors import InputWarning, OptionError, RecombineError
from recombine.records.example import FrozenMapping, content_id
from recombine.structures.own_structures import say_kept

RECORDS = [{"source": "how many", "target": "count", "context": {"scene": scene}} for scene in (1, 2)]


def test_records_carry_contexts() -> None:
    data = recombine.load(RECORDS)
    assert [example.context["scene"] for example in data] == [1, 2]
    assert isinstance(data[0].context, FrozenMapping)
    assert [example.id for example in data] == [content_id("how many", "count"), content_id("how many", "count") + "#2"]


def test_data_that_is_read_takes_a_language_and_no_other_fields() -> None:
    data = recombine.load([{"question": "q", "program": "answer ( m0 )"}], source="question", target="program")
    assert data.language is None
    named = recombine.load(data, language="funql", source="question")
    assert named.language is not None
    assert named.language.name == "funql"
    assert recombine.show(data, language="funql")["examples"][0]["program"] == ["answer", "m0"]
    with pytest.raises(RecombineError, match="unknown language 'klingon'"):
        recombine.load(data, language="klingon")
    with pytest.raises(OptionError, match="records is read already, and its targets are not from the field 'sql'"):
        recombine.load(data, target="sql")
    with pytest.raises(OptionError, match="its sources are not from the field 'text'"):
        recombine.select(data, k=1, by="random", source="text")


def test_a_language_for_data_that_is_read_must_be_the_splits() -> None:
    data = recombine.load([("a", "f ( a )"), ("b", "f ( b )")])
    made = recombine.split(data, by="random", test=1, language="functional")
    assert "compounds=tree" in recombine.measure(data, made, language="functional")["signature"]
    with pytest.raises(RecombineError, match="was made for targets in the language 'functional', not in 'funql'"):
        recombine.measure(data, made, language="funql")


def test_data_prints_short_and_shows_itself() -> None:
    data = recombine.load([(f"<b>{n}", "t") for n in range(100)])
    assert repr(data) == f"<Dataset: {data}: 100 examples>"
    assert "&lt;b&gt;0" in data._repr_html_()
    assert "<b>" not in data._repr_html_()
    assert len(data._repr_html_()) < 2_000
    assert data.to_dict()["size"] == 100
    assert len(recombine.load([("a" * 10_000, "b")])._repr_html_()) < 1_000
    assert len(repr(recombine.features(recombine.load("schema2qa")))) < 200


def test_a_plugin_can_be_named_in_loading(tmp_path: Path) -> None:
    (tmp_path / "little.py").write_text(
        "from recombine import extend\n"
        "extend.register_language(extend.Language('little', lambda text: extend.Tree(text), lambda tree: tree.label))\n"
    )
    say_kept.cache_clear()
    with pytest.warns(InputWarning, match="literals are kept: little does not tell them"):
        data = recombine.load([("a", "b")], language="little", plugin=str(tmp_path / "little.py"))  # type: ignore[call-arg]
    assert data.language is not None
    assert data.language.name == "little"


def test_identity_tells_records_apart() -> None:
    data = recombine.load(RECORDS, identity=["scene"])
    assert data.identity == ("scene",)
    assert len({example.id.partition("#")[0] for example in data}) == 2
    assert data.hash != recombine.load(RECORDS).hash
    again = recombine.load(list(data), identity=["scene"])
    assert again.hash == data.hash


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"context": "x"}, "the context of record 1 is not a mapping"),
        ({"context": {"scene": {1}}}, "the context of record 1: the field 'scene' is not a JSON value"),
        ({"context": {"other": 1}}, "record 1 has no 'scene' in its context, which is identity"),
        ({}, "record 1 has no 'scene' in its context"),
    ],
)
def test_contexts_that_are_none_are_refused(record: dict[str, Any], problem: str) -> None:
    with pytest.raises(RecombineError, match=problem):
        recombine.load([RECORDS[0], {"source": "a", "target": "b", **record}], identity=["scene"])


def test_identity_of_a_file_is_the_sidecars(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"identity is for records from Python; name it in the FILE.meta.json"):
        recombine.load("scan", identity=["scene"])


@pytest.mark.usefixtures("toy_kind")
def test_a_world_is_given_by_path_or_as_it_is(tmp_path: Path) -> None:
    path = write_toy(tmp_path / "facts.toy.json", sky="blue")
    by_path = recombine.load(RECORDS, world=path)
    assert by_path.opened_world is not None
    itself = recombine.load(RECORDS, world=by_path.opened_world)
    assert itself.reading.world == by_path.reading.world
    assert itself.opened_world is by_path.opened_world
    assert recombine.load(RECORDS, world=by_path.world).world == by_path.world


def test_records_keep_their_ids_and_further_fields() -> None:
    data = recombine.load(
        [{"id": "x1", "source": "a", "target": "b", "who": "z"}, {"id": 2, "source": "c", "target": "d"}]
    )
    assert [example.id for example in data] == ["x1", "2"]
    assert dict(data["x1"].tags) == {"who": "z"}
    assert dict(data["2"].tags) == {}
    plain = recombine.load([{"source": "a", "target": "b", "who": "z"}])
    assert plain[0].id == recombine.load([("a", "b")])[0].id
    with pytest.raises(RecombineError, match="some records have an id and others have none"):
        recombine.load([{"id": "x", "source": "a", "target": "b"}, {"source": "c", "target": "d"}])
    with pytest.raises(RecombineError, match="the id 'x' occurs twice"):
        recombine.load([{"id": "x", "source": s, "target": "t"} for s in "ab"])
    with pytest.raises(RecombineError, match="the id of record 0 is neither text nor a whole number"):
        recombine.load([{"id": None, "source": "a", "target": "b"}])
