"""Compounds and weights by the book: slow, and plain enough to be believed."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

from recombine.records.derivation import Derivation

Key = tuple[tuple[str, ...], tuple[tuple[int, int, int], ...]]


def connected(nodes: tuple[int, ...], derivation: Derivation) -> bool:
    reached = {nodes[0]}
    for _ in nodes:
        for parent, child, _slot in derivation.edges:
            if parent in nodes and child in nodes and (parent in reached or child in reached):
                reached |= {parent, child}
    return reached == set(nodes)


def key(nodes: tuple[int, ...], derivation: Derivation) -> Key:
    """The least way to write the sub-graph, over all numberings of its nodes."""
    best = None
    for order in permutations(nodes):
        place = {node: number for number, node in enumerate(order)}
        edges = [(place[p], place[c], slot) for p, c, slot in derivation.edges if p in place and c in place]
        written = (tuple(derivation.rules[node] for node in order), tuple(sorted(edges)))
        best = written if best is None or written < best else best
    assert best is not None
    return best


def occurrences(derivation: Derivation, low: int, high: int) -> list[tuple[frozenset[int], Key]]:
    """Every connected set of low to high nodes, with its key."""
    found = []
    for size in range(low, high + 1):
        for nodes in combinations(range(len(derivation.rules)), size):
            if connected(nodes, derivation):
                found.append((frozenset(nodes), key(nodes, derivation)))
    return found


def counts(derivation: Derivation, low: int, high: int) -> Counter[Key]:
    return Counter(written for _, written in occurrences(derivation, low, high))


def weights(sample: list[Derivation], low: int, high: int) -> list[dict[Key, float]]:
    """w(G) = max over occurrences g of (1 − max over G' around g of P(G'|G)), for each example."""
    found = [occurrences(derivation, low, high) for derivation in sample]
    total: Counter[Key] = Counter(written for rows in found for _, written in rows)
    inside: Counter[tuple[Key, Key]] = Counter()
    for rows in found:
        for nodes, written in rows:
            for around in {other for larger, other in rows if nodes < larger}:
                inside[written, around] += 1
    result = []
    for rows in found:
        row: dict[Key, float] = {}
        for nodes, written in rows:
            shares = [inside[written, other] / total[written] for larger, other in rows if nodes < larger]
            row[written] = max(row.get(written, 0.0), 1 - max(shares, default=0.0))
        result.append(row)
    return result
