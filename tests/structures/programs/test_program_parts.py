"""Parts of programs against a plain recursive count."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import recombine
from listed_programs import paths, subtrees
from recombine.structures.programs.program_graphs import program_graph
from recombine.structures.programs.program_tokens import program_tokens
from recombine.tree import Tree

TREES = st.recursive(
    st.sampled_from("abc").map(Tree),
    lambda inner: st.builds(Tree, st.sampled_from("fgh"), st.lists(inner, min_size=1, max_size=3).map(tuple)),
    max_leaves=12,
)


def cut(tree: Tree, depth: int) -> str:
    """The text of a tree down to a depth."""
    if depth == 0 or not tree.children:
        return tree.label
    inner = ", ".join(f"{place}:{cut(child, depth - 1)}" for place, child in enumerate(tree.children, start=1))
    return f"{tree.label}({inner})"


def chains(tree: Tree, edges: int) -> list[str]:
    """The texts of the downward paths of so many edges from the root."""
    if edges == 0:
        return [tree.label]
    return [
        f"{tree.label}({place}:{path})"
        for place, child in enumerate(tree.children, start=1)
        for path in chains(child, edges - 1)
    ]


@given(TREES, st.integers(1, 2), st.integers(0, 2))
def test_parts_are_what_a_plain_count_gives(tree: Tree, low: int, more: int) -> None:
    graph = program_graph(tree)
    nodes = list(tree.iter_nodes())
    sizes = range(low, low + more + 1)
    assert Counter(paths(graph, low, low + more)) == Counter(
        path for node in nodes for edges in sizes for path in chains(node, edges)
    )
    assert Counter(subtrees(graph, low, low + more)) == Counter(
        cut(node, depth) for node in nodes for depth in sizes if node.depth() >= depth + 1
    )


def test_by_hand() -> None:
    data = recombine.load([("q", "f ( g ( x , y ) , x )"), ("r", "f ( x )")], language="funql")
    found = recombine.features(data, "symbols:arity;path:1-2,counts")
    assert found.atoms.row(0) == {"f/2": 1, "g/2": 1, "x/0": 1, "y/0": 1}
    assert set(found.compounds.row(0)) == {"f(1:g)", "f(2:x)", "f(1:g(1:x))", "f(1:g(2:y))", "g(1:x)", "g(2:y)"}
    sub = recombine.features(data, "tmcd:uls").compounds.row(0)
    assert set(sub) == {"f(1:g, 2:x)", "f(1:g(1:x, 2:y), 2:x)", "g(1:x, 2:y)"}


def test_tokens_are_atoms_whatever_the_tree() -> None:
    data = recombine.load([("q", "select count(*) from dogs where name = 'a b'")], language="sql")
    assert set(recombine.features(data, "tmcd:spider").atoms.row(0)) == {
        "select", "count", "(", "*", ")", "from", "dogs", "where", "name", "=", "'a b'",
    }  # fmt: skip
    assert program_tokens('x<=3 and y != "it is"') == ["x", "<=", "3", "and", "y", "!=", '"it is"']


def test_the_exponent_belongs_to_the_definition() -> None:
    pairs = [("a", "f ( x )"), ("b", "f ( y )"), ("c", "f ( x )"), ("d", "f ( y )"), ("e", "f ( x )")]
    data = recombine.load(pairs, language="funql")
    split = recombine.split(data, by="random", test=2, seed=3, structures="symbols;path:1-1,counts,alpha=0.5")
    assert "alpha:atoms=0.5,compounds=0.5" in split.measured["signature"]
    given = recombine.measure(data, split, structures="symbols;path:1-1,counts", compound_alpha=0.5)
    assert given["compound_divergence"] == pytest.approx(split.measured["compound_divergence"])
