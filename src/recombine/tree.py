"""The one tree that every program becomes: a label and children, in order.

Programs are at most `MAX_DEPTH` levels deep: every language refuses a deeper one while it reads. So what walks a tree
from a parent to its children, comparing, hashing, drawing and writing JSON among them, stays far from Python's own
limit of 1,000 calls inside each other, whoever calls it. The deepest program of the catalogue has 16 levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import is_not
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


MAX_DEPTH = 100
"""The most levels of a program: nodes on the longest way down its tree."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A label with its children; compared and hashed by value.

    >>> tree = Tree("count", (Tree("find", (Tree("dog"),)),))
    >>> tree.size(), [node.label for node in tree.iter_nodes()]
    (3, ['count', 'find', 'dog'])
    """

    label: str
    children: tuple[Tree, ...] = ()

    def iter_nodes(self) -> Iterator[Tree]:
        """All nodes, parents before children, from left to right."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def size(self) -> int:
        """The number of nodes."""
        return sum(1 for _ in self.iter_nodes())

    def depth(self) -> int:
        """The number of nodes on the longest way down."""
        level, depth = [self], 0
        while level:
            level, depth = [child for node in level for child in node.children], depth + 1
        return depth

    def mapped(self, change: Callable[[Tree], Tree]) -> Tree:
        """The tree with every node changed, children first, from left to right."""
        nodes, waiting = [], [self]
        while waiting:
            node = waiting.pop()
            nodes.append(node)
            waiting.extend(node.children)
        done: list[Tree] = []
        for node in reversed(nodes):
            if node.children:
                first = len(done) - len(node.children)
                children = tuple(done[first:])
                del done[first:]
                if any(map(is_not, children, node.children)):
                    node = Tree(node.label, children)
            done.append(change(node))
        return done[0]
