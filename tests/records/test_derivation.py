from __future__ import annotations

import pytest

from recombine.errors import DerivationError
from recombine.records.derivation import MAX_DERIVATION_DEPTH, Derivation, rule_kind

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


def test_derivations_are_read_down_to_a_limit() -> None:
    def chain(levels: int) -> list[list[str | int]]:
        return [["r"], *(["r", parent, 1] for parent in range(levels - 1))]

    assert len(Derivation.from_rows(chain(MAX_DERIVATION_DEPTH)).rules) == MAX_DERIVATION_DEPTH
    for levels in (MAX_DERIVATION_DEPTH + 1, 100_000):
        with pytest.raises(DerivationError, match=f"row {MAX_DERIVATION_DEPTH} of the derivation is more"):
            Derivation.from_rows(chain(levels))


def test_nested_pairs_may_be_deeper_than_python_calls() -> None:
    nested: tuple[str, list[object]] = ("leaf", [])
    for _ in range(5_000):
        nested = ("r", [nested, ("s", [])])
    made = Derivation.tree(nested)
    assert (len(made.rules), made.edges[:2], made.edges[-1]) == (10_001, ((0, 1, 1), (1, 2, 1)), (0, 10_000, 2))
