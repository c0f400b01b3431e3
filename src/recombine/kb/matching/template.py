"""The template of a canonical form: entities and literals masked, after what is equal became one.

Masked first, `(AND (JOIN r e1) (JOIN r e2))` would become `(JOIN r e)`. Members of an `AND` are sorted anew, so that
the names of entities do not order them, and none is dropped.
"""

from __future__ import annotations

import re

from recombine.kb.matching.canonical_tree import canonical_text, read_canonical
from recombine.kb.matching.certificate import certificate
from recombine.kb.matching.pattern_form import GRAPH
from recombine.kb.matching.query_form import QUERY
from recombine.tree import Tree

ENTITY, LITERAL = "@ENTITY", "@LITERAL"
_MASKED = re.compile(r'"(?:[^"\\]|\\.)*"(?:\^\^<[^>]*>|@[a-z0-9-]+)?|(?<![^\s(])@[^\s()]+', re.DOTALL)


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
    tree = _in_order(read_canonical(masked))
    if tree.label in (QUERY, GRAPH):
        return certificate(tree)
    return canonical_text(tree)


def _in_order(tree: Tree) -> Tree:
    """The tree with the members of each `AND` in order."""
    members = list(map(_in_order, tree.children))
    if tree.label == "AND":
        members.sort(key=canonical_text)
    return Tree(tree.label, tuple(members))
