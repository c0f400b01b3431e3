"""SQL text to tree through sqlglot; `sql.py` describes the shape of the tree.

What a tree is read from can be written from it: a query with nodes that have no rules of their own is written and read
once more. Where sqlglot writes it another way (`IFNULL` for `COALESCE`), the tree is that of what it writes; where that
does not end, or something cannot be written, the query is refused as not read. Nothing is ever dropped.
"""

from __future__ import annotations

import logging
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from recombine.errors import NotReadError, ProgramError
from recombine.languages.room_to_recurse import room_to_recurse
from recombine.languages.sql.build_node import place_of
from recombine.languages.sql.build_query import QueryBuilder
from recombine.languages.sql.build_tree import TreeBuilder
from recombine.languages.sql.check import check
from recombine.languages.sql.dialect import NAME, SPIDER, classes, find_dialect
from recombine.languages.sql.labels import QUERIES
from recombine.languages.too_deep import refuse_too_deep, too_deep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.languages.sql.dialect import SqlDialect
    from recombine.tree import Tree

_QUOTED = re.compile(r"""'(?:''|[^'])*'|"(?:""|[^"])*"|`[^`]*`|\[[^\]]*\]|(['"`\[])""")
# What sqlglot needs: less than 25 calls for a level in any construct, and some for a query with none.
_CALLS_BEFORE, _CALLS_PER_LEVEL = 200, 30
_REMEDY = "write the query another way, or leave the example out"
_ROUNDS = 3
_STATEMENTS = frozenset({"Select", "Subquery", "Union", "Intersect", "Except"})
_LOGGER = logging.getLogger("sqlglot")


def parse(text: str) -> Tree:
    """Read one query as Spider writes it.

    >>> parse("select name from dogs").children
    (Tree(label='select', children=(Tree(label='name', ...),)), Tree(label='from', children=(Tree(label='dogs', ...),)))
    """
    dialect = find_dialect(SPIDER)
    tree, plain = read_once(text, dialect, NAME)
    if tree.label not in QUERIES:
        raise NotReadError(NAME, 0, f"{tree.label.upper()} is not a query", _REMEDY)
    return tree if plain else _written_and_read(tree, dialect, NAME)


def parse_dialect(text: str, dialect: SqlDialect) -> Tree:
    """Read one statement in a dialect.

    >>> parse_dialect("select a::int from b", find_dialect("postgres")).children[0].children
    (Tree(label='cast', children=(Tree(label='a', ...), Tree(label='::INT', ...))),)
    """
    return _written_and_read(read_once(text, dialect, dialect.language)[0], dialect, dialect.language)


def _written_and_read(tree: Tree, dialect: SqlDialect, language: str) -> Tree:
    """The tree that is read again from what is written from it."""
    for _ in range(_ROUNDS):
        try:
            again, _ = read_once(_checked(tree, dialect, language), dialect, language)
        except NotReadError:
            raise
        except ProgramError as error:
            raise NotReadError(language, 0, f"what is written from it is not read: {error.problem}", _REMEDY) from None
        if again == tree:
            return tree
        tree = again
    raise NotReadError(language, 0, "it is read in another way each time it is written", _REMEDY)


def _checked(tree: Tree, dialect: SqlDialect, language: str) -> str:
    """What is written from a tree, which must be the tree of the nodes that are built from it."""
    with room_to_recurse(_CALLS_BEFORE + _CALLS_PER_LEVEL * tree.depth()), _as_not_read(language):
        node = QueryBuilder(dialect, classes()).statement(tree)
        if TreeBuilder(dialect, language, classes()).query(node) != tree:
            raise NotReadError(language, 0, "its tree cannot be written", _REMEDY)
        return _generated(node, dialect)


def write(tree: Tree, dialect: SqlDialect, language: str) -> str:
    """Write a statement as sqlglot writes it in a dialect."""
    with room_to_recurse(_CALLS_BEFORE + _CALLS_PER_LEVEL * tree.depth()), _as_not_read(language):
        return _generated(QueryBuilder(dialect, classes()).statement(tree), dialect)


def _generated(node: Any, dialect: SqlDialect) -> str:
    from sqlglot.errors import ErrorLevel

    # The names of functions that sqlglot does not know are left as they are, as names that a normaliser has changed.
    options = {"unsupported_level": ErrorLevel.RAISE, "normalize_functions": False, "copy": False}
    return str(dialect.sqlglot.generate(node, **options))


@contextmanager
def _as_not_read(language: str) -> Iterator[None]:
    """What sqlglot cannot write is not read."""
    from sqlglot.errors import SqlglotError

    try:
        yield
    except (SqlglotError, AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        problem = f"sqlglot does not write it: {str(error) or type(error).__name__}"
        raise NotReadError(language, 0, problem, _REMEDY) from None


def read_once(text: str, dialect: SqlDialect, language: str) -> tuple[Tree, bool]:
    """The tree of a statement, and whether all of it has rules of its own."""
    from sqlglot.errors import ParseError, TokenError

    parser = None
    try:
        tokens = dialect.sqlglot.tokenize(text)
        levels = check(tokens, dialect, language=language)
        with room_to_recurse(_CALLS_BEFORE + _CALLS_PER_LEVEL * levels):
            parser = dialect.sqlglot.parser()
            builder = TreeBuilder(dialect, language, classes())
            with _without_notes():
                statements = parser.parse(tokens, text)
            tree = _only_statement(statements, tokens, builder, language)
    except TokenError:
        match = next((m for m in _QUOTED.finditer(text) if m.group(1)), None)
        raise ProgramError(language, match.start() if match else 0, "a quote that does not end", "close it") from None
    except ParseError as error:
        raise ProgramError(language, *_explained(text, error)) from None
    except RecursionError:  # a chain such as 1 + 1 + …, which needs no brackets
        raise too_deep(language) from None
    except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise ProgramError(language, _where(parser), f"sqlglot fails on it ({type(error).__name__})", _REMEDY) from None
    refuse_too_deep(tree, language=language)
    return tree, builder.plain


@contextmanager
def _without_notes() -> Iterator[None]:
    """Keep sqlglot from saying what becomes an error here anyway."""
    before, _LOGGER.disabled = _LOGGER.disabled, True
    try:
        yield
    finally:
        _LOGGER.disabled = before


def _only_statement(statements: list[Any], tokens: list[Any], builder: TreeBuilder, language: str) -> Tree:
    if not statements or statements[0] is None:
        raise ProgramError(language, 0, "an empty program", "leave the example out")
    if len(statements) > 1:
        end = next(token.start for token in tokens if token.text == ";")
        raise ProgramError(language, end, "more than one statement", "keep one query for each example")
    (node,) = statements
    is_query = type(node).__name__ in _STATEMENTS
    if not is_query and _is_expression(node):
        raise ProgramError(language, place_of(node), "an expression alone is no query", _REMEDY)
    if language == NAME and not is_query:
        raise NotReadError(language, place_of(node), f"{node.key.upper()} is not a query", _REMEDY)
    return builder.query(node)


def _is_expression(node: Any) -> bool:
    from sqlglot import exp

    return isinstance(node, (exp.Condition, exp.Alias, exp.Star)) and not isinstance(node, exp.Query)


def _where(parser: Any) -> int:
    """The position at which a parser stopped."""
    token = getattr(parser, "_curr", None) or getattr(parser, "_prev", None)
    return int(token.start) if token is not None else 0


def _explained(text: str, error: Any) -> tuple[int, str, str]:
    """Position, problem and remedy of sqlglot's error; its column is that of the token's last letter."""
    if not error.errors:
        return 0, str(error).splitlines()[0].lower().rstrip("."), "correct the query, or leave the example out"
    first = error.errors[0]
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    token = first["highlight"] or ""
    position = starts[min(first["line"], len(starts)) - 1] + first["col"] - len(token)
    missing = first["description"].startswith("Required keyword")
    problem = "an operand is missing" if missing else first["description"].lower().rstrip(".")
    return max(0, min(position, len(text))), f"{problem}, at {token!r}", "correct the query, or leave the example out"
