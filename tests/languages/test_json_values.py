from __future__ import annotations

import json
import random
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_programs import drawing, fuzzed, read_or_refusal, shuffled, some_call, some_value, spellings

from recombine.errors import ProgramError
from recombine.languages.json_values import JSON, anonymise_json, parse_json, render_json
from recombine.tree import Tree

SIGNS = '{}[]:,"\\ \n0-e.\ud800\x00aN'
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4) | st.just("name"), inner, max_size=3)
    ),
    max_leaves=12,
)


def labels(text: str) -> list[str]:
    return [node.label for node in parse_json(text).iter_nodes()]


def exact(text: str) -> Any:
    return json.loads(text, parse_int=Decimal, parse_float=Decimal)


def check_laws(value: Any, draw: random.Random) -> None:
    tree = parse_json(json.dumps(value))
    assert parse_json(json.dumps(shuffled(value, draw), ensure_ascii=False, indent=1)) == tree
    assert parse_json(render_json(tree)) == tree
    assert JSON.normalise(JSON.normalise(tree)) == JSON.normalise(tree)
    template = anonymise_json(tree)
    assert parse_json(render_json(template)) == template


def test_a_thousand_made_values_read_back_in_any_order_of_keys() -> None:
    draw = drawing(1)
    for number in range(1_000):
        check_laws(some_call(draw) if number % 2 else some_value(draw), draw)


@settings(deadline=None, max_examples=200)
@given(VALUES)
def test_any_value_reads_back(value: Any) -> None:
    check_laws(value, drawing(0))


@settings(deadline=None, max_examples=200)
@given(VALUES)
def test_what_is_written_is_the_same_value_but_for_calls(value: Any) -> None:
    """Against the standard library, on values in which no object is a call."""
    tree = parse_json(json.dumps(value))
    if not any(node.label.endswith("()") for node in tree.iter_nodes()) and "tool_calls" not in json.dumps(value):
        assert exact(render_json(tree)) == exact(json.dumps(value))


@pytest.mark.parametrize("seed", range(20))
def test_a_call_has_one_tree_in_all_spellings(seed: int) -> None:
    call = some_call(drawing(seed))
    wanted = parse_json(json.dumps(call))
    for spelling in spellings(call["name"], call["arguments"]):
        assert parse_json(json.dumps(spelling)) == wanted, spelling
        message = {"role": "assistant", "content": None, "tool_calls": [spelling]}
        assert parse_json(json.dumps(message)) == Tree("[]", (wanted,))


def test_paths_are_places_in_the_tree() -> None:
    text = '{"name": "book", "arguments": {"to": {"city": "Rome"}, "legs": [{"day": 1}], "a.b": null}}'
    assert labels(text) == [
        "book()",
        'arguments."a.b"',
        "null",
        "arguments.legs",
        "[]",
        "{}",
        "arguments.legs[].day",
        "1",
        "arguments.to",
        "{}",
        "arguments.to.city",
        '"Rome"',
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "f"}',
        '{"name": "f", "arguments": null}',
        '{"name": "f", "arguments": "Rome"}',
        '{"name": 3, "arguments": {}}',
        '{"name": "f", "arguments": {}, "size": 2}',
        '{"name": "f", "arguments": {}, "type": "river"}',
        '{"tool_calls": [{"name": "f", "arguments": {}}], "content": "well"}',
        '{"tool_calls": [5]}',
        '{"function": "f"}',
    ],
)
def test_other_objects_are_no_calls(text: str) -> None:
    tree = parse_json(text)
    assert tree.label == "{}"
    assert json.loads(render_json(tree)) == json.loads(text)


@pytest.mark.parametrize(
    ("forms", "one"),
    [
        (["1", "1.0", "10e-1", "0.1E1", "1.000"], "1"),
        (["0", "-0", "0.0", "0e5", "-0.00e-3"], "0"),
        (["-2.50", "-25e-1"], "-2.5"),
        (["0.00125", "1.25e-3"], "0.00125"),
        (["100000000000000000001"], "100000000000000000001"),
        (["1e30", "1000000000000000000000000000000"], "1e30"),
        (["1e-30"], "1e-30"),
        (["123e-40"], "123e-40"),
    ],
)
def test_a_number_has_one_form(forms: list[str], one: str) -> None:
    assert {parse_json(form).label for form in forms} == {one}


@pytest.mark.parametrize("text", ["5", "null", "true", '"Rome"', "[]", "{}"])
def test_a_value_alone_has_a_tree(text: str) -> None:
    assert parse_json(f" {text}\n") == Tree(text)


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "an empty program"),
        (" \n", 1, "an empty program"),
        ("\ufeff{}", 1, "a byte order mark"),
        ('{"a": NaN}', 7, "NaN is no JSON value"),
        ("[-Infinity]", 2, "-Infinity is no JSON value"),
        ('{"a": 1, "b": 2, "a": 1}', 18, 'the key "a" stands twice'),
        ('{"name": "f", "arguments": "{\\"a\\": 1, \\"a\\": 2}"}', 28, "the text of the arguments, column 10: the key"),
        ("{'a': 1}", 2, "a key is missing"),
        ("['a']", 2, "' is Python's"),
        ("[None]", 2, "None is Python's"),
        ("[1, 2", 1, "a bracket that is not closed"),
        ("[1,", 4, "a value is missing"),
        ("[1, ]", 4, "a comma with nothing after it"),
        ('{"a": 1]', 8, "']' after a value"),
        ('{"a" 1}', 6, 'no colon after the key "a"'),
        ("1 2", 3, "'2' after the end of the value"),
        ('["a', 2, "a string that does not end"),
        ('["a\tb"]', 4, "a control character"),
        ('["a\\x"]', 4, "a backslash"),
        ("01", 1, "'01' is no JSON value"),
        ("+1", 1, "'+1' is no JSON value"),
        (".5", 1, "'.5' is no JSON value"),
        ("1e9999999", 1, "a number with the exponent"),
        ("rome", 1, "'rome' is no JSON value"),
    ],
)
def test_what_is_no_json_is_refused_with_its_column(text: str, column: int, problem: str) -> None:
    with pytest.raises(ProgramError, match=f"^JSON program, column {column}: ") as raised:
        parse_json(text)
    assert problem in str(raised.value)
    assert raised.value.remedy


def check_fuzzed(texts: int, seed: int) -> None:
    draw, trees = drawing(seed), 0
    for _ in range(texts):
        text = fuzzed(json.dumps(some_call(draw), ensure_ascii=bool(draw.randrange(2))), draw, SIGNS)
        found = read_or_refusal(JSON, text)
        if isinstance(found, Tree):
            trees += 1
            refuse_what_we_do(text)
        elif "exponent" not in str(found):
            with pytest.raises(json.JSONDecodeError):
                refuse_what_we_do(text)
    assert 0.05 * texts < trees < 0.95 * texts


def refuse_what_we_do(text: str) -> None:
    """Reads by the standard library, and raises its error for what we refuse on top of it."""

    def refuse(what: object) -> None:
        raise json.JSONDecodeError(str(what), text, 0)

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(dict(pairs)) < len(pairs):
            refuse("twice")
        found = dict(pairs)
        arguments = next((found[key] for key in ("arguments",) if isinstance(found.get(key), str)), "")
        if len(found) == 2 and isinstance(found.get("name"), str) and str(arguments).strip().startswith("{"):
            json.loads(str(arguments), object_pairs_hook=unique, parse_constant=refuse)
        return found

    json.loads(text, object_pairs_hook=unique, parse_constant=refuse)


def test_fuzzed_texts_are_read_as_the_standard_library_reads_them_or_refused() -> None:
    check_fuzzed(5_000, seed=2)


def test_many_brackets_are_one_error() -> None:
    for text in ("[" * 100_000, '{"a":' * 100_000, '{"name": "f", "arguments": {"a": ' * 50_000):
        with pytest.raises(ProgramError, match="more than 100 levels"):
            parse_json(text)


def test_halves_of_characters_are_kept_apart_from_whole_ones() -> None:
    assert parse_json('"\\ud83d\\ude00"') == parse_json('"\U0001f600"') == parse_json('"\ud83d\\ude00"')
    half = parse_json('"\\ud83d"')
    assert half.label == '"\\ud83d"'
    assert parse_json(render_json(half)) == half
