"""What sqlglot lets pass and SQL does not: checks on the tokens of a query, each with the position of the mistake.

sqlglot reads a JOIN after WHERE, a FROM without SELECT, `as` without a name and a comma with nothing after it. A query
with a bracket in the wrong place often looks like that. An ORDER BY or LIMIT before a set operation, which SQLite
refuses, is let pass, because Spider has such queries: it belongs to the query on the left. Brackets of a call or of a
window are no query, and may have an ORDER BY, a WHERE or a FROM of their own. A dialect whose parts have another order
(FROM before SELECT in DuckDB) is not checked for it, and one that lets a list end with a comma not for that.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from recombine.errors import ProgramError
from recombine.languages.too_deep import too_deep
from recombine.tree import MAX_DEPTH

if TYPE_CHECKING:
    from recombine.languages.sql.dialect import SqlDialect

_SET_OPERATIONS = frozenset({"UNION", "INTERSECT", "EXCEPT"})
_PARTS = ("SELECT", "FROM", "JOIN", "WHERE", "GROUP_BY", "HAVING", "ORDER_BY", "LIMIT")
_RANK = {name: rank for rank, name in enumerate(_PARTS)}
_NEED_ITEM = frozenset({*_PARTS, *_SET_OPERATIONS, "COMMA", "ALIAS", "ON"})
_NO_ITEM = frozenset({*_PARTS[1:], *_SET_OPERATIONS, "", "COMMA", "R_PAREN", "SEMICOLON", "ON"})
_TAIL = _RANK["ORDER_BY"]
_SIGNS = frozenset({"NOT", "DASH", "PLUS", "TILDE"})
_OPENING = {"L_PAREN": 1, "L_BRACKET": 1, "L_BRACE": 1, "R_BRACKET": -1, "R_BRACE": -1}
_QUERY_STARTS = frozenset({"SELECT", "FROM", "WITH", "L_PAREN"})
# What stands before brackets that hold the parts of a call or a window, and which parts these may be.
_IN_BRACKETS = {
    "OVER": frozenset({"ORDER_BY"}),
    "ALIAS": frozenset({"ORDER_BY"}),
    "FILTER": frozenset({"WHERE"}),
    "WITHIN_GROUP": frozenset({"ORDER_BY"}),
    "EXTRACT": frozenset({"FROM"}),
    "TRIM": frozenset({"FROM"}),
    "SUBSTRING": frozenset({"FROM"}),
    "OVERLAY": frozenset({"FROM"}),
}
_CALL = frozenset({"ORDER_BY"})
_NAMES: dict[Any, str] = {}


def check(tokens: list[Any], dialect: SqlDialect, *, language: str) -> int:
    """Refuse a query for its brackets, its empty parts or the order of its parts; give the levels of its brackets."""
    names = [_NAMES.get(token.token_type) or _name(token.token_type) for token in tokens]
    levels = _check_brackets(tokens, names, language)
    if names and names[0] in _QUERY_STARTS:
        _check_items(tokens, names, language, comma=not dialect.lets_a_last_comma_pass)
        if dialect.has_the_usual_order:
            _check_order(tokens, names, language)
    return levels


def _name(kind: Any) -> str:
    """The name of a kind of token, which sqlglot looks up anew each time."""
    return _NAMES.setdefault(kind, str(kind.name))


def _check_brackets(tokens: list[Any], names: list[str], language: str) -> int:
    """Refuse brackets that do not match; give how many are inside each other, with signs before an operand as such."""
    opened: list[int] = []
    signs = levels = others = 0
    for token, name in zip(tokens, names, strict=True):
        signs = signs + 1 if name in _SIGNS else 0
        if name == "L_PAREN":
            opened.append(token.start)
        elif name == "R_PAREN":
            if not opened:
                raise ProgramError(language, token.start, "a closing bracket too many", "remove it")
            opened.pop()
        elif name in _OPENING:
            others = max(0, others + _OPENING[name])
        if len(opened) + others + signs > levels:
            levels = len(opened) + others + signs
            if levels >= MAX_DEPTH:
                raise too_deep(language, token.start)
    if opened:
        raise ProgramError(language, opened[-1], "a bracket that is not closed", "close it")
    return levels


def _check_items(tokens: list[Any], names: list[str], language: str, *, comma: bool) -> None:
    for token, (name, after) in zip(tokens, pairwise([*names, ""]), strict=True):
        if name in _NEED_ITEM and after in _NO_ITEM and (comma or name != "COMMA"):
            raise ProgramError(language, token.start, f"{token.text!r} with nothing after it", "complete or remove it")


def _check_order(tokens: list[Any], names: list[str], language: str) -> None:
    """Refuse parts out of order; each pair of brackets has an order of its own, a set operation starts it again."""
    ranks, combined = [-1], [False]
    allowed: list[frozenset[str]] = [frozenset()]
    for index, (token, name) in enumerate(zip(tokens, names, strict=True)):
        if name == "L_PAREN":
            ranks.append(-1)
            combined.append(False)
            allowed.append(_allowed(tokens, names, index))
        elif name == "R_PAREN":
            ranks.pop()
            combined.pop()
            allowed.pop()
        elif name == "SEMICOLON":
            ranks[-1] = -1
        elif name in _SET_OPERATIONS:
            ranks[-1], combined[-1] = -1, True
        elif name in _RANK and name not in allowed[-1] and names[index - 1 : index] != ["DISTINCT"]:
            rank, last = _RANK[name], ranks[-1]
            again = name == "JOIN" and rank == last
            # `(select …) union (select …) order by …` has a tail with no SELECT outside of brackets.
            starts = last >= 0 or name == "SELECT" or (combined[-1] and rank >= _TAIL)
            if not starts or (rank <= last and not again):
                _refuse(token, language)
            ranks[-1] = rank


def _allowed(tokens: list[Any], names: list[str], index: int) -> frozenset[str]:
    """The parts that brackets may hold which are no query, by what stands before them."""
    if not index or names[index + 1 : index + 2] in (["SELECT"], ["WITH"]):
        return frozenset()
    before = names[index - 1]
    text = tokens[index - 1].text.upper()
    if text == "GROUP" and index > 1 and tokens[index - 2].text.upper() == "WITHIN":
        return _CALL
    if text in _IN_BRACKETS:
        return _IN_BRACKETS[text]
    return _IN_BRACKETS.get(before, _CALL if before == "VAR" else frozenset())


def _refuse(token: Any, language: str) -> None:
    order = ", ".join(name.replace("_", " ") for name in _PARTS)
    problem = f"{token.text!r} in the wrong place"
    raise ProgramError(language, token.start, problem, f"the order is {order}")
