"""Parts of a program's tree that can be listed one by one, whatever its size: paths, and sub-trees cut at a depth.

Both are written as compounds are: `select(1:.(2:name))`, a child with its argument position before it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from recombine.structures.compound_definition import CompoundDefinition, compound_notation
from recombine.structures.features import Features
from recombine.structures.kinds import StructureKind
from recombine.structures.programs.program_graphs import program_graphs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recombine.records.derivation import Derivation
    from recombine.structures.read_once import ReadOnce


def paths(tree: Derivation, low: int, high: int) -> list[str]:
    """The downward paths with low to high edges.

    >>> from recombine.records.derivation import Derivation
    >>> paths(Derivation.tree(("largest", [("city", [("loc_2", [])])])), 1, 2)
    ['city(1:loc_2)', 'largest(1:city)', 'largest(1:city(1:loc_2))']
    """
    children = _children(tree)
    texts: list[str] = []
    below: list[list[list[str]]] = [[] for _ in tree.rules]  # by node and number of edges, the paths that start there
    for node in reversed(range(len(tree.rules))):
        below[node] = [[tree.rules[node]]]
        for edges in range(1, high + 1):
            longer = [
                f"{tree.rules[node]}({slot}:{path})"
                for slot, child in children[node]
                for path in (below[child][edges - 1] if len(below[child]) >= edges else ())
            ]
            if not longer:
                break
            below[node].append(longer)
            texts.extend(longer if edges >= low else ())
    return texts


def subtrees(tree: Derivation, low: int, high: int) -> list[str]:
    """Each node with everything below it down to a depth, for each depth from low to high that it reaches.

    >>> from recombine.records.derivation import Derivation
    >>> subtrees(Derivation.tree(("largest", [("city", [("loc_2", [])])])), 1, 2)
    ['city(1:loc_2)', 'largest(1:city)', 'largest(1:city(1:loc_2))']
    """
    children = _children(tree)
    texts: list[str] = []
    cut: list[list[str]] = [[] for _ in tree.rules]  # by node and depth; the last one is the whole
    for node in reversed(range(len(tree.rules))):
        cut[node] = [tree.rules[node]]
        reach = max((len(cut[child]) for _, child in children[node]), default=0)
        for depth in range(1, min(high, reach) + 1):
            inner = (f"{slot}:{cut[child][min(depth, len(cut[child])) - 1]}" for slot, child in children[node])
            cut[node].append(f"{tree.rules[node]}({', '.join(inner)})")
            texts.extend(cut[node][-1:] if depth >= low else ())
    return texts


def _children(tree: Derivation) -> list[list[tuple[int, int]]]:
    """Argument positions and children of each node; a parent is numbered before its children."""
    children: list[list[tuple[int, int]]] = [[] for _ in tree.rules]
    for parent, child, slot in sorted(tree.edges, key=lambda edge: (edge[0], edge[2])):
        children[parent].append((slot, child))
    return children


def listed_parts(
    graphs: Sequence[Derivation], parts: Callable[[Derivation], Sequence[str]], definition: CompoundDefinition
) -> Features:
    """The parts of each graph that a function lists, by count or presence; equal graphs are looked at once."""
    known: dict[Derivation, dict[str, float]] = {}
    for graph in graphs:
        if graph not in known:
            counts = Counter(parts(graph))
            known[graph] = {name: float(n) if definition.value == "counts" else 1.0 for name, n in counts.items()}
    features = Features.from_rows([known[graph] for graph in graphs])
    return features if definition.top is None else features.keep_top(definition.top)


def _kind(name: str, parts: Callable[[Derivation, int, int], list[str]]) -> StructureKind:
    def extract(read: ReadOnce, definition: CompoundDefinition) -> Features:
        low, high = definition.low, definition.high
        return listed_parts(read.graphs(program_graphs), lambda graph: parts(graph, low, high), definition)

    return StructureKind(name, ("compounds",), compound_notation(name), extract, program_graphs)


PATH = _kind("path", paths)
SUBTREE = _kind("subtree", subtrees)
