"""The template of a canonical form: entities and literals masked, after what is equal became one.

Masked first, `(AND (JOIN r e1) (JOIN r e2))` would become `(JOIN r e)`. Members of an `AND` are sorted anew, so that
the names of entities do not order them, and none is dropped.
"""

from __future__ import annotations

import re

from recombine.kb.matching.certificate import certificate
from recombine.kb.matching.pattern_form import GRAPH
from recombine.kb.matching.query_form import QUERY
from recombine.tree import Tree

ENTITY, LITERAL = "@ENTITY", "@LITERAL"
_MASKED = re.compile(r'"(?:[^"\\]|\\.)*"(?:\^\^<[^>]*>|@[a-z0-9-]+)?|(?<![^\s(])@[^\s()]+', re.DOTALL)
_PIECE = re.compile(r"[()]|[^\s()]+")


class Templates:
    """Templates of canonical forms; the order of each masked text is found once."""

    def __init__(self) -> None:
        self._sorted: dict[str, str] = {}

    def of(self, key: str) -> str:
        """The template of a canonical form.

        >>> Templates().of('(AND (JOIN r (AND @m.2 (JOIN q "5"))) (JOIN r (AND @m.1 (JOIN s @m.3))))')
        '(AND (JOIN r (AND (JOIN q @LITERAL) @ENTITY)) (JOIN r (AND (JOIN s @ENTITY) @ENTITY)))'
        """
        masked = _MASKED.sub(_mask, key)
        known = self._sorted.get(masked)
        if known is None:
            known = self._sorted[masked] = _sorted_text(masked)
        return known


def _mask(match: re.Match[str]) -> str:
    return LITERAL if match[0].startswith('"') else ENTITY


def _sorted_text(masked: str) -> str:
    """The text in the one order that it has without entities and literals."""
    tree = _read(masked)
    if tree.label in (QUERY, GRAPH):
        return certificate(tree)
    return _written(tree)


def _read(text: str) -> Tree:
    """The tree of a canonical form, in which the members of each `AND` are in order."""
    open_lists: list[list[Tree]] = [[]]
    for piece in _PIECE.findall(text):
        if piece == "(":
            open_lists.append([])
        elif piece == ")":
            head, *members = open_lists.pop()
            if head.label == "AND":
                members.sort(key=_written)
            open_lists[-1].append(Tree(head.label, tuple(members)))
        else:
            open_lists[-1].append(Tree(piece))
    return open_lists[0][0]


def _written(tree: Tree) -> str:
    return f"({' '.join((tree.label, *map(_written, tree.children)))})" if tree.children else tree.label
