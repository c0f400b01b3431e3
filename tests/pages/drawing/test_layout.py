"""Where nodes stand: deep graphs are laid out, and wide ones as by hand."""

from __future__ import annotations

from recombine.pages.drawing.graph import Graph
from recombine.pages.drawing.layout import GAP, layout, node_width


def test_a_chain_may_be_deeper_than_python_calls() -> None:
    chain = Graph(("r",) * 5_000, tuple((node, node + 1, 1) for node in range(4_999)))
    found = layout(chain)
    assert found.layers == tuple(range(5_000))
    assert set(found.centres) == {round(node_width("r") / 2)}


def test_a_parent_stands_over_the_middle_of_its_children() -> None:
    """Two roots: `and` over `a` and `b`, and `c` alone at the right; all nodes of one letter are as wide as another."""
    wide, narrow = node_width("and"), node_width("a")
    found = layout(Graph(("and", "a", "b", "c"), ((0, 1, 1), (0, 2, 2))))
    under = 2 * narrow + GAP
    assert under > wide
    assert found.centres == tuple(
        round(x) for x in (under / 2, narrow / 2, narrow + GAP + narrow / 2, under + GAP + narrow / 2)
    )
    assert found.layers == (0, 1, 1, 0)
    assert found.width == round(under + GAP + narrow)
