"""SQL text to tree through sqlglot; `sql.py` describes the shape of the tree.

The dialect is SQLite's with one change: text in double quotes is a string, as Spider means it (SQLite itself falls back
to that). Names with blanks go in backquotes or square brackets. sqlglot is imported when the first query is read.
A construct that the tree has no place for is refused, never dropped.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from recombine.errors import ProgramError
from recombine.languages.room_to_recurse import room_to_recurse
from recombine.languages.sql.check import check
from recombine.languages.sql.labels import BINARY, FUNCTIONS, SET_OPERATIONS, STRUCTURAL
from recombine.languages.too_deep import refuse_too_deep, too_deep
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NAME = "sql"
_QUOTED = re.compile(r"""'(?:''|[^'])*'|"(?:""|[^"])*"|`[^`]*`|\[[^\]]*\]|(['"`\[])""")
# What sqlglot needs: less than 25 calls for a level in any construct, and some for a query with none.
_CALLS_BEFORE, _CALLS_PER_LEVEL = 200, 30
# Arguments with which sqlglot notes how it would write a query elsewhere; they say nothing of the query's meaning.
_NOTES = frozenset({"big_int", "safe", "typed", "quoted", "is_string"})


@lru_cache(maxsize=1)
def _dialect() -> Any:
    from sqlglot.dialects.sqlite import SQLite

    class SpiderSQL(SQLite):
        class Tokenizer(SQLite.Tokenizer):
            QUOTES: ClassVar[list[tuple[str, str] | str]] = ["'", '"']
            IDENTIFIERS: ClassVar[list[str | tuple[str, str]]] = ["`", ("[", "]")]

    return SpiderSQL()


def parse(text: str) -> Tree:
    """Read one query.

    >>> parse("select name from dogs").children
    (Tree(label='select', children=(Tree(label='name', ...),)), Tree(label='from', children=(Tree(label='dogs', ...),)))
    """
    from sqlglot.errors import ParseError, TokenError

    dialect = _dialect()
    try:
        tokens = dialect.tokenize(text)
        levels = check(tokens, language=NAME)
        with room_to_recurse(_CALLS_BEFORE + _CALLS_PER_LEVEL * levels):
            tree = _only_query(dialect.parser().parse(tokens, text), tokens)
    except TokenError:
        match = next((m for m in _QUOTED.finditer(text) if m.group(1)), None)
        raise ProgramError(NAME, match.start() if match else 0, "a quote that does not end", "close it") from None
    except ParseError as error:
        raise ProgramError(NAME, *_explained(text, error)) from None
    except RecursionError:  # a chain such as 1 + 1 + …, which needs no brackets
        raise too_deep(NAME) from None
    refuse_too_deep(tree, language=NAME)
    return tree


def _only_query(statements: list[Any], tokens: list[Any]) -> Tree:
    if not statements or statements[0] is None:
        raise ProgramError(NAME, 0, "an empty program", "leave the example out")
    if len(statements) > 1:
        end = next(token.start for token in tokens if token.text == ";")
        raise ProgramError(NAME, end, "more than one statement", "keep one query for each example")
    return _query(statements[0])


def _explained(text: str, error: Any) -> tuple[int, str, str]:
    """Position, problem and remedy of sqlglot's error; its column is that of the token's last letter."""
    first = error.errors[0]
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    token = first["highlight"] or ""
    position = starts[first["line"] - 1] + first["col"] - len(token)
    missing = first["description"].startswith("Required keyword")
    problem = "an operand is missing" if missing else first["description"].lower().rstrip(".")
    return max(0, min(position, len(text))), f"{problem}, at {token!r}", "correct the query, or leave the example out"


def _refuse(node: Any, problem: str) -> NoReturn:
    """Refuse a part of a query at the first name in it whose position is known."""
    places = [inner.meta["start"] for inner in node.walk() if "start" in inner.meta]
    remedy = "write the query another way, or leave the example out"
    raise ProgramError(NAME, min(places, default=0), problem, remedy)


def _part(node: Any, *known: str) -> list[Any]:
    """The named arguments of a node; any other argument is refused."""
    for name, value in node.args.items():
        if value and name not in known and name not in _NOTES:
            _refuse(node, f"`{name.strip('_')}` in {node.key.upper()} is not supported")
    return [node.args.get(name) for name in known]


def _query(node: Any) -> Tree:
    kind = type(node).__name__
    if kind == "Select":
        return Tree("query", tuple(_iter_clauses(node)))
    if kind == "Subquery":
        (inner,) = _part(node, "this")
        return _query(inner)
    if kind not in SET_OPERATIONS:
        _refuse(node, f"{node.key.upper()} is not a query")
    left, right, distinct, order, limit, offset = _part(
        node, "this", "expression", "distinct", "order", "limit", "offset"
    )
    label = SET_OPERATIONS[kind] if distinct else f"{SET_OPERATIONS[kind]}_all"
    return Tree(label, (_query(left), _query(right), *_iter_tail(order, limit, offset)))


def _iter_clauses(node: Any) -> Iterator[Tree]:
    items, distinct, source, joins, where, group, having, order, limit, offset = _part(
        node, "expressions", "distinct", "from_", "joins", "where", "group", "having", "order", "limit", "offset"
    )
    if distinct:
        _part(distinct)
    if not items:
        _refuse(node, "SELECT has nothing to select")
    yield Tree("select_distinct" if distinct else "select", tuple(map(_projection, items)))
    if source:
        yield Tree("from", (_source(*_part(source, "this")),))
    yield from map(_join, joins or ())
    if where:
        yield Tree("where", (_expression(*_part(where, "this")),))
    if group:
        yield Tree("group", tuple(map(_expression, _part(group, "expressions")[0])))
    if having:
        yield Tree("having", (_expression(*_part(having, "this")),))
    yield from _iter_tail(order, limit, offset)


def _iter_tail(order: Any, limit: Any, offset: Any) -> Iterator[Tree]:
    if order:
        yield Tree("order", tuple(map(_ordered, _part(order, "expressions")[0])))
    if limit:
        yield Tree("limit", (_expression(*_part(limit, "expression")),))
    if offset:
        yield Tree("offset", (_expression(*_part(offset, "expression")),))


def _ordered(node: Any) -> Tree:
    inner, down, nulls_first = _part(node, "this", "desc", "nulls_first")
    if bool(nulls_first) == bool(down):  # SQLite's own order has nulls first, and last when it is turned round
        _refuse(node, "NULLS FIRST or LAST is not supported")
    return Tree("desc" if down else "asc", (_expression(inner),))


def _projection(node: Any) -> Tree:
    kind = type(node).__name__
    if kind == "Star":
        _part(node)
        return Tree("*")
    if kind == "Column" and type(node.this).__name__ == "Star":
        star, table = _part(node, "this", "table")
        _part(star)
        return Tree(".", (_name(table), Tree("*")))
    if kind == "Alias":
        inner, alias = _part(node, "this", "alias")
        return Tree("as", (_expression(inner), _name(alias)))
    return _expression(node)


def _source(node: Any) -> Tree:
    inner, alias = _part(node, "this", "alias")
    kind = type(inner).__name__
    if type(node).__name__ == "Table" and kind == "Identifier":
        source = _name(inner)
    elif type(node).__name__ == "Subquery":
        source = _source(inner) if kind == "Table" else _query(inner)
    else:
        _refuse(node, "FROM takes tables and queries only")
    return Tree("as", (source, _name(*_part(alias, "this")))) if alias else source


def _join(node: Any) -> Tree:
    inner, condition, using, side, kind = _part(node, "this", "on", "using", "side", "kind")
    if kind not in (None, "", "INNER", "CROSS", "OUTER"):
        _refuse(node, f"{kind} JOIN is not supported")
    label = f"{side.lower()}_join" if side else "join"
    parts = [_source(inner)]
    if using:
        parts.append(Tree("using", tuple(map(_expression, using))))
    # sqlglot writes a join without a condition as one on TRUE.
    if condition and not (type(condition).__name__ == "Boolean" and condition.this):
        parts.append(_expression(condition))
    return Tree(label, tuple(parts))


def _expression(node: Any) -> Tree:
    kind = type(node).__name__
    if kind in BINARY:
        left, right, negated = _part(node, "this", "expression", "negate")
        tree = Tree(BINARY[kind], (_expression(left), _expression(right)))
        return Tree("not", (tree,)) if negated else tree
    if kind in FUNCTIONS:
        return Tree(FUNCTIONS[kind], tuple(_iter_arguments(node)))
    if kind not in _READERS:
        _refuse(node, f"{node.key.upper()} is not supported here")
    return _READERS[kind](node)


def _iter_arguments(node: Any) -> Iterator[Tree]:
    inner, decimals, more = _part(node, "this", "decimals", "expressions")
    if more and type(node).__name__ != "Coalesce":
        _refuse(node, f"{node.key.upper()} takes one argument")
    kind = type(inner).__name__
    if inner is None:
        _refuse(node, f"{node.key.upper()} needs an argument")
    elif kind == "Star" and type(node).__name__ == "Count":
        yield Tree("*")
    elif kind == "Distinct":
        (items,) = _part(inner, "expressions")
        if len(items) != 1:
            _refuse(node, f"{node.key.upper()} takes one argument")
        yield Tree("distinct", (_expression(items[0]),))
    else:
        yield _expression(inner)
    yield from map(_expression, ([decimals] if decimals else []) + (more or []))


def _name(node: Any) -> Tree:
    if type(node).__name__ != "Identifier":
        _refuse(node, "a name is needed here")
    return Tree(f"`{node.this}`" if node.args.get("quoted") else node.this)


def _column(node: Any) -> Tree:
    inner, table = _part(node, "this", "table")
    return Tree(".", (_name(table), _name(inner))) if table else _name(inner)


def _literal(node: Any) -> Tree:
    return Tree("'" + node.this.replace("'", "''") + "'" if node.args["is_string"] else node.this)


def _negative(node: Any) -> Tree:
    (inner,) = _part(node, "this")
    tree = _expression(inner)
    number = type(inner).__name__ == "Literal" and not inner.args["is_string"]
    return Tree(f"-{tree.label}") if number else Tree("-", (tree,))


def _connective(node: Any) -> Tree:
    """A chain of AND or of OR as one node; sqlglot nests it to the left."""
    label, parts, waiting = node.key, [], [node]
    while waiting:
        inner = waiting.pop()
        while type(inner).__name__ == "Paren":
            (inner,) = _part(inner, "this")
        if inner.key == label:
            waiting += reversed(_part(inner, "this", "expression"))
        else:
            parts.append(_expression(inner))
    return Tree(label, tuple(parts))


def _not(node: Any) -> Tree:
    return Tree("not", (_expression(*_part(node, "this")),))


def _in(node: Any) -> Tree:
    inner, items, query = _part(node, "this", "expressions", "query")
    if not items and not query:
        _refuse(node, "IN with nothing to choose from")
    chosen = (_query(query),) if query else tuple(map(_expression, items))
    return Tree("in", (_expression(inner), *chosen))


def _between(node: Any) -> Tree:
    return Tree("between", tuple(map(_expression, _part(node, "this", "low", "high"))))


def _paren(node: Any) -> Tree:
    return _expression(*_part(node, "this"))


def _exists(node: Any) -> Tree:
    return Tree("exists", (_query(*_part(node, "this")),))


def _other_function(node: Any) -> Tree:
    name, items = _part(node, "this", "expressions")
    if not isinstance(name, str) or name.lower() in STRUCTURAL or not items:
        _refuse(node, f"the function {name} is not supported")
    return Tree(name, tuple(map(_expression, items)))


_READERS: dict[str, Callable[[Any], Tree]] = {
    "And": _connective,
    "Anonymous": _other_function,
    "Between": _between,
    "Boolean": lambda node: Tree("true" if node.this else "false"),
    "Column": _column,
    "Exists": _exists,
    "Identifier": _name,
    "In": _in,
    "Literal": _literal,
    "Neg": _negative,
    "Not": _not,
    "Null": lambda node: Tree(node.key),
    "Or": _connective,
    "Paren": _paren,
    "Subquery": _query,
}
