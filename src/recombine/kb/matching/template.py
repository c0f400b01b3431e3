"""The template of a canonical form: entities and literals masked, after what is equal became one.

Masked first, `(AND (JOIN r e1) (JOIN r e2))` would become `(JOIN r e)`. Members of an `AND` are sorted anew, so that
the names of entities do not order them, and none is dropped.
"""

from __future__ import annotations

import re

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
    """The text with the members of each `AND` in order."""
    open_lists: list[list[str]] = [[]]
    for piece in _PIECE.findall(masked):
        if piece == "(":
            open_lists.append([])
        elif piece == ")":
            words = open_lists.pop()
            if words[0] == "AND":
                words[1:] = sorted(words[1:])
            open_lists[-1].append(f"({' '.join(words)})")
        else:
            open_lists[-1].append(piece)
    return open_lists[0][0]
