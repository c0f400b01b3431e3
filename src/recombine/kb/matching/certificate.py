"""One text for all trees that are the same but for the names of their variables and the order of what has no order.

Variables are told apart by where they stand: a variable's mark is the text of the whole tree in which it alone is named
and the others have their marks, again and again until no marks fall apart. Where variables with one mark are left, one
of them is picked and the others fall apart from it; all that can be picked are tried, but of those whose text comes out
the same one is enough, and where all can change places none is tried. The text that sorts first is the certificate: two
trees have the same one exactly when they are the same. Where that takes too many trials, the tree is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import FormError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from recombine.tree import Tree

UNORDERED = "~"
"""The label of a node whose children have no order begins so."""
_MOST_VISITS = 3_000_000
"""How many nodes are written for one certificate at most: some seconds of work."""


def certificate(tree: Tree) -> str:
    """The certificate of a tree whose leaves `?x` are variables.

    >>> from recombine.tree import Tree
    >>> def fact(start: str, end: str) -> Tree:
    ...     return Tree("fact", (Tree(start), Tree(end)))
    >>> certificate(Tree("~all", (fact("?x", "?y"), fact("?y", "a"))))
    '(~all (fact ?0 ?1) (fact ?1 a))'
    >>> certificate(Tree("~all", (fact("?b", "a"), fact("?a", "?b"))))
    '(~all (fact ?0 ?1) (fact ?1 a))'
    """
    return _Search(tree).best()


class _Search:
    """Marks of the variables of a tree."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        names = {node.label for node in tree.iter_nodes() if not node.children and node.label.startswith("?")}
        self._variables = sorted(names)
        self._size, self._left = tree.size(), _MOST_VISITS

    def best(self) -> str:
        """The certificate."""
        return self._best(self._refined(dict.fromkeys(self._variables, 0)))

    def _best(self, marks: dict[str, int]) -> str:
        tied = self._tied(marks)
        if not tied:
            return self._text(marks.__getitem__)
        if self._interchangeable(tied):
            return self._best(self._refined(_picked(marks, *tied)))
        picks = {self._greedy(marks, name): name for name in tied}
        return min(self._best(self._refined(_picked(marks, name))) for name in picks.values())

    def _greedy(self, marks: dict[str, int], name: str) -> str:
        """The text that comes of picking a variable, and then the first that is left again and again."""
        marks = self._refined(_picked(marks, name))
        while tied := self._tied(marks):
            picked = tied if self._interchangeable(tied) else tied[:1]
            marks = self._refined(_picked(marks, *picked))
        return self._text(marks.__getitem__)

    def _tied(self, marks: Mapping[str, int]) -> list[str]:
        """The variables of the first mark that several have."""
        sharing: dict[int, list[str]] = {}
        for name in self._variables:
            sharing.setdefault(marks[name], []).append(name)
        return next((sharing[mark] for mark in sorted(sharing) if len(sharing[mark]) > 1), [])

    def _interchangeable(self, tied: list[str]) -> bool:
        """Whether the tree is the same when any two of some variables change places, so that their order is none."""
        names = {name: place for place, name in enumerate(self._variables)}
        text, first = self._text(names.__getitem__), tied[0]
        return all(
            self._text({**names, first: names[name], name: names[first]}.__getitem__) == text for name in tied[1:]
        )

    def _refined(self, marks: dict[str, int]) -> dict[str, int]:
        """Marks that fall apart no further, as numbers from 0 in an order that does not hang on names."""
        while len(set(marks.values())) < len(marks):
            texts = {name: (mark, self._text({**marks, name: -1}.__getitem__)) for name, mark in marks.items()}
            finer = _ranks(texts)
            if len(set(finer.values())) == len(set(marks.values())):
                return finer
            marks = finer
        return _ranks(marks)

    def _text(self, mark: Callable[[str], int]) -> str:
        self._left -= self._size
        if self._left < 0:
            raise FormError("it is too long, or too many of its variables are alike, to tell it from another query")
        return _written(self._tree, mark)


def _ranks(marks: Mapping[str, Any]) -> dict[str, int]:
    """Marks as numbers from 0, in their order."""
    ranks = {mark: rank for rank, mark in enumerate(sorted(set(marks.values())))}
    return {name: ranks[mark] for name, mark in marks.items()}


def _picked(marks: Mapping[str, int], *names: str) -> dict[str, int]:
    """Marks in which some variables, in their order, come before those that had the same mark."""
    room, places = len(names) + 1, {name: place for place, name in enumerate(names)}
    return {name: mark * room + places.get(name, len(names)) for name, mark in marks.items()}


def _written(tree: Tree, mark: Callable[[str], int]) -> str:
    """The tree with marks for variables; no program is too deep to walk down."""
    if not tree.children:
        return f"?{mark(tree.label)}" if tree.label.startswith("?") else tree.label
    parts: Iterable[str] = (_written(child, mark) for child in tree.children)
    return f"({' '.join((tree.label, *(sorted(parts) if tree.label.startswith(UNORDERED) else parts)))})"
