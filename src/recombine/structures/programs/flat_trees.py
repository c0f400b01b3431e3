"""Trees as flat arrays: nodes in program order, each with its label and the number of its children."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.tree import Tree


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

    def joined(self, other: FlatTrees) -> FlatTrees:
        """The trees of both, one after the other."""
        return FlatTrees(
            np.concatenate((self.starts, other.starts[1:] + self.starts[-1])),
            np.concatenate((self.labels, other.labels + len(self.texts))),
            np.concatenate((self.children, other.children)),
            [*self.texts, *other.texts],
        )

    def taken(self, order: NDArray[np.int64]) -> FlatTrees:
        """These trees in this order; one may come more than once."""
        lengths = self.starts[order + 1] - self.starts[order]
        starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
        at = np.arange(starts[-1]) + np.repeat(self.starts[order] - starts[:-1], lengths)
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
