"""Ids cover source, target and identity; contexts are frozen JSON values."""

from __future__ import annotations

import pickle

import pytest

from recombine.records.example import (
    Example,
    FrozenMapping,
    content_id,
    frozen_context,
    identity_text,
    iter_ids,
    thawed,
)


def test_ids_of_today_do_not_change() -> None:
    assert content_id("jump twice", "I_JUMP I_JUMP") == "282937544d9daafb"
    assert list(iter_ids([("a", "b"), ("a", "b")])) == [content_id("a", "b"), content_id("a", "b") + "#2"]


def test_identity_is_part_of_an_id() -> None:
    pairs = [("how many", "count")] * 4
    scenes = [identity_text({"scene": scene, "other": scene}, ["scene"]) for scene in (1, 2, 1, "1")]
    one, two, again, text = iter_ids(pairs, scenes)
    assert len({one, two, text}) == 3
    assert again == f"{one}#2"
    assert content_id("how many", "count") not in (one, two, text)


def test_identity_does_not_depend_on_the_order_of_fields() -> None:
    assert identity_text({"a": 1, "b": {"y": 1, "x": 2}}, ["b", "a"]) == identity_text(
        {"b": {"x": 2, "y": 1}, "a": 1}, ["a", "b"]
    )


def test_texts_do_not_run_into_identities() -> None:
    assert content_id("a", "b", identity='{"c":1}') != content_id("a", 'b{"c":1}')


def test_examples_travel_to_other_processes() -> None:
    example = Example("1", "a", "b", context=frozen_context({"scene": [1, {"x": None}]}))
    back = pickle.loads(pickle.dumps(example))  # noqa: S301  # made here
    assert back == example
    assert isinstance(back.context, FrozenMapping)
    assert thawed(back.query.context) == {"scene": [1, {"x": None}]}
    assert pickle.loads(pickle.dumps(Example.of("a", "b"))) == Example.of("a", "b")  # noqa: S301


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({1, 2}, "the field 'f' is not a JSON value"),
        ([1, b"x"], "the field 'f' is not a JSON value"),
        ({1: "x"}, "the field 'f' is not a JSON value"),
        (2**70, "the field 'f' is not a JSON value"),
        ([float("nan")], "the field 'f' holds a number that JSON does not have"),
        (float("inf"), "the field 'f' holds a number that JSON does not have"),
    ],
)
def test_what_json_cannot_hold_is_no_context(value: object, problem: str) -> None:
    with pytest.raises(TypeError, match=problem):
        frozen_context({"f": value})


def test_a_context_cannot_be_changed() -> None:
    given = {"scenes": [1, 2], "of": {"a": 1}}
    context = frozen_context(given)
    given["scenes"] = []
    assert context["scenes"] == (1, 2)
    with pytest.raises(TypeError):
        context["of"]["a"] = 2
