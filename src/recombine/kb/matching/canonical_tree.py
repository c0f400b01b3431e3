"""Canonical forms as trees, and back: brackets, words, and literals in quotes, each one piece."""

from __future__ import annotations

import re

from recombine.tree import Tree

_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"(?:\^\^<[^>]*>|@[a-z0-9-]+)?|[()]|[^\s()]+', re.DOTALL)


def read_canonical(text: str) -> Tree:
    """The tree of a canonical form.

    >>> read_canonical('(AND c (JOIN r "a b"))').children[1].children[1].label
    '"a b"'
    """
    open_lists: list[list[Tree]] = [[]]
    for piece in _PIECE.findall(text):
        if piece == "(":
            open_lists.append([])
        elif piece == ")":
            head, *members = open_lists.pop()
            open_lists[-1].append(Tree(head.label, tuple(members)))
        else:
            open_lists[-1].append(Tree(piece))
    return open_lists[0][0]


def canonical_text(tree: Tree) -> str:
    """The text of a tree.

    >>> canonical_text(read_canonical("(AND c (JOIN r e))"))
    '(AND c (JOIN r e))'
    """
    return f"({' '.join((tree.label, *map(canonical_text, tree.children)))})" if tree.children else tree.label
