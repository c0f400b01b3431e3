"""Data from Python: records with contexts, identity and a world."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from toy_world import write_toy

import recombine
from recombine.errors import OptionError, RecombineError
from recombine.records.example import FrozenMapping, content_id

RECORDS = [{"source": "how many", "target": "count", "context": {"scene": scene}} for scene in (1, 2)]


def test_records_carry_contexts() -> None:
    data = recombine.load(RECORDS)
    assert [example.context["scene"] for example in data] == [1, 2]
    assert isinstance(data[0].context, FrozenMapping)
    assert [example.id for example in data] == [content_id("how many", "count"), content_id("how many", "count") + "#2"]


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
