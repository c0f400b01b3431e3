"""Rule trees and derivations, worked out by hand on small trees."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.datasets.release.rule_trees import MAX_TREE_DEPTH, RuleTreeReader, RuleTreeWriter, spanning_tree
from recombine.errors import DerivationError
from recombine.records.derivation import Derivation


def node(text: str, *below: dict[str, Any], key: str = "subTrees") -> dict[str, Any]:
    rule = {"ruleId": {"type": "GRAMMAR_RULE", "stringValue": text}}
    return {**rule, key: list(below)} if below else rule


def test_a_tree_is_read_in_preorder() -> None:
    tree = node("S=YNQ", node("YNQ=DID", node("DP=ENTITY"), node("VP=V", node("V=EDIT"))), node("END"))
    derivation = RuleTreeReader().read(tree)
    assert derivation.rules == ("S=YNQ", "YNQ=DID", "DP=ENTITY", "VP=V", "V=EDIT", "END")
    assert derivation.edges == ((0, 1, 1), (1, 2, 1), (1, 3, 2), (3, 4, 1), (0, 5, 2))


def test_the_names_of_the_paper_are_read_too() -> None:
    tree = node("S", node("A", node("B", key="subTree"), key="subTree"), key="subTree")
    assert RuleTreeReader().read(tree) == Derivation.tree(("S", [("A", [("B", [])])]))
    assert RuleTreeReader().read({**node("S"), "subTrees": []}) == Derivation.tree(("S", []))
    assert RuleTreeReader().read({**node("S"), "subTrees": None}) == Derivation.tree(("S", []))


def test_any_rule_can_be_the_head() -> None:
    for rule_type, text, name in (
        ("SPARQL_GENERATION", "CONCEPT_TO_SPARQL", "resolution:CONCEPT_TO_SPARQL"),
        ("JOIN", "JOIN_BY_LOGICAL_FORM", "type:JOIN:JOIN_BY_LOGICAL_FORM"),
        ("GRAMMAR_RULE", "S=YNQ", "S=YNQ"),
    ):
        tree = {"ruleId": {"type": rule_type, "stringValue": text}, "subTrees": [node("A")]}
        derivation = RuleTreeReader().read(tree)
        assert derivation.rules == (name, "A")
        written, whole = RuleTreeWriter().write(derivation)
        assert written is not None
        assert (orjson.loads(written), whole) == (tree, True)


def test_further_fields_of_nodes_are_counted() -> None:
    reader = RuleTreeReader()
    reader.read({**node("S", {**node("A"), "weight": 1}), "weight": 2})
    reader.read(node("S", node("A")))
    assert reader.left_out == {"weight": 2}


def test_edges_of_equal_places_are_held_once() -> None:
    reader = RuleTreeReader()
    one, other = (reader.read(node("S", node(text), node(text))) for text in "AB")
    assert one.edges[1] is other.edges[1]


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ([], "has no ruleId"),
        ("S", "has no ruleId"),
        ({"subTrees": []}, "has no ruleId"),
        (node("S") | {"subTrees": "A"}, "are not a list"),
        (node("S") | {"subTrees": {"ruleId": 1}}, "are not a list"),
        (node("S") | {"subTrees": [1]}, "has no ruleId"),
        ({"ruleId": "S"}, "a rule id is not a JSON object"),
        (node("S") | {"subTrees": [node("A")], "subTree": [node("B")]}, "has both subTrees and subTree"),
    ],
)
def test_what_is_no_tree(tree: object, message: str) -> None:
    with pytest.raises(DerivationError, match=message):
        RuleTreeReader().read(tree)


@st.composite
def graphs(draw: st.DrawFn) -> Derivation:
    """Graphs of rule applications, trees among them: every node but the first depends on some before it, or on none."""
    size = draw(st.integers(1, 7))
    edges = []
    for child in range(1, size):
        parents = draw(st.lists(st.integers(0, child - 1), max_size=2, unique=True))
        edges += [(parent, child, draw(st.integers(1, 3))) for parent in sorted(parents)]
    rules = draw(st.lists(st.sampled_from(["a", "b", "[[c]]", "knowledge:d"]), min_size=size, max_size=size))
    return Derivation(tuple(rules), tuple(edges))


@given(graphs())
def test_what_is_written_says_everything_or_says_that_it_does_not(derivation: Derivation) -> None:
    written, whole = RuleTreeWriter().write(derivation)
    roots = len(derivation.rules) - len({child for _, child, _ in derivation.edges})
    assert (written is None) == (roots > 1)
    if written is None:
        assert (whole, spanning_tree(derivation)) == (False, None)
        return
    read = RuleTreeReader().read(orjson.loads(written))
    assert read == spanning_tree(derivation)
    assert sorted(read.rules) == sorted(derivation.rules)
    assert whole == (read == derivation)


def test_a_graph_becomes_the_tree_of_first_parents() -> None:
    # c depends on a and b, and stands below a, which comes first; by slot it is the first there.
    graph = Derivation(("a", "b", "c"), ((0, 1, 2), (0, 2, 1), (1, 2, 1)))
    written, whole = RuleTreeWriter().write(graph)
    assert written is not None
    assert orjson.loads(written) == node("a", node("c"), node("b"))
    assert not whole


def test_trees_as_deep_as_can_be_read_are_written() -> None:
    def chain(depth: int) -> Derivation:
        return Derivation(("a",) * depth, tuple((n, n + 1, 1) for n in range(depth - 1)))

    written, whole = RuleTreeWriter().write(chain(MAX_TREE_DEPTH))
    assert written is not None
    assert whole
    assert RuleTreeReader().read(orjson.loads(b'{"ruleTree":' + written + b"}")["ruleTree"]) == chain(MAX_TREE_DEPTH)
    assert RuleTreeWriter().write(chain(MAX_TREE_DEPTH + 1)) == (None, False)
