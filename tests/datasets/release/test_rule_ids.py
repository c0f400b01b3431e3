"""Rules by type and text, and by name: each gives the other back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.datasets.release.rule_ids import KINDS, read_rule_id, rule_id, rule_name, to_rule_id
from recombine.errors import DerivationError

types = st.sampled_from(["GRAMMAR_RULE", "INTERPRETATION", "SAMPLING", "", *KINDS, *KINDS.values()])
texts = st.text(max_size=4) | st.sampled_from(
    ["[[x]]", "knowledge:x", "type:KNOWLEDGE:x", "type:GRAMMAR_RULE:x", "type:", "knowledge:", "a:b:c"]
)


@given(types, texts)
def test_a_rule_of_a_file_comes_back(rule_type: str, text: str) -> None:
    assert rule_id(rule_name(rule_type, text)) == (rule_type, text)


@given(types, texts, types, texts)
def test_no_two_rules_have_one_name(one: str, text: str, other: str, another: str) -> None:
    assert (rule_name(one, text) == rule_name(other, another)) == ((one, text) == (other, another))


@given(texts)
def test_a_name_comes_back_or_is_refused(name: str) -> None:
    if rule_name(*rule_id(name)) == name:
        assert read_rule_id(to_rule_id(name)) == name
        return
    assert name.startswith("type:")
    with pytest.raises(DerivationError, match="would be read as"):
        to_rule_id(name)


def test_the_types_of_the_paper() -> None:
    # App. A of the CFQ paper.
    assert read_rule_id({"type": "GRAMMAR_RULE", "stringValue": "S=YNQ"}) == "S=YNQ"
    assert read_rule_id({"type": "KNOWLEDGE", "stringValue": "K(RolePair(A, B), 'ns:x')"}) == (
        "knowledge:K(RolePair(A, B), 'ns:x')"
    )
    assert read_rule_id({"type": "SPARQL_GENERATION", "stringValue": "ENTITY_MID"}) == "resolution:ENTITY_MID"


@pytest.mark.parametrize(
    "value", ["S=YNQ", None, {}, {"type": "KNOWLEDGE"}, {"stringValue": "x"}, {"type": 1, "stringValue": "x"}]
)
def test_what_is_no_rule_id(value: object) -> None:
    with pytest.raises(DerivationError, match="a rule id"):
        read_rule_id(value)


def test_a_type_with_a_colon_is_refused() -> None:
    with pytest.raises(DerivationError, match="'A:B', has a colon"):
        rule_name("A:B", "x")
