"""Compounds and their weights, by hand and against brute force."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute_force
from recombine.errors import DerivationError
from recombine.records.derivation import Derivation
from recombine.structures.features import Features
from recombine.structures.graphs.compounds import DAG, rule_compounds

JUMP, WALK = ("jump", []), ("walk", [])
JUMP_TWICE = Derivation.tree(("single", [("twice", [("plain", [JUMP])])]))


def extract(sample: list[Derivation], definition: str) -> Features:
    return rule_compounds(sample, DAG.parse(definition))


def test_jump_twice() -> None:
    # A chain of four rules has three pairs, two triples and itself.
    assert extract([JUMP_TWICE], "dag:2-4,counts").row(0) == {
        "plain(1:jump)": 1,
        "single(1:twice)": 1,
        "twice(1:plain)": 1,
        "single(1:twice(1:plain))": 1,
        "twice(1:plain(1:jump))": 1,
        "single(1:twice(1:plain(1:jump)))": 1,
    }


def test_slots_and_counts() -> None:
    # "jump and jump": the slot tells first from second; the pair under `and` is counted in both places.
    both = Derivation.tree(("and", [("once", [JUMP]), ("once", [JUMP])]))
    found = extract([both], "dag:2-3,counts").row(0)
    assert found == {
        "and(1:once)": 1,
        "and(2:once)": 1,
        "once(1:jump)": 2,
        "and(1:once(1:jump))": 1,
        "and(1:once, 2:once)": 1,
        "and(2:once(1:jump))": 1,
    }
    assert extract([both], "dag:2-3,presence").row(0) == dict.fromkeys(found, 1)


def test_rules_of_a_kind() -> None:
    both = Derivation.from_rows([["twice"], ["jump", 0, 1], ["[[V twice]]", 0, 0], ["[[jump]]", 1, 0, 2, 1]])
    assert list(extract([both], "dag:2-2,counts").row(0)) == ["twice(1:jump)"]
    assert list(extract([both], "dag:2-2,counts,rules=interpretation").row(0)) == ["[[V twice]](1:[[jump]])"]
    everything = extract([both], "dag:2-4,counts,rules=all").row(0)
    assert everything["{[[V twice]] [[jump]] jump; 0.1>1 2.0>1}"] == 1
    assert len(everything) == 4 + 4 + 1  # a square of four edges: four pairs, four triples, the whole


def test_an_occurrence_inside_and_one_outside_a_super_graph() -> None:
    # G = twice(jump) occurs once on its own and once inside G' = and(1:twice(jump)): P(G'|G) = 1/2.
    alone = Derivation.tree(("twice", [JUMP]))
    inside = Derivation.tree(("and", [("twice", [JUMP]), WALK]))
    found = extract([alone, inside], "dag:2-3,weighted")
    assert found.row(0) == {"twice(1:jump)": 1.0}
    assert found.row(1)["twice(1:jump)"] == 0.5
    # and(1:twice) lies inside and(1:twice(jump)) and and(1:twice, 2:walk), always: weight 0. At the limit: weight 1.
    assert found.row(1)["and(1:twice)"] == 0.0
    assert found.row(1)["and(1:twice, 2:walk)"] == 1.0


def test_the_most_interesting_occurrence_counts() -> None:
    # The same two occurrences of G in one example: the outer one has weight 1/2, the free one does not exist here.
    example = Derivation.tree(("and", [("twice", [JUMP]), ("not", [("twice", [JUMP])])]))
    found = extract([example], "dag:2-3,weighted").row(0)
    assert found["twice(1:jump)"] == 0.5  # one of two lies under `and`, the other under `not`


def test_an_occurrence_in_two_super_graphs_of_one_kind_counts_once() -> None:
    # A node with two like children in one slot: "r(1:x)" surrounds the one r twice, yet P is 1, not 2.
    example = Derivation.from_rows([["r"], ["x", 0, 1], ["x", 0, 1]])
    other = Derivation.from_rows([["r"]])
    found = extract([example, other], "dag:1-2,weighted")
    assert found.row(0)["r"] == 0.5
    assert found.row(1)["r"] == 1.0


def test_one_node_extensions_do_not_suffice() -> None:
    # In the chain a → b → a, each a lies in a(b) or in b(a), half of them in each, but all lie in a(b(a)): a larger
    # super-graph can be more likely than any smaller one, because it holds G in two places. So all are looked at.
    chain = Derivation.tree(("a", [("b", [("a", [])])]))
    assert extract([chain], "dag:1-3,weighted").row(0)["a"] == 0.0
    assert extract([chain], "dag:1-2,weighted").row(0)["a"] == 0.5


@st.composite
def graphs(draw: st.DrawFn) -> Derivation:
    size = draw(st.integers(1, 6))
    rules = draw(st.lists(st.sampled_from("ab"), min_size=size, max_size=size))
    pairs = [(p, c) for c in range(size) for p in range(c)]
    edges = [
        (p, c, slot)
        for p, c in pairs
        if draw(st.booleans())
        for slot in draw(st.sets(st.integers(0, 2), min_size=1, max_size=2))
    ]
    return Derivation(tuple(rules), tuple(sorted(edges, key=lambda edge: (edge[1], edge[0], edge[2]))))


def same_rows(found: Features, expected: list[dict[Any, float]]) -> None:
    """Rows agree up to one renaming of compounds that holds for all of them."""
    for number, row in enumerate(expected):
        here = found.row(number)
        assert sorted(here.values()) == pytest.approx(sorted(row.values()))
        assert len(here) == len(row)
    # A compound is the same in two examples just when brute force says so: compare columns as vectors over examples.
    columns: dict[str, tuple[float, ...]] = {}
    for name in found.names:
        columns[name] = tuple(round(found.row(n).get(name, -1.0), 9) for n in range(len(expected)))
    keys = sorted({key for row in expected for key in row})
    other = [tuple(round(row.get(key, -1.0), 9) for row in expected) for key in keys]
    assert sorted(columns.values()) == sorted(other)


@settings(max_examples=60, deadline=None)
@given(st.lists(graphs(), min_size=1, max_size=4), st.integers(1, 3), st.integers(0, 3))
def test_counts_agree_with_brute_force(sample: list[Derivation], low: int, more: int) -> None:
    expected = [brute_force.counts(derivation, low, low + more) for derivation in sample]
    same_rows(extract(sample, f"dag:{low}-{low + more},counts"), expected)


@settings(max_examples=60, deadline=None)
@given(st.lists(graphs(), min_size=1, max_size=4), st.integers(1, 2), st.integers(0, 3))
def test_weights_agree_with_brute_force(sample: list[Derivation], low: int, more: int) -> None:
    sample = [*sample, sample[0]]  # a repeated derivation counts twice
    expected = brute_force.weights(sample, low, low + more)
    same_rows(extract(sample, f"dag:{low}-{low + more},weighted"), expected)


def test_too_large_a_derivation_is_refused() -> None:
    wide = Derivation.tree(("r", [("x", [])] * 1030))
    with pytest.raises(DerivationError, match="1031 rule applications"):
        extract([wide], "dag:2-3,counts")
    star = Derivation.tree(("r", [("x", [])] * 40))
    with pytest.raises(DerivationError, match="more than 2,000,000 sub-graphs"):
        extract([star], "dag:2-12,counts")


def test_no_compounds_at_all() -> None:
    found = extract([Derivation.tree(JUMP)], "dag:2-3,weighted")
    assert found.shape == (1, 0)
    assert found.row(0) == {}


def test_the_cut_keeps_the_highest_sums() -> None:
    sample = [
        Derivation.tree(("twice", [JUMP])),
        Derivation.tree(("twice", [JUMP])),
        Derivation.tree(("twice", [WALK])),
    ]
    found = extract(sample, "dag:2-2,counts,top=1")
    assert list(found.names) == ["twice(1:jump)"]
    assert [found.row(n) for n in range(3)] == [{"twice(1:jump)": 1.0}, {"twice(1:jump)": 1.0}, {}]
