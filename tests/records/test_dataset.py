from __future__ import annotations

import pytest

from recombine.errors import RecombineError
from recombine.records.dataset import Dataset
from recombine.records.example import Example, content_id, iter_ids


def test_ids_are_made_from_content_and_repeats_are_numbered() -> None:
    first, second, third = iter_ids([("a", "b"), ("a", "c"), ("a", "b")])
    assert first == content_id("a", "b")
    assert third == f"{first}#2" == content_id("a", "b", 2)
    assert second not in (first, third)


def test_where_source_ends_matters() -> None:
    assert content_id("a b", "c") != content_id("a ", "bc")


def test_the_hash_depends_on_content_not_order() -> None:
    one, two = Example.of("jump", "I_JUMP"), Example.of("walk", "I_WALK")
    assert Dataset("x", (one, two)).hash == Dataset("y", (two, one)).hash
    assert Dataset("x", (one,)).hash != Dataset("x", (two,)).hash
    assert Dataset("x", (Example("1", "a", "b"),)).hash != Dataset("x", (Example("2", "a", "b"),)).hash


def test_repeated_ids_are_refused() -> None:
    one = Example.of("jump", "I_JUMP")
    with pytest.raises(RecombineError, match="occurs twice"):
        Dataset("x", (one, one))


def test_an_unknown_id_is_named() -> None:
    with pytest.raises(RecombineError, match="no example with id 'zzz'"):
        Dataset("x", (Example.of("jump", "I_JUMP"),))["zzz"]


def test_examples_of_ids_make_a_data_set_of_their_own() -> None:
    data = Dataset.of("x", (Example(str(n), "a", "b") for n in range(4)), identity=("scene",))
    part = data.restricted(["3", "1", "3"])
    assert [example.id for example in part] == ["3", "1"]
    assert (part.name, part.identity) == ("x", ("scene",))
    assert data.with_examples(iter(part), name="y").name == "y"
    with pytest.raises(RecombineError, match="x has no example with id '9'"):
        data.restricted(["9"])


def test_the_content_of_other_examples_implies_no_world() -> None:
    data = Dataset.of("x", [Example("1", "a", "b")], world_is_implied=True)
    assert not data.restricted(["1"]).world_is_implied
