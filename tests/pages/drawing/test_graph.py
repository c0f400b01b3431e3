"""Names of compounds are read back as the graphs they name."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.pages.drawing.graph import Graph, NameReader
from recombine.structures.graphs.canonical import canonical_text

RULES = ("a", "ab", "a b", "[[V twice]]", "[[<S:1> and <S:2>]]", "x, 1:y", "f(1:", "b; c", "{z")


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Connected graphs of up to six nodes: every node but the first hangs under an earlier one."""
    size = draw(st.integers(1, 6))
    rules = draw(st.lists(st.sampled_from(RULES), min_size=size, max_size=size))
    edges = set()
    for child in range(1, size):
        parents = draw(st.sets(st.integers(0, child - 1), min_size=1, max_size=3))
        edges |= {(parent, child, draw(st.integers(0, 2))) for parent in parents}
    return Graph(tuple(rules), tuple(sorted(edges)))


@settings(deadline=None)
@given(graphs())
def test_what_a_name_is_read_as_has_that_name(graph: Graph) -> None:
    read = NameReader(RULES).read(graph.name)
    assert read is not None
    assert canonical_text(read.rules, read.edges) == graph.name
    assert sorted(read.rules) == sorted(graph.rules)


@settings(deadline=None)
@given(graphs(), st.data())
def test_a_graph_contains_its_parts(graph: Graph, data: st.DataObject) -> None:
    parts = [nodes for level in graph.iter_parts() for nodes in level]
    if parts:
        assert graph.contains(graph.part(data.draw(st.sampled_from(parts))))
    assert graph.contains(graph)


def test_a_tree_and_a_graph() -> None:
    reader = NameReader(["and", "once", "plain", "twice", "[[U left]]", "left"])
    tree = reader.read("and(1:once(1:plain), 2:twice)")
    assert tree == Graph(("and", "once", "plain", "twice"), ((0, 1, 1), (1, 2, 1), (0, 3, 2)))
    graph = reader.read("{[[U left]] left twice; 1.0>0 2.1>0}")
    assert graph == Graph(("[[U left]]", "left", "twice"), ((1, 0, 0), (2, 0, 1)))


@pytest.mark.parametrize("name", ["", "walk", "and(1:walk)", "and(1:once", "and(once)", "{and once}", "{and; 0.1>1}"])
def test_other_texts_are_no_graphs(name: str) -> None:
    assert NameReader(["and", "once"]).read(name) is None


def test_slots_and_direction_count() -> None:
    whole = Graph(("and", "walk", "run"), ((0, 1, 1), (0, 2, 2)))
    assert whole.contains(Graph(("run", "and"), ((1, 0, 2),)))
    assert not whole.contains(Graph(("run", "and"), ((1, 0, 1),)))
    assert not whole.contains(Graph(("run", "and"), ((0, 1, 2),)))


def test_parts_are_connected_and_shrink_by_one() -> None:
    # In a chain of three, both pairs of neighbours are connected, the two ends are not.
    levels = list(Graph(("a", "b", "c"), ((0, 1, 1), (1, 2, 1))).iter_parts())
    assert levels == [[{0, 1}, {1, 2}], [{0}, {1}, {2}]]
