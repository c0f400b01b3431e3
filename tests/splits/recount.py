"""Divergences of a split, counted again from the derivations: slow, plain, and sharing no code with the kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import product
from typing import Any

from recombine.records.dataset import Dataset
from recombine.records.derivation import Derivation, rule_kind
from recombine.records.split import Split

Subtree = tuple[Any, ...]


def size(tree: Subtree) -> int:
    """The nodes of a sub-tree `(rule, (slot, sub-tree), …)`."""
    return 1 + sum(size(below) for _, below in tree[1:])


def text(tree: Subtree) -> str:
    """A sub-tree as definitions print it; among equal sums, the cut keeps the smaller and earlier one."""
    inner = ", ".join(f"{slot}:{text(below)}" for slot, below in tree[1:])
    return f"{tree[0]}({inner})" if inner else str(tree[0])


def subtrees(derivation: Derivation, low: int, high: int) -> Counter[Subtree]:
    """Every connected part of the grammar's tree with low to high nodes, and how often it occurs."""
    grammar = [node for node, rule in enumerate(derivation.rules) if rule_kind(rule) == "grammar"]
    children: dict[int, list[tuple[int, int]]] = {node: [] for node in grammar}
    for parent, child, slot in derivation.edges:
        if parent in children and child in children:
            children[parent].append((slot, child))
    rooted: dict[int, list[Subtree]] = {}
    for node in reversed(grammar):
        choices = [[None, *((slot, below) for below in rooted[child])] for slot, child in sorted(children[node])]
        rooted[node] = [(derivation.rules[node], *(c for c in chosen if c)) for chosen in product(*choices)]
    return Counter(tree for trees in rooted.values() for tree in trees if low <= size(tree) <= high)


def chernoff_distance(train: Counter[Any], test: Counter[Any], alpha: float) -> float:
    """1 − Σ p^α q^(1−α)."""
    p, q = sum(train.values()), sum(test.values())
    return 1 - sum((train[key] / p) ** alpha * (count / q) ** (1 - alpha) for key, count in test.items() if train[key])


def total(rows: Iterable[Counter[Any]]) -> Counter[Any]:
    """The sum of counters."""
    found: Counter[Any] = Counter()
    for row in rows:
        found.update(row)
    return found


def recount(data: Dataset, split: Split, low: int, high: int, *, top: int | None = None) -> tuple[float, float, int]:
    """D_A, D_C and the number of unseen test atoms, of train against test, under counts of grammar sub-trees."""
    derivations = {example.id: example.derivation for example in data}
    atoms, compounds = {}, {}
    for part in ("train", "test"):
        rows = [derivations[key] for key in split.part(part)]
        atoms[part] = total(Counter(set(row.rules)) for row in rows if row)
        compounds[part] = total(subtrees(row, low, high) for row in rows if row)
    if top is not None:
        whole = total(subtrees(row, low, high) for row in derivations.values() if row)
        kept = set(sorted(whole, key=lambda tree: (-whole[tree], size(tree), text(tree)))[:top])
        for part, counts in compounds.items():
            compounds[part] = Counter({key: count for key, count in counts.items() if key in kept})
    unseen = len(set(atoms["test"]) - set(atoms["train"]))
    return (
        chernoff_distance(atoms["train"], atoms["test"], 0.5),
        chernoff_distance(compounds["train"], compounds["test"], 0.1),
        unseen,
    )
