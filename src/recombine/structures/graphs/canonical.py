"""One form for each sub-graph, however its nodes are numbered.

A sub-graph is labels by node and edges `(parent, child, slot)`. A rooted tree is written with its children in the
order of their slots, which settles its form. Any other shape goes through colour refinement, and where nodes still
look alike, each is tried in turn and the least result taken: exact, and quick at these sizes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Edge = tuple[int, int, int]


def canonical_text(labels: Sequence[str], edges: Sequence[Edge]) -> str:
    """The canonical form as text, equal for two sub-graphs just when they are isomorphic.

    >>> canonical_text(["jump", "twice"], [(1, 0, 1)])
    'twice(1:jump)'
    >>> canonical_text(["a", "b", "c"], [(0, 2, 1), (1, 2, 1)])
    '{a b c; 0.1>2 1.1>2}'
    """
    parents = [0] * len(labels)
    for _, child, _ in edges:
        parents[child] += 1
    if len(edges) == len(labels) - 1 and max(parents) <= 1:
        children: list[list[tuple[int, int]]] = [[] for _ in labels]
        for parent, child, slot in edges:
            children[parent].append((slot, child))
        return _tree(parents.index(0), labels, children)
    order = min(_orders(labels, edges), key=lambda rank: _graph_key(rank, labels, edges))
    names, arcs = _graph_key(order, labels, edges)
    return "{" + " ".join(names) + "; " + " ".join(f"{p}.{slot}>{c}" for p, c, slot in arcs) + "}"


def _tree(node: int, labels: Sequence[str], children: Sequence[list[tuple[int, int]]]) -> str:
    if not children[node]:
        return labels[node]
    inner = sorted((slot, _tree(child, labels, children)) for slot, child in children[node])
    return f"{labels[node]}({', '.join(f'{slot}:{text}' for slot, text in inner)})"


def _graph_key(rank: Sequence[int], labels: Sequence[str], edges: Sequence[Edge]) -> tuple[list[str], list[Edge]]:
    names = [""] * len(labels)
    for node, place in enumerate(rank):
        names[place] = labels[node]
    return names, sorted((rank[p], rank[c], slot) for p, c, slot in edges)


def _orders(labels: Sequence[str], edges: Sequence[Edge]) -> list[list[int]]:
    """Numberings that depend only on the shape: one, or several where nodes look alike."""
    ranked = sorted(set(labels))
    return _refine([ranked.index(label) for label in labels], edges)


def _refine(colours: list[int], edges: Sequence[Edge]) -> list[list[int]]:
    colours = _stable(colours, edges)
    groups: dict[int, list[int]] = {}
    for node, colour in enumerate(colours):
        groups.setdefault(colour, []).append(node)
    tied = [colour for colour, nodes in sorted(groups.items()) if len(nodes) > 1]
    if not tied:
        return [colours]
    colourings = []
    for node in groups[tied[0]]:
        # One node of the tied colour goes first; doubling makes room below the others.
        split = [2 * colour + 1 for colour in colours]
        split[node] -= 1
        colourings += _refine(split, edges)
    return colourings


def _stable(colours: list[int], edges: Sequence[Edge]) -> list[int]:
    while True:
        views: list[list[tuple[int, int, int]]] = [[] for _ in colours]
        for parent, child, slot in edges:
            views[parent].append((0, slot, colours[child]))
            views[child].append((1, slot, colours[parent]))
        keys = [(colour, sorted(view)) for colour, view in zip(colours, views, strict=True)]
        ranked: list[tuple[int, list[tuple[int, int, int]]]] = []
        for key in sorted(keys):
            if not ranked or ranked[-1] != key:
                ranked.append(key)
        new = [ranked.index(key) for key in keys]
        if len(set(new)) == len(set(colours)):
            return new
        colours = new
