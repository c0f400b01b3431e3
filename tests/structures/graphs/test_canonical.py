from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.structures.graphs.canonical import canonical_text


@settings(deadline=None)
@given(st.data())
def test_renumbering_changes_nothing(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 6))
    labels = data.draw(st.lists(st.sampled_from("ab"), min_size=size, max_size=size))
    edges = [(p, c, data.draw(st.integers(0, 1))) for c in range(size) for p in range(c) if data.draw(st.booleans())]
    order = data.draw(st.permutations(range(size)))
    moved = [""] * size
    for node, place in enumerate(order):
        moved[place] = labels[node]
    turned = [(order[p], order[c], slot) for p, c, slot in edges]
    assert canonical_text(moved, turned) == canonical_text(labels, edges)


def test_like_nodes_are_told_apart_only_by_shape() -> None:
    # Two parents of one child, and a chain: the same labels, other shapes.
    assert canonical_text("aaa", [(0, 2, 1), (1, 2, 1)]) == "{a a a; 0.1>2 1.1>2}"
    assert canonical_text("aaa", [(0, 1, 1), (1, 2, 1)]) == "a(1:a(1:a))"
    assert canonical_text("aaa", [(0, 2, 1), (1, 2, 2)]) != canonical_text("aaa", [(0, 2, 1), (1, 2, 1)])
