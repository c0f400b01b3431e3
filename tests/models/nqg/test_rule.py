"""Rules: what they must be, and their text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import RecombineError
from recombine.models.nqg.rule import QcfgRule, tokens

WORD = st.text(st.characters(exclude_characters=" \n", exclude_categories=["Cs"]), min_size=1, max_size=6)
SPECIAL = st.sampled_from(["###", "NT_1", "NT_2", "\\", "\\NT_1", "a###b", "xNT_1", "a\tb", "#"])


@given(st.lists(WORD | SPECIAL, min_size=1, max_size=4), st.lists(WORD | SPECIAL, min_size=1, max_size=4))
def test_any_tokens_survive_the_text(source: list[str], target: list[str]) -> None:
    rule = QcfgRule.of([1, *source], [*target, 1, 1])
    assert QcfgRule.parse(str(rule)) == rule


def test_tokens_that_look_like_marks_are_escaped() -> None:
    assert str(QcfgRule.of(("NT_1", 1), ("###", 1))) == "\\NT_1 NT_1 ### \\### NT_1"


def test_slots_are_numbered_in_the_order_of_the_source() -> None:
    assert QcfgRule.parse("NT_2 after NT_1 ### NT_1 NT_2") == QcfgRule.parse("NT_1 after NT_2 ### NT_2 NT_1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a", "0 marks"),
        ("a ### b ### c", "2 marks"),
        ("### b", "a side is empty"),
        ("a ###", "a side is empty"),
        ("NT_1 ### NT_1", "a lone slot"),
        ("a NT_1 ### b", "different slots"),
        ("a ### NT_1", "different slots"),
        ("NT_1 a NT_1 ### NT_1", "a slot twice"),
    ],
)
def test_what_is_no_rule(text: str, message: str) -> None:
    with pytest.raises(RecombineError, match=message):
        QcfgRule.parse(text)


def test_three_slots_are_refused() -> None:
    with pytest.raises(RecombineError, match="more than two"):
        QcfgRule.of((1, 2, 3), (1, 2, 3))


def test_applying_a_rule_repeats_what_is_repeated() -> None:
    rule = QcfgRule.parse("NT_1 around NT_2 ### NT_2 NT_1 NT_2 NT_1")
    assert rule.apply(("WALK",), ("LEFT", "X")) == ("LEFT", "X", "WALK", "LEFT", "X", "WALK")
    assert rule.arity == 2


def test_tokens_stand_between_blanks() -> None:
    assert tokens("  a  b\tc ") == ("a", "b\tc")
