"""What sqlglot lets pass and SQL does not: checks on the tokens of a query, each with the position of the mistake.

sqlglot reads a JOIN after WHERE, a FROM without SELECT, `as` without a name and a comma with nothing after it. A query
with a bracket in the wrong place often looks like that. An ORDER BY or LIMIT before a set operation, which SQLite
refuses, is let pass, because Spider has such queries: it belongs to the query on the left.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from recombine.errors import ProgramError
from recombine.languages.too_deep import too_deep
from recombine.tree import MAX_DEPTH

_SET_OPERATIONS = frozenset({"UNION", "INTERSECT", "EXCEPT"})
_PARTS = ("SELECT", "FROM", "JOIN", "WHERE", "GROUP_BY", "HAVING", "ORDER_BY", "LIMIT")
_RANK = {name: rank for rank, name in enumerate(_PARTS)}
_NEED_ITEM = frozenset({*_PARTS, *_SET_OPERATIONS, "COMMA", "ALIAS", "ON"})
_NO_ITEM = frozenset({*_PARTS[1:], *_SET_OPERATIONS, "", "COMMA", "R_PAREN", "SEMICOLON", "ON"})
_TAIL = _RANK["ORDER_BY"]
_SIGNS = frozenset({"NOT", "DASH", "PLUS", "TILDE"})


def check(tokens: list[Any], *, language: str) -> int:
    """Refuse a query for its brackets, its empty parts or the order of its parts; give the levels of its brackets."""
    levels = _check_brackets(tokens, language)
    _check_items(tokens, language)
    _check_order(tokens, language)
    return levels


def _check_brackets(tokens: list[Any], language: str) -> int:
    """Refuse brackets that do not match; give how many are inside each other, with signs before an operand as such."""
    opened: list[int] = []
    signs = levels = 0
    for token in tokens:
        name = token.token_type.name
        signs = signs + 1 if name in _SIGNS else 0
        if name == "L_PAREN":
            opened.append(token.start)
        elif name == "R_PAREN":
            if not opened:
                raise ProgramError(language, token.start, "a closing bracket too many", "remove it")
            opened.pop()
        levels = max(levels, len(opened) + signs)
        if levels >= MAX_DEPTH:
            raise too_deep(language, token.start)
    if opened:
        raise ProgramError(language, opened[-1], "a bracket that is not closed", "close it")
    return levels


def _check_items(tokens: list[Any], language: str) -> None:
    names = [*(token.token_type.name for token in tokens), ""]
    for token, (name, after) in zip(tokens, pairwise(names), strict=True):
        if name in _NEED_ITEM and after in _NO_ITEM:
            raise ProgramError(language, token.start, f"{token.text!r} with nothing after it", "complete or remove it")


def _check_order(tokens: list[Any], language: str) -> None:
    """Refuse parts out of order; each pair of brackets has an order of its own, a set operation starts it again."""
    ranks, combined = [-1], [False]
    for token in tokens:
        name = token.token_type.name
        if name == "L_PAREN":
            ranks.append(-1)
            combined.append(False)
        elif name == "R_PAREN":
            ranks.pop()
            combined.pop()
        elif name == "SEMICOLON":
            ranks[-1] = -1
        elif name in _SET_OPERATIONS:
            ranks[-1], combined[-1] = -1, True
        elif name in _RANK:
            rank, last = _RANK[name], ranks[-1]
            again = name == "JOIN" and rank == last
            # `(select …) union (select …) order by …` has a tail with no SELECT outside of brackets.
            starts = last >= 0 or name == "SELECT" or (combined[-1] and rank >= _TAIL)
            if not starts or (rank <= last and not again):
                _refuse(token, language)
            ranks[-1] = rank


def _refuse(token: Any, language: str) -> None:
    order = ", ".join(name.replace("_", " ") for name in _PARTS)
    problem = f"{token.text!r} in the wrong place"
    raise ProgramError(language, token.start, problem, f"the order is {order}")
