from __future__ import annotations

import pytest

from recombine.errors import DerivationError
from recombine.records.derivation import Derivation, rule_kind

JUMP_TWICE = Derivation.tree(("single", [("twice", [("plain", [("jump", [])])])]))


def test_rows_read_back() -> None:
    assert JUMP_TWICE.to_rows() == [["single"], ["twice", 0, 1], ["plain", 1, 1], ["jump", 2, 1]]
    assert Derivation.from_rows(JUMP_TWICE.to_rows()) == JUMP_TWICE


def test_a_node_may_have_two_parents() -> None:
    rows = [["a"], ["b"], ["c", 0, 1, 1, 2]]
    assert Derivation.from_rows(rows).edges == ((0, 2, 1), (1, 2, 2))
    assert Derivation.from_rows(rows).to_rows() == rows


@pytest.mark.parametrize(
    "rows",
    [
        "text",
        [["a", 0]],
        [[1]],
        [["a"], ["b", 1, 1]],
        [["a"], ["b", -1, 1]],
        [["a"], ["b", 0, "1"]],
        [["a"], ["b", 0, -1]],
    ],
)
def test_malformed_rows_are_refused(rows: object) -> None:
    with pytest.raises(DerivationError, match="derivation"):
        Derivation.from_rows(rows)


def test_restriction_to_one_kind() -> None:
    both = Derivation.from_rows([["twice"], ["jump", 0, 1], ["[[V twice]]", 0, 0], ["[[jump]]", 1, 0, 2, 1]])
    assert both.restricted("grammar") == Derivation(("twice", "jump"), ((0, 1, 1),))
    assert both.restricted("interpretation") == Derivation(("[[V twice]]", "[[jump]]"), ((0, 1, 1),))
    assert rule_kind("twice") == "grammar"
