"""Matchings of clauses, by hand and against all matchings there are."""

from __future__ import annotations

from itertools import combinations, permutations

from hypothesis import given
from hypothesis import strategies as st

from recombine.evaluation.errors.match_clauses import (
    COSTS,
    ClauseErrors,
    Triple,
    filter_cost,
    match_clauses,
    triple_cost,
)

EDITS: Triple = ("?x0", "edits", "M0")
ACTOR: Triple = ("?x0", "a", "film.actor")

LEFT_OVER = 9
"""The cost of a deletion or an insertion, in the comment beside `COSTS`."""


def test_the_order_of_costs() -> None:
    (equal, one_node, both_nodes), (only_property, property_and_node, everything) = COSTS
    ordered = [equal, only_property, one_node, both_nodes, property_and_node, everything, 2 * LEFT_OVER]
    assert ordered == sorted(set(ordered))


def test_kinds() -> None:
    cases = {
        ("?x0", "directs", "M0"): ClauseErrors(property=1),
        ("?x0", "edits", "M1"): ClauseErrors(node=1),
        ("?x1", "edits", "M0"): ClauseErrors(node=1),
        ("M0", "edits", "?x0"): ClauseErrors(node=1),  # both nodes
        ("?x0", "directs", "M1"): ClauseErrors(both=1),
        ("M2", "directs", "M1"): ClauseErrors(both=1, unlike=1),
    }
    for given_clause, expected in cases.items():
        assert match_clauses([EDITS, ACTOR], [ACTOR, given_clause]) == expected
    assert match_clauses([EDITS, ACTOR], [ACTOR]) == ClauseErrors(deleted=1)
    assert match_clauses([ACTOR], [EDITS, ACTOR]) == ClauseErrors(inserted=1)
    assert match_clauses([], [EDITS]) == ClauseErrors(inserted=1)


def test_clauses_are_multisets() -> None:
    assert match_clauses([EDITS, EDITS, ACTOR], [ACTOR, EDITS]) == ClauseErrors(deleted=1)
    assert match_clauses([ACTOR], [ACTOR, ACTOR]) == ClauseErrors(inserted=1)


def test_the_cheapest_pairs_are_taken() -> None:
    # Taken in order, the first pair would share nothing and the second only a subject.
    gold: list[Triple] = [EDITS, ("?x1", "produces", "M1")]
    output: list[Triple] = [("?x1", "directs", "M1"), ("?x0", "edits", "M5")]
    assert match_clauses(gold, output) == ClauseErrors(property=1, node=1)
    # The longer side keeps what fits worst.
    assert match_clauses([EDITS], [("?x5", "writes", "M7"), ("?x0", "edits", "M1")]) == ClauseErrors(inserted=1, node=1)


def test_filters_are_matched_with_filters() -> None:
    found = match_clauses([EDITS], [], [("?x0", "M1"), ("?x0", "?x1")], [("?x0", "M2"), ("?x0", "?x1"), ("?x2", "?x3")])
    assert found == ClauseErrors(deleted=1, filter_substituted=1, filter_inserted=1)
    assert match_clauses([], [], [("?x0", "M1")], []) == ClauseErrors(filter_deleted=1)
    assert [filter_cost(("a", "b"), other) for other in (("b", "a"), ("b", "c"), ("c", "d"))] == [0, 1, 2]


TRIPLES = st.lists(st.tuples(*[st.sampled_from("ab")] * 3), max_size=4)


def cost(found: ClauseErrors, gold: list[Triple], output: list[Triple]) -> bool:
    """Whether the numbers are those of one of the cheapest of all matchings, deletions and insertions included."""
    best: dict[int, set[ClauseErrors]] = {}
    for size in range(min(len(gold), len(output)) + 1):
        for rows in combinations(range(len(gold)), size):
            for columns in permutations(range(len(output)), size):
                pairs = [(gold[row], output[column]) for row, column in zip(rows, columns, strict=True)]
                left = len(gold) + len(output) - 2 * size
                price = sum(triple_cost(*pair) for pair in pairs) + LEFT_OVER * left
                best.setdefault(price, set()).add(_counted(pairs, len(gold) - size, len(output) - size))
    return found in best[min(best)]


def _counted(pairs: list[tuple[Triple, Triple]], deleted: int, inserted: int) -> ClauseErrors:
    wrong = [(one[1] != other[1], (one[0] != other[0]) + (one[2] != other[2])) for one, other in pairs]
    return ClauseErrors(
        inserted,
        deleted,
        property=sum(p and not n for p, n in wrong),
        node=sum(n > 0 and not p for p, n in wrong),
        both=sum(p and n > 0 for p, n in wrong),
        unlike=sum(p and n == 2 for p, n in wrong),
    )


@given(TRIPLES, TRIPLES)
def test_no_matching_is_cheaper(gold: list[Triple], output: list[Triple]) -> None:
    assert cost(match_clauses(gold, output), gold, output)


@given(TRIPLES, TRIPLES)
def test_order_does_not_count_and_sides_mirror(gold: list[Triple], output: list[Triple]) -> None:
    found = match_clauses(gold, output)
    assert match_clauses(gold[::-1], output[::-1]) == found
    assert match_clauses(gold, gold) == ClauseErrors()
    assert len(gold) - found.deleted == len(output) - found.inserted
