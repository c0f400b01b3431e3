"""Divergences under connected and linear sub-graphs, counted again from the derivations: plain, without the kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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


def iter_weighted(make: Callable[[], Iterable[Sequence[Part]]]) -> Iterator[dict[Any, float]]:
    """The weights of the CFQ paper (§2.1, L.4), one example after the other; `make` lists all occurrences anew."""
    numbers: dict[Any, int] = {}
    total: Counter[int] = Counter()
    inside: Counter[int] = Counter()
    for row in make():
        kinds = [numbers.setdefault(text, len(numbers)) for _, text in row]
        total.update(kinds)
        for kind, others in zip(kinds, _around(row, kinds), strict=True):
            for other in others:
                inside[kind << 32 | other] += 1
    for row in make():
        kinds = [numbers[text] for _, text in row]
        weights: dict[Any, float] = {}
        for (_, text), kind, others in zip(row, kinds, _around(row, kinds), strict=True):
            most = max((inside[kind << 32 | other] for other in others), default=0)
            weights[text] = max(weights.get(text, 0.0), 1 - most / total[kind])
        yield weights


def _around(row: Sequence[Part], kinds: Sequence[int]) -> list[set[int]]:
    """For each occurrence, the kinds of those that hold it and more."""
    holders: dict[int, list[int]] = {}
    for place, (nodes, _) in enumerate(row):
        for node in nodes:
            holders.setdefault(node, []).append(place)
    around = []
    for nodes, _ in row:
        few = min((holders[node] for node in nodes), key=len)
        around.append({kinds[other] for other in few if nodes < row[other][0]})
    return around


def values(parts: Sequence[Part], value: str) -> dict[Any, float]:
    """The counts, or the presence, of what occurs."""
    counts = Counter(text for _, text in parts)
    return {text: float(n) if value == "counts" else 1.0 for text, n in counts.items()}


def kept(rows: Iterable[dict[Any, float]], top: int, name: Callable[[Any], tuple[Any, ...]]) -> set[Any]:
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


def divergences(
    rows: Iterable[dict[Any, float]], splits: Mapping[str, tuple[Sequence[int], Sequence[int]]], alpha: float
) -> dict[str, float]:
    """1 − Σ p^α q^(1−α) of each split, given by the places of train and test; rows are read once."""
    places = {name: [frozenset(part) for part in parts] for name, parts in splits.items()}
    sums: dict[str, list[Counter[Any]]] = {name: [Counter(), Counter()] for name in splits}
    for place, row in enumerate(rows):
        for name, parts in places.items():
            for counter, part in zip(sums[name], parts, strict=True):
                if place in part:
                    for text, value in row.items():
                        counter[text] += value
    return {name: _distance(*pair, alpha) for name, pair in sums.items()}


def _distance(train: Counter[Any], test: Counter[Any], alpha: float) -> float:
    p, q = sum(train.values()), sum(test.values())
    return 1 - sum((train[key] / p) ** alpha * (count / q) ** (1 - alpha) for key, count in test.items() if train[key])
