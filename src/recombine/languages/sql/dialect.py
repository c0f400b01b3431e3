"""The dialects in which SQL is read: those of sqlglot, and `spider`, SQLite's with strings in double quotes.

A dialect brings sqlglot's reader and writer, and what decides a meaning that the text does not say: where NULL stands
in an order, how names are compared, whether `+` may join strings. sqlglot is imported when the first dialect is asked
for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from recombine.errors import UnknownNameError
from recombine.languages.sql.labels import BINARY, FUNCTIONS, label_of_class

NAME = "sql"
"""The name of the language; a dialect's is `sql:NAME`."""
SPIDER = "spider"
"""The dialect of Spider's data, which the language `sql` reads without a name of a dialect."""
_NAMED_BY_CASE = frozenset({"bigquery", "clickhouse", "doris", "fabric", "mysql", "singlestore", "starrocks"})
_JOINS_STRINGS_BY_PLUS = frozenset({"dax", "fabric", "tableau", "tsql"})
_LAST_COMMA = frozenset({"bigquery", "clickhouse", "databricks", "duckdb", "snowflake"})
_OWN_ORDER = frozenset({"bigquery", "clickhouse", "databricks", "duckdb", "hive", "prql", "spark", "spark2", "dax"})
_EXAMPLE = "SELECT COUNT(x), SUM(x), ROUND(x, 1), LENGTH(x), COALESCE(x, y), a / b, a || b FROM t"


@dataclass(frozen=True)
class SqlDialect:
    """A dialect by its name, with what of it decides how trees are built, written and normalised."""

    name: str
    sqlglot: Any
    """sqlglot's own dialect."""
    notes: dict[str, dict[str, Any]]
    """Arguments that sqlglot sets by itself in nodes of a class, such as whether `/` is that of whole numbers."""

    @property
    def language(self) -> str:
        """The name of the language."""
        return f"{NAME}:{self.name}"

    @property
    def is_sqlite(self) -> bool:
        """Whether this is SQLite's, or Spider's."""
        return self.name in (SPIDER, "sqlite")

    @property
    def folds_names(self) -> bool:
        """Whether names without quotes are the same in upper and in lower case."""
        return self.name not in _NAMED_BY_CASE

    @property
    def folds_quoted_names(self) -> bool:
        """Whether names in quotes are, too."""
        return self.folds_names and self.sqlglot.normalization_strategy.name.startswith("CASE_INSENSITIVE")

    @property
    def adds_numbers_only(self) -> bool:
        """Whether `+` never joins strings, so that its sides may change places."""
        return self.name not in _JOINS_STRINGS_BY_PLUS

    @property
    def lets_a_last_comma_pass(self) -> bool:
        """Whether a list may end with a comma."""
        return self.name in _LAST_COMMA

    @property
    def has_the_usual_order(self) -> bool:
        """Whether the parts of a query have the order of the standard and no other."""
        return self.name not in _OWN_ORDER

    def nulls_first(self, *, down: bool) -> bool:
        """Whether NULL comes first where an order does not say."""
        small, last = (f"nulls_are_{word}" == self.sqlglot.NULL_ORDERING for word in ("small", "last"))
        return not last and down != small


def dialect_names() -> list[str]:
    """The names of all dialects."""
    from sqlglot.dialects.dialect import Dialect, Dialects

    known = {each.value for each in Dialects} | set(Dialect.classes)
    return sorted((known - {"", "spidersql"}) | {SPIDER})


@cache
def find_dialect(name: str) -> SqlDialect:
    """The dialect of a name.

    >>> find_dialect("postgres").language
    'sql:postgres'
    >>> find_dialect("postgre")
    Traceback (most recent call last):
    recombine.errors.UnknownNameError: unknown dialect of SQL 'postgre'; did you mean 'postgres'? known: athena, ...
    """
    from sqlglot.dialects.dialect import Dialect

    if name not in dialect_names():
        raise UnknownNameError("dialect of SQL", name, dialect_names())
    found = _spider() if name == SPIDER else Dialect.get_or_raise(name)
    return SqlDialect(name, found, _notes(found))


def _spider() -> Any:
    from sqlglot.dialects.sqlite import SQLite

    class SpiderSQL(SQLite):
        class Tokenizer(SQLite.Tokenizer):
            QUOTES: ClassVar[list[tuple[str, str] | str]] = ["'", '"']
            IDENTIFIERS: ClassVar[list[str | tuple[str, str]]] = ["`", ("[", "]")]

    return SpiderSQL()


def _notes(dialect: Any) -> dict[str, dict[str, Any]]:
    """What sqlglot sets by itself, found by reading an example of operators and functions with labels of their own."""
    from sqlglot.errors import SqlglotError

    try:
        (query,) = dialect.parse(_EXAMPLE)
        nodes = list(query.walk())
    except (SqlglotError, ValueError):  # a language of its own such as PRQL
        nodes = []
    notes: dict[str, dict[str, Any]] = {"Window": {"over": "OVER"}}
    for node in nodes:
        kind = type(node).__name__
        if kind in BINARY or kind in FUNCTIONS:
            notes[kind] = {name: value for name, value in node.args.items() if isinstance(value, bool) and value}
    return notes


@cache
def classes() -> dict[str, Any]:
    """sqlglot's classes of nodes by their labels."""
    from sqlglot import exp

    found = [each for each in vars(exp).values() if isinstance(each, type) and issubclass(each, exp.Expr)]
    return {label_of_class(each.__name__): each for each in found}
