"""Graphs of more than 64 nodes with rules of four kinds, and their compounds listed slowly, for tests."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np

from recombine.records.derivation import Derivation

Occurrences = list[tuple[frozenset[int], str]]
PREFIXES = ("", "inference:", "resolution:", "knowledge:")


def large_graph(seed: int, size: int) -> Derivation:
    """A graph of few rules of each kind, with one to two parents for each node."""
    generator = np.random.default_rng(seed)
    rules = [PREFIXES[int(kind)] + "abc"[int(name)] for kind, name in generator.integers((4, 3), size=(size, 2))]
    edges = []
    for child in range(1, size):
        # Parents are near, so that paths are long.
        drawn = generator.integers(max(0, child - 4), child, size=2)[: 1 + int(generator.random() < 0.25)]
        edges += [(parent, child, int(generator.integers(1, 3))) for parent in sorted({*drawn.tolist()})]
    return Derivation(tuple(rules), tuple(edges))


def text(nodes: frozenset[int], graph: Derivation) -> str:
    """The rules and edges of a sub-graph in the order of the graph: equal texts are isomorphic, not the other way."""
    place = {node: number for number, node in enumerate(sorted(nodes))}
    rules = " ".join(graph.rules[node] for node in sorted(nodes))
    return rules + "; " + " ".join(f"{place[p]}.{s}>{place[c]}" for p, c, s in graph.edges if p in place and c in place)


def connected_sets(graph: Derivation, low: int, high: int) -> list[frozenset[int]]:
    """Connected sets of nodes, grown one by one from smaller ones."""
    near: dict[int, set[int]] = {node: set() for node in range(len(graph.rules))}
    for parent, child, _ in graph.edges:
        near[parent].add(child)
        near[child].add(parent)
    level = {frozenset({node}) for node in near}
    sets: list[frozenset[int]] = []
    for size in range(1, high + 1):
        sets += sorted(level, key=sorted) if size >= low else []
        level = {nodes | {other} for nodes in level for node in nodes for other in near[node] - nodes}
    return sets


def linear_sets(graph: Derivation, low: int, high: int) -> list[frozenset[int]]:
    """The node sets of directed paths that have no edge but their own."""
    pairs = {(parent, child) for parent, child, _ in graph.edges}
    paths = [(node,) for node in range(len(graph.rules))]
    sets: list[frozenset[int]] = []
    for size in range(1, high + 1):
        for path in paths if size >= low else ():
            between = {(p, c) for p, c in pairs if p in path and c in path}
            if between == set(pairwise(path)):
                sets.append(frozenset(path))
        paths = [(*path, child) for path in paths for parent, child in pairs if parent == path[-1]]
    return sets


def counts(graph: Derivation, sets: list[frozenset[int]]) -> list[int]:
    """How often each kind of these sub-graphs occurs, in ascending order."""
    return sorted(Counter(text(nodes, graph) for nodes in sets).values())


def weights(graphs: list[Derivation], sets: list[list[frozenset[int]]]) -> list[dict[str, float]]:
    """The weights of the CFQ paper (§2.1, L.4), by texts."""
    rows: list[Occurrences] = [
        [(nodes, text(nodes, graph)) for nodes in listed] for graph, listed in zip(graphs, sets, strict=True)
    ]
    total = Counter(kind for row in rows for _, kind in row)
    around = [
        [{other for larger, other in row if nodes < larger} for nodes, _ in row]  # an occurrence counts once
        for row in rows
    ]
    inside = Counter(
        (kind, other)
        for row, each in zip(rows, around, strict=True)
        for (_, kind), others in zip(row, each, strict=True)
        for other in others
    )
    result = []
    for row, each in zip(rows, around, strict=True):
        found: dict[str, float] = {}
        for (_, kind), others in zip(row, each, strict=True):
            weight = 1 - max((inside[kind, other] / total[kind] for other in others), default=0.0)
            found[kind] = max(found.get(kind, 0.0), weight)
        result.append(found)
    return result
