"""Reads a query the way the published evaluator does, with what it refuses and what it lets pass.

It reads a part of SQL, and reads it loosely. Of an alias that stands in two inner queries it knows the last; a column
without a table is that of the first table in FROM that has it; directions of ORDER BY but the last are lost; what comes
after the end of the query, and after the first column of an expression that something is compared with, is passed over.
It refuses a comma or an outer join in FROM, an alias of an item or of an inner query, CASE, CAST, IS NULL, a list of
values after IN, `<>`, functions other than the five, `t.*`, and names that the schema does not have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from recombine.errors import ProgramError
from recombine.evaluation.match.spider.query import Column, Condition, Item, Query, Term
from recombine.evaluation.match.spider.tokens import LANGUAGE, position, tokens

if TYPE_CHECKING:
    from recombine.evaluation.match.spider.query import Conditions, Value
    from recombine.evaluation.match.spider.schema import Schema

FUNCTIONS = frozenset({"none", "max", "min", "count", "sum", "avg"})
CLAUSES = frozenset({"select", "from", "where", "group", "order", "limit", "intersect", "union", "except"})
OPERATIONS = frozenset({"intersect", "union", "except"})
COMPARISONS = frozenset({"not", "between", "=", ">", "<", ">=", "<=", "!=", "in", "like", "is", "exists"})
ARITHMETIC = frozenset({"none", "-", "+", "*", "/"})
_JOINING = frozenset({"join", "on", "as"})
_ENDS = CLAUSES | {")", ";"}
_AFTER_CONDITIONS = _ENDS | _JOINING
_AFTER_VALUE = CLAUSES | _JOINING | {",", ")", "and"}
_NO_WORD = ""
"""What stands after the last word; no word is empty."""
_REMEDY = "the published evaluator reads no such query"


def read_query(text: str, schema: Schema) -> Query:
    """The parts of a query over this database; one that the published evaluator cannot read is a `ProgramError`.

    >>> from recombine.evaluation.match.spider.schema import Schema
    >>> schema = Schema("dogs", {"dogs": frozenset({"name", "age"})}, {})
    >>> query = read_query("SELECT T1.name FROM dogs AS T1 WHERE age > 3", schema)
    >>> query.select[0].term.left.name, query.where[0].term.left.name, query.tables
    ('dogs.name', 'dogs.age', ('dogs',))
    """
    words = tokens(text)
    reader = _Reader(words, text, schema)
    reader.find_aliases()
    return reader.query()


class _Reader:
    """The words of a query, and how far they were read."""

    def __init__(self, words: list[str], text: str, schema: Schema) -> None:
        self.words, self.text, self.schema = [*words, _NO_WORD], text, schema
        self.at = 0
        self.end = len(words)
        self.tables: dict[str, str] = {}
        """The table that each name of one stands for, in the whole of the query."""

    def refuse(self, problem: str) -> NoReturn:
        raise ProgramError(LANGUAGE, position(self.text, self.at), problem, _REMEDY)

    def find_aliases(self) -> None:
        words = self.words
        for place in range(self.end):
            if words[place] == "as":
                if place + 1 == self.end:
                    self.at = place
                    self.refuse("AS with nothing after it")
                self.tables[words[place + 1]] = words[place - 1]
        for table in self.schema.columns:
            if table in self.tables:
                self.at = next(n for n in range(self.end) if words[n - 1] == "as" and words[n] == table)
                self.refuse(f"the alias {table!r} is the name of a table")
            self.tables[table] = table

    def skip(self, word: str) -> bool:
        """Step over this word, where it is the next."""
        if self.words[self.at] != word:
            return False
        self.at += 1
        return True

    def expect(self, word: str) -> None:
        if not self.skip(word):
            found = self.words[self.at]
            self.refuse(f"{word!r} is missing before {found!r}" if found else f"{word!r} is missing at the end")

    def query(self) -> Query:
        """A query with all that follows it."""
        in_brackets = self.skip("(")
        start = self.at
        tables, known, on = self.sources()
        after, self.at = self.at, start
        distinct, select = self.select(known)
        self.at = after
        where = self.conditions(known) if self.skip("where") else ()
        group = self.group(known)
        having = self.conditions(known) if self.skip("having") else ()
        order = self.order(known)
        limit = self.limit()
        self.skip_semicolons()
        if in_brackets:
            self.expect(")")
        self.skip_semicolons()
        operation, other = "", None
        if self.words[self.at] in OPERATIONS:
            operation = self.words[self.at]
            self.at += 1
            other = self.query()
        return Query(distinct, select, tables, on, where, group, having, order, limit, operation, other)

    def skip_semicolons(self) -> None:
        while self.skip(";"):
            pass

    def select(self, known: list[str]) -> tuple[bool, tuple[Item, ...]]:
        self.expect("select")
        distinct = self.skip("distinct")
        items = []
        while self.at < self.end and self.words[self.at] not in CLAUSES:
            function = self.function()
            items.append(Item(function, self.term(known)))
            self.skip(",")
        return distinct, tuple(items)

    def function(self) -> str:
        """The name of a function, where one is next."""
        word = self.words[self.at]
        if word not in FUNCTIONS:
            return "none"
        self.at += 1
        return word

    def sources(self) -> tuple[tuple[str | Query, ...], list[str], Conditions]:
        """What stands in FROM: tables and inner queries, the tables alone, and all conditions of joins as one."""
        try:
            self.at = self.words.index("from", self.at) + 1
        except ValueError:
            self.refuse("FROM is missing")
        sources: list[str | Query] = []
        known: list[str] = []
        on: list[Condition | str] = []
        while self.at < self.end:
            in_brackets = self.skip("(")
            if self.words[self.at] == "select":
                sources.append(self.query())
            else:
                self.skip("join")
                known.append(self.table())
                sources.append(known[-1])
            if self.skip("on"):
                found = self.conditions(known)
                on += ["and", *found] if on else found
            if in_brackets:
                self.expect(")")
            if self.words[self.at] in _ENDS:
                break
        return tuple(sources), known, tuple(on)

    def table(self) -> str:
        name = self.tables.get(self.words[self.at])
        if name is None or name not in self.schema.columns:
            self.refuse(f"{self.words[self.at]!r} is no table of {self.schema.name}")
        self.at += 3 if self.words[self.at + 1] == "as" else 1
        return name

    def conditions(self, known: list[str]) -> Conditions:
        found: list[Condition | str] = []
        while self.at < self.end:
            found.append(self.condition(known))
            word = self.words[self.at]
            if word in _AFTER_CONDITIONS:
                break
            if word in ("and", "or"):
                found.append(word)
                self.at += 1
        if any(isinstance(part, str) for part in found[::2]):
            self.refuse("conditions with no AND or OR between")
        return tuple(found)

    def condition(self, known: list[str]) -> Condition:
        term = self.term(known)
        negated = self.skip("not")
        operator = self.words[self.at]
        if operator not in COMPARISONS:
            self.refuse(f"{operator!r} is no comparison" if operator else "a comparison is missing at the end")
        self.at += 1
        first, second = self.value(known), None
        if operator == "between":
            self.expect("and")
            second = self.value(known)
        return Condition(negated, operator, term, first, second)

    def value(self, known: list[str]) -> Value:
        start, in_brackets = self.at, self.skip("(")
        word = self.words[self.at]
        value: Value
        if word == "select":
            value = self.query()
        elif '"' in word:
            value = word
            self.at += 1
        else:
            number = _number(word)
            value = number
            if number is None:
                value = self.column_value(start, known)
            else:
                self.at += 1
        if in_brackets:
            self.expect(")")
        return value

    def column_value(self, start: int, known: list[str]) -> Column:
        """The first column of an expression, which ends before a comma, a closing bracket, AND or a clause."""
        stop = self.at
        while stop < self.end and self.words[stop] not in _AFTER_VALUE:
            stop += 1
        end, after = self.end, self.words[stop]
        # It reads the expression by itself: what comes after is as if the query ended there.
        self.at, self.end, self.words[stop] = start, stop, _NO_WORD
        try:
            column = self.column(known)
        finally:
            self.end, self.words[stop] = end, after
        self.at = stop
        return column

    def term(self, known: list[str]) -> Term:
        in_brackets = self.skip("(")
        left, operator, right = self.column(known), "none", None
        if self.words[self.at] in ARITHMETIC:
            operator = self.words[self.at]
            self.at += 1
            right = self.column(known)
        if in_brackets:
            self.expect(")")
        return Term(operator, left, right)

    def column(self, known: list[str]) -> Column:
        in_brackets = self.skip("(")
        if self.words[self.at] in FUNCTIONS:
            function = self.function()
            self.expect("(")
            distinct = self.skip("distinct")
            name = self.name(known)
            self.expect(")")  # one bracket around a function stays open: so it is in the published program
            return Column(function, name, distinct)
        distinct = self.skip("distinct")
        name = self.name(known)
        if in_brackets:
            self.expect(")")
        return Column("none", name, distinct)

    def name(self, known: list[str]) -> str:
        """The column that a word names: of the table before its full stop, or of the first table that has it."""
        word, columns = self.words[self.at], self.schema.columns
        if word == "*":
            self.at += 1
            return word
        if "." in word:
            called, _, column = word.partition(".")
            table = self.tables.get(called, "")
            if column not in columns.get(table, ()):
                self.refuse(f"{word!r} is no column of {self.schema.name}")
        else:
            column = word
            table = next((table for table in known if column in columns[table]), "")
            if not table:
                self.refuse(f"{word!r} is no column of a table in FROM" if word else "a column is missing at the end")
        self.at += 1
        return f"{table}.{column}"

    def group(self, known: list[str]) -> tuple[Column, ...]:
        columns: list[Column] = []
        if self.skip("group"):
            self.expect("by")
            while self.at < self.end and self.words[self.at] not in _ENDS:
                columns.append(self.column(known))
                if not self.skip(","):
                    break
        return tuple(columns)

    def order(self, known: list[str]) -> tuple[str, tuple[Term, ...]] | None:
        if not self.skip("order"):
            return None
        self.expect("by")
        direction, terms = "asc", []
        while self.at < self.end and self.words[self.at] not in _ENDS:
            terms.append(self.term(known))
            if self.words[self.at] in ("asc", "desc"):
                direction = self.words[self.at]
                self.at += 1
            if not self.skip(","):
                break
        return direction, tuple(terms)

    def limit(self) -> bool:
        if not self.skip("limit"):
            return False
        if self.at >= self.end:
            self.refuse("LIMIT with nothing after it")
        self.at += 1
        return True


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None
