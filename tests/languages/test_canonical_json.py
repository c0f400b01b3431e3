"""The one text of a JSON value."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.languages.canonical_json import canonical_json
from recombine.languages.json_values import parse_json

NUMBERS = st.integers(-(2**63), 2**63) | st.floats(allow_nan=False, allow_infinity=False)
VALUES: Any = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab.é", max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_the_text_is_the_value_and_stays_what_it_is(value: Any) -> None:
    text = canonical_json(value)
    assert json.loads(text, parse_int=float) == json.loads(json.dumps(value), parse_int=float)
    assert canonical_json(json.loads(text)) == text
    assert parse_json(text) == parse_json(json.dumps(value))


def test_forms() -> None:
    assert canonical_json({"b": [1.0, -2.50, 1e30, 10**25, 1e-7], "a": "é\n\ud800"}) == (
        '{"a":"é\\n\\ud800","b":[1,-2.5,1e30,1e25,0.0000001]}'
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1: 2}, b"x", {"a": {1}}])
def test_what_json_has_not_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"no JSON value|not text"):
        canonical_json(value)
