"""Trees as flat arrays: nodes in program order, each with its label and the number of its children."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.records.range_places import range_places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.tree import Tree


FEW_NODES = 50_000
"""Up to so many nodes a loop in Python is done before a compiled kernel is loaded."""


@dataclass(frozen=True)
class FlatTrees:
    """Where each tree begins, label numbers and numbers of children of all nodes, and the labels.

    >>> from recombine.tree import Tree
    >>> flat = FlatTrees.of([Tree("count", (Tree("find", (Tree("dog"),)),)), Tree("dog")])
    >>> flat.starts.tolist(), flat.labels.tolist(), flat.children.tolist(), flat.texts
    ([0, 3, 4], [0, 1, 2, 2], [1, 1, 0, 0], ['count', 'find', 'dog'])
    """

    starts: NDArray[np.int64]
    labels: NDArray[np.int64]
    children: NDArray[np.int64]
    texts: list[str]

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> FlatTrees:
        """The arrays of these trees."""
        texts: list[str] = []
        children: list[int] = []
        starts = [0]
        for tree in trees:
            waiting = [tree]
            while waiting:
                node = waiting.pop()
                below = node.children
                texts.append(node.label)
                children.append(len(below))
                waiting.extend(below[::-1])
            starts.append(len(texts))
        interned: dict[str, int] = {}
        labels = np.fromiter((interned.setdefault(text, len(interned)) for text in texts), np.int64, len(texts))
        return cls(np.array(starts, np.int64), labels, np.array(children, np.int64), list(interned))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def owners(self) -> NDArray[np.int64]:
        """The number of the tree that each node is in."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def linked(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The parent of each node, -1 at a root, and its place among its siblings, counted from 1.

        >>> from recombine.tree import Tree
        >>> [part.tolist() for part in FlatTrees.of([Tree("f", (Tree("a"), Tree("b"))), Tree("a")]).linked()]
        [[-1, 0, 0, -1], [1, 1, 2, 1]]
        """
        return _linked_by_kernel(self) if len(self.labels) > FEW_NODES else _linked_one_by_one(self.children)

    def joined(self, other: FlatTrees) -> FlatTrees:
        """The trees of both, one after the other."""
        return FlatTrees(
            np.concatenate((self.starts, other.starts[1:] + self.starts[-1])),
            np.concatenate((self.labels, other.labels + len(self.texts))),
            np.concatenate((self.children, other.children)),
            [*self.texts, *other.texts],
        )

    def cut(self, first: int, last: int) -> FlatTrees:
        """The trees from one place to another, the last not included."""
        starts = self.starts[first : last + 1]
        nodes = slice(int(starts[0]), int(starts[-1]))
        return FlatTrees(starts - starts[0], self.labels[nodes], self.children[nodes], self.texts)

    def taken(self, order: NDArray[np.int64]) -> FlatTrees:
        """These trees in this order; one may come more than once."""
        if np.array_equal(order, np.arange(len(self))):
            return self
        lengths = self.starts[order + 1] - self.starts[order]
        starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
        at = range_places(self.starts[order], lengths)
        return FlatTrees(starts, self.labels[at], self.children[at], self.texts)

    def rooted(self, label: str) -> FlatTrees:
        """Every tree under a root of this label."""
        before = np.arange(len(self) + 1)
        starts = self.starts + before
        labels = np.full(int(starts[-1]), len(self.texts), np.int64)
        children = np.ones(int(starts[-1]), np.int64)
        at = np.arange(len(self.labels)) + np.repeat(before[1:], np.diff(self.starts))
        labels[at], children[at] = self.labels, self.children
        return FlatTrees(starts, labels, children, [*self.texts, label])


def _linked_one_by_one(children: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    counts = children.tolist()
    parents, places, seen = [-1] * len(counts), [1] * len(counts), [0] * len(counts)
    waiting: list[int] = []  # the nodes that have children to come; none at the end of a tree
    for node, below in enumerate(counts):
        if waiting:
            parent = parents[node] = waiting[-1]
            seen[parent] += 1
            places[node] = seen[parent]
            if seen[parent] == counts[parent]:
                waiting.pop()
        if below:
            waiting.append(node)
    return np.array(parents, np.int64), np.array(places, np.int64)


def _linked_by_kernel(trees: FlatTrees) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    from recombine.structures.programs.local_structure_kernels import link_nodes

    parents, lefts = link_nodes(trees.starts, trees.children)
    rights = np.full(len(lefts), -1, np.int64)
    later = np.flatnonzero(lefts >= 0)
    rights[lefts[later]] = later
    places = np.ones(len(lefts), np.int64)
    nodes, place = rights[lefts < 0], 1
    while len(nodes := nodes[nodes >= 0]):
        place += 1
        places[nodes] = place
        nodes = rights[nodes]
    return parents.astype(np.int64), places
