"""Divergences under connected and linear sub-graphs, counted again from the derivations: plain, without the kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from recombine.records.derivation import Derivation, rule_kind

Part = tuple[frozenset[int], Any]
"""The nodes of an occurrence, and what it is an occurrence of."""


def grammar_parts(derivation: Derivation, low: int, high: int) -> list[Part]:
    """Every connected part of the grammar's tree with low to high nodes, written as nested tuples."""
    children: dict[int, list[tuple[int, int]]] = {
        node: [] for node, rule in enumerate(derivation.rules) if rule_kind(rule) == "grammar"
    }
    for parent, child, slot in derivation.edges:
        if parent in children and child in children:
            children[parent].append((slot, child))
    rooted: dict[int, list[tuple[int, frozenset[int], Any]]] = {}
    for node in sorted(children, reverse=True):
        made: list[tuple[int, frozenset[int], Any]] = [(1, frozenset({node}), (derivation.rules[node],))]
        for slot, child in sorted(children[node]):
            made += [
                (size + more, nodes | others, (*tree, (slot, below)))
                for size, nodes, tree in made
                for more, others, below in rooted[child]
                if size + more <= high
            ]
        rooted[node] = made
    return [(nodes, tree) for made in rooted.values() for size, nodes, tree in made if size >= low]


def lines(derivation: Derivation, low: int, high: int, kinds: Sequence[str]) -> list[Part]:
    """Every directed path with low to high nodes of rules of some kinds that has no edge but its own."""
    chosen = {node for node, rule in enumerate(derivation.rules) if rule_kind(rule) in kinds}
    slots: dict[int, dict[int, tuple[int, ...]]] = {node: {} for node in chosen}
    parents: dict[int, set[int]] = {node: set() for node in chosen}
    for parent, child, slot in derivation.edges:
        if parent in chosen and child in chosen:
            slots[parent][child] = tuple(sorted((*slots[parent].get(child, ()), slot)))
            parents[child].add(parent)
    found: list[Part] = []
    waiting: list[tuple[tuple[int, ...], tuple[Any, ...]]] = [((node,), (derivation.rules[node],)) for node in chosen]
    while waiting:
        path, text = waiting.pop()
        if len(path) >= low:
            found.append((frozenset(path), text))
        if len(path) < high:
            for child, names in slots[path[-1]].items():
                if parents[child].intersection(path) == {path[-1]}:
                    waiting.append(((*path, child), (*text, names, derivation.rules[child])))
    return found


def weighted(rows: Iterable[Sequence[Part]]) -> list[dict[Any, float]]:
    """The weights of the CFQ paper (§2.1, L.4), from the subsets of each occurrence that are occurrences too."""
    listed = [list(row) for row in rows]
    total: Counter[Any] = Counter()
    inside: Counter[tuple[Any, Any]] = Counter()
    numbers: dict[Any, int] = {}
    around_rows = []
    for row in listed:
        place = {nodes: number for number, (nodes, _) in enumerate(row)}
        around: list[set[int]] = [set() for _ in row]
        holders: dict[int, list[int]] = {}
        for number, (nodes, _) in enumerate(row):
            for node in nodes:
                holders.setdefault(node, []).append(number)
        for nodes, number in place.items():
            rarest = min(nodes, key=lambda node: len(holders[node]))
            for other in holders[rarest]:
                if nodes < row[other][0]:
                    around[number].add(numbers.setdefault(row[other][1], len(numbers)))
        for (_, text), others in zip(row, around, strict=True):
            number = numbers.setdefault(text, len(numbers))
            total[number] += 1
            for other in others:
                inside[number, other] += 1
        around_rows.append(around)
    result = []
    for row, around in zip(listed, around_rows, strict=True):
        weights: dict[Any, float] = {}
        for (_, text), others in zip(row, around, strict=True):
            number = numbers[text]
            most = max((inside[number, other] for other in others), default=0)
            weights[text] = max(weights.get(text, 0.0), 1 - most / total[number])
        result.append(weights)
    return result


def values(parts: Sequence[Part], value: str) -> dict[Any, float]:
    """The counts, or the presence, of what occurs."""
    counts = Counter(text for _, text in parts)
    return {text: float(n) if value == "counts" else 1.0 for text, n in counts.items()}


def kept(rows: Sequence[dict[Any, float]], top: int, name: Callable[[Any], tuple[Any, ...]]) -> set[Any]:
    """What has the highest sums over all rows; among equal sums, the first by size and name."""
    sums: Counter[Any] = Counter()
    for row in rows:
        sums.update(row)
    return set(sorted(sums, key=lambda text: (-round(sums[text], 9), *name(text)))[:top])


def line_name(text: tuple[Any, ...]) -> tuple[int, str]:
    """The size and the name of a line, as definitions print it, where each edge has one slot."""
    rules, slots = text[::2], text[1::2]
    written = str(rules[-1])
    for rule, slot in zip(rules[-2::-1], slots[::-1], strict=True):
        written = f"{rule}({slot[0]}:{written})"
    return len(rules), written


def divergence(rows: Sequence[dict[Any, float]], train: Sequence[int], test: Sequence[int], alpha: float) -> float:
    """1 − Σ p^α q^(1−α)."""
    sums: list[Counter[Any]] = [Counter(), Counter()]
    for counter, chosen in zip(sums, (train, test), strict=True):
        for row in chosen:
            counter.update(rows[row])
    p, q = (sum(counter.values()) for counter in sums)
    trained, tested = sums
    return 1 - sum((trained[t] / p) ** alpha * (n / q) ** (1 - alpha) for t, n in tested.items() if trained[t])
