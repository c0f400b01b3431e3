"""Reads the common part of SQL to the tree of `languages.sql`, many times as quickly as through sqlglot.

It reads SELECT with items, tables and inner queries, inner joins, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT and one set
operation, over names, numbers, strings, `+ - * /`, the five aggregates and the plain comparisons. Whatever else stands
in a text, a reserved word in place of a name among it, makes it give up: then the language's own reader says what the
text is, or what is wrong with it. So a text is read here only where both readers give one tree.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable

_TOKEN = re.compile(
    r"""[A-Za-z_][A-Za-z0-9_]*|[(),.*;+=]|'[^'\\]*'(?!')|"[^"\\]*"(?!")|<=|>=|<>|!=|<|>"""
    r"""|[0-9][A-Za-z0-9_.]*|--|/\*|-|/|[^ \t\n\r]"""
)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_WORDS_FILE = Path(__file__).with_name("reserved_words.txt")
_AGGREGATES = frozenset({"count", "sum", "avg", "min", "max"})
_OPERATIONS = frozenset({"union", "intersect", "except"})
_COMPARISONS = {"=": "=", "!=": "!=", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "like": "like"}
_NAME_STARTS = frozenset("abcdefghijklmnopqrstuvwxyz_")
_DIGITS = frozenset("0123456789")
_LONGEST, _MOST_SIGNS = 1000, 14
"""The most tokens, and the most opening brackets and signs, of what is read: below the deepest tree there may be."""
_STAR = Tree("*")


class _GivesUpError(Exception):
    """What is read is not of the common part."""


@lru_cache(maxsize=1)
def reserved_words() -> frozenset[str]:
    """The words that sqlglot does not always take for names, in lower case."""
    return frozenset(_WORDS_FILE.read_text(encoding="utf-8").split())


def quick_parse(text: str) -> Tree | None:
    """The tree of a query, as `languages.sql` has it; none for a text that is not plainly of the common part.

    >>> quick_parse("select name from dogs").children
    (Tree(label='select', children=(Tree(label='name', ...),)), Tree(label='from', children=(Tree(label='dogs', ...),)))
    >>> quick_parse("select cast(age as real) from dogs") is None
    True
    """
    words = _TOKEN.findall(text)
    if words and words[-1] == ";":
        words.pop()
    signs = sum(map(words.count, "(+-*/"))
    if len(words) > _LONGEST or signs > _MOST_SIGNS:
        return None
    reader = _Reader(words)
    try:
        tree = reader.query()
    except _GivesUpError:
        return None
    return tree if reader.at == len(words) else None


class _Reader:
    """The tokens of a text, also in lower case, and how far they were read; an empty token is the end."""

    __slots__ = ("at", "leaves", "low", "reserved", "words")

    def __init__(self, words: list[str]) -> None:
        self.words = [*words, "", ""]
        self.low = [word.lower() for word in self.words]
        self.at = 0
        self.reserved = reserved_words()
        self.leaves: dict[str, Tree] = {}

    def give_up(self) -> NoReturn:
        raise _GivesUpError

    def expect(self, word: str) -> None:
        if self.low[self.at] != word:
            raise _GivesUpError
        self.at += 1

    def skip(self, word: str) -> bool:
        if self.low[self.at] != word:
            return False
        self.at += 1
        return True

    def leaf(self, label: str) -> Tree:
        found = self.leaves.get(label)
        if found is None:
            found = self.leaves[label] = Tree(label)
        return found

    # -- queries --------------------------------------------------------------------------------------------------

    def query(self) -> Tree:
        clauses = self.clauses()
        tail = self.tail()
        word = self.low[self.at]
        if word not in _OPERATIONS:
            return Tree("query", (*clauses, *tail))
        self.at += 1
        if self.low[self.at] != "select":  # ALL, or a query in brackets
            self.give_up()
        left, right = Tree("query", (*clauses, *tail)), Tree("query", self.clauses())
        # What comes after the second query is the tail of both.
        made = Tree(word, (left, right, *self.tail()))
        if self.low[self.at] in _OPERATIONS:
            self.give_up()
        return made

    def clauses(self) -> tuple[Tree, ...]:
        """A query without its tail: from SELECT to HAVING."""
        self.expect("select")
        label = "select_distinct" if self.skip("distinct") else "select"
        if label == "select_distinct" and self.low[self.at] == "(":
            self.give_up()
        items = [self.item()]
        while self.skip(","):
            items.append(self.item())
        self.expect("from")
        parts = [Tree(label, tuple(items)), Tree("from", (self.source(),))]
        parts += self.joins()
        if self.skip("where"):
            parts.append(Tree("where", (self.condition(),)))
        if self.skip("group"):
            self.expect("by")
            columns = [self.sum()]
            while self.skip(","):
                columns.append(self.sum())
            parts.append(Tree("group", tuple(columns)))
        if self.skip("having"):
            parts.append(Tree("having", (self.condition(),)))
        return tuple(parts)

    def joins(self) -> list[Tree]:
        made = []
        while True:
            word = self.low[self.at]
            if word == ",":
                self.at += 1
                made.append(Tree("join", (self.source(),)))
                if self.low[self.at] == "on":
                    self.give_up()
            elif word == "join" or (word == "inner" and self.low[self.at + 1] == "join"):
                self.at += 1 if word == "join" else 2
                source = self.source()
                made.append(Tree("join", (source, self.condition()) if self.skip("on") else (source,)))
            else:
                return made

    def tail(self) -> list[Tree]:
        parts = []
        if self.skip("order"):
            self.expect("by")
            keys = [self.ordered()]
            while self.skip(","):
                keys.append(self.ordered())
            parts.append(Tree("order", tuple(keys)))
        if self.skip("limit"):
            parts.append(Tree("limit", (self.number(),)))
        return parts

    def item(self) -> Tree:
        if self.low[self.at] == "*":
            self.at += 1
            return _STAR
        item = self.sum(star=True)
        if self.skip("as"):
            if item.label == "." and item.children[1] is _STAR:
                self.give_up()
            return Tree("as", (item, self.name()))
        return item

    def source(self) -> Tree:
        if self.skip("("):
            source = self.query()
            self.expect(")")
        else:
            source = self.name()
        if self.skip("as"):
            return Tree("as", (source, self.name()))
        word = self.low[self.at]
        if word[:1] in _NAME_STARTS and word not in self.reserved:
            return Tree("as", (source, self.name()))
        return source

    def ordered(self) -> Tree:
        key = self.sum()
        if self.skip("desc"):
            return Tree("desc", (key,))
        self.skip("asc")
        return Tree("asc", (key,))

    # -- conditions -----------------------------------------------------------------------------------------------

    def condition(self) -> Tree:
        return self.chain("or", self.conjunction)

    def conjunction(self) -> Tree:
        return self.chain("and", self.comparison)

    def chain(self, label: str, read: Callable[[], Tree]) -> Tree:
        first = read()
        if self.low[self.at] != label:
            return first
        parts = [first]
        while self.skip(label):
            parts.append(read())
        # A chain in brackets is one with the chain around it.
        flat = [inner for part in parts for inner in (part.children if part.label == label else (part,))]
        return Tree(label, tuple(flat))

    def comparison(self) -> Tree:
        if self.low[self.at] == "(" and self.low[self.at + 1] != "select":
            self.at += 1
            inner = self.condition()
            self.expect(")")
            if inner.label not in ("and", "or"):  # an operand in brackets may go on after them
                self.give_up()
            return inner
        left = self.sum()
        negated = self.skip("not")
        word = self.low[self.at]
        self.at += 1
        if word == "in":
            made = Tree("in", (left, *self.choice()))
        elif word == "between":
            low = self.sum()
            self.expect("and")
            made = Tree("between", (left, low, self.sum()))
        elif word in _COMPARISONS and (word == "like" or not negated):
            made = Tree(_COMPARISONS[word], (left, self.sum()))
        else:
            self.give_up()
        return Tree("not", (made,)) if negated else made

    def choice(self) -> list[Tree]:
        """What IN chooses from: one query, or values."""
        self.expect("(")
        if self.low[self.at] == "select":
            items = [self.query()]
        else:
            items = [self.sum()]
            while self.skip(","):
                items.append(self.sum())
        self.expect(")")
        return items

    # -- expressions ----------------------------------------------------------------------------------------------

    def sum(self, *, star: bool = False) -> Tree:
        left = self.product(star=star)
        while (sign := self.words[self.at]) in ("+", "-"):
            self.at += 1
            left = Tree(sign, (left, self.product()))
        return left

    def product(self, *, star: bool = False) -> Tree:
        left = self.operand(star=star)
        while (sign := self.words[self.at]) in ("*", "/"):
            self.at += 1
            left = Tree(sign, (left, self.operand()))
        return left

    def operand(self, *, star: bool = False) -> Tree:
        word = self.words[self.at]
        first = word[:1]
        if first in _DIGITS:
            return self.number()
        if first in ("'", '"') and len(word) > 1:
            self.at += 1
            return self.leaf(word if first == "'" else "'" + word[1:-1].replace("'", "''") + "'")
        if first == "(":
            self.at += 1
            inner = self.query() if self.low[self.at] == "select" else self.sum()
            self.expect(")")
            return inner
        after = self.words[self.at + 1]
        if word == "-":
            self.at += 1
            return self.leaf(f"-{self.number().label}")
        if after == "(":
            return self.aggregate()
        name = self.name()
        return self.column(name, star=star) if after == "." else name

    def number(self) -> Tree:
        word = self.words[self.at]
        if not _NUMBER.fullmatch(word):
            self.give_up()
        self.at += 1
        return self.leaf(word)

    def column(self, table: Tree, *, star: bool) -> Tree:
        """A column after its table; `table.*` only where it may stand."""
        self.at += 1
        if star and self.words[self.at] == "*":
            self.at += 1
            return Tree(".", (table, _STAR))
        column = self.name()
        if self.words[self.at] in ("(", "."):
            self.give_up()
        return Tree(".", (table, column))

    def aggregate(self) -> Tree:
        word = self.low[self.at]
        if word not in _AGGREGATES:
            self.give_up()
        self.at += 2
        if word == "count" and self.skip("*"):
            inner = _STAR
        elif self.skip("distinct"):
            if self.words[self.at] == "(":
                self.give_up()
            inner = Tree("distinct", (self.sum(),))
        else:
            inner = self.sum()
        self.expect(")")
        return Tree(word, (inner,))

    def name(self) -> Tree:
        word = self.low[self.at]
        if word[:1] not in _NAME_STARTS or word in self.reserved:
            self.give_up()
        self.at += 1
        return self.leaf(self.words[self.at - 1])
