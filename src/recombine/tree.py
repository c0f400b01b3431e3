"""The one tree that every program becomes: a label and children, in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


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
        """The tree with every node changed, children first."""
        children = tuple(child.mapped(change) for child in self.children)
        return change(self if children == self.children else Tree(self.label, children))
