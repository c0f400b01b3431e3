"""The chart parser for context-free rules, quicker: rules are tried only at words that they can begin with.

The chart is that of `chart.py`, filled in an order in which what a rule begins with is known before the rule is tried,
so that one pass per position is enough unless the grammar is left-recursive. `first` reads one derivation off the chart
without building the forest of all. Each side must have one part and use every child once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import DerivationError
from recombine.grammars.contains_itself import contains_itself
from recombine.grammars.terms.chart import ChartParser, Open, Production, _advance
from recombine.grammars.terms.rule import Ref

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.grammars.formalism import Term
    from recombine.grammars.terms.chart import Word
    from recombine.grammars.terms.rule import Rule

Key = tuple[str, int]
Row = tuple[str | Key, ...]
Ends = dict[Key, list[int]]
# A rule as it is read off the chart: its name, its row, and which child each symbol of the row is.
_Reading = tuple[str, Row, tuple[int, ...]]


class WordChart(ChartParser):
    """A parser for one side, `source` or `target`, of context-free rules.

    >>> from recombine.grammars.terms.read_grammar import parse_grammar
    >>> g = parse_grammar("%start <S>\\na: <S> -> x <S> => <S> y\\nb: <S> -> z => z")
    >>> WordChart(g.rules.values(), "target").first("z y y".split(), "S")
    ('a', (('a', (('b', ()),)),))
    """

    def __init__(self, rules: Iterable[Rule], side: str) -> None:
        productions = []
        for rule in rules:
            parts = (rule.source if side == "source" else rule.target) or ()
            used = sorted(e.child for part in parts for e in part if isinstance(e, Ref))
            if len(parts) != 1 or used != list(range(len(rule.children))):
                raise DerivationError(
                    f"the {side} of the rule {rule.name!r} is not context-free",
                    "give it one part that has every symbol of the rule once",
                )
            piece = (rule.name, tuple(range(len(rule.children))))
            productions.append(Production(rule.lhs, rule.children, parts, piece))
        super().__init__(productions)
        self._index()

    def _index(self) -> None:
        table = dict(self._steps)
        self._empty = _empty_symbols(table)
        self._beginnings = _beginnings(table, self._empty)
        order, self._circular = _order({key: self._corners(rows) for key, rows in table.items()})
        self._loop = _loop(table, self._empty)
        words = {element for rows in table.values() for row in rows for element in row if isinstance(element, str)}
        # The rows to try at each word; the empty text stands for all other words and for the end of the input.
        self._rows: dict[str, list[tuple[Key, list[Row]]]] = {}
        self._readings: dict[tuple[Key, str], list[_Reading]] = {}
        for word in ["", *sorted(words)]:
            tried = [(key, [row for row in table[key] if self._fits(row, word)]) for key in order]
            self._rows[word] = [(key, rows) for key, rows in tried if rows]
            for lhs, productions in self.by_lhs.items():
                readings = [_reading(production) for production in productions]
                self._readings[(lhs, 0), word] = [row for row in readings if self._fits(row[1], word)]

    def _fits(self, row: Row, word: str) -> bool:
        """Whether a row can begin with a word, or be empty."""
        for element in row:
            if isinstance(element, str):
                return element == word
            if word in self._beginnings[element]:
                return True
            if element not in self._empty:
                return False
        return True

    def _corners(self, rows: Sequence[Row]) -> list[Key]:
        """The symbols that the rows can begin with, those after empty ones included."""
        corners: dict[Key, None] = {}
        for row in rows:
            for element in row:
                if isinstance(element, str):
                    break
                corners[element] = None
                if element not in self._empty:
                    break
        return list(corners)

    def _chart(self, words: tuple[Word, ...]) -> Ends:
        if any(isinstance(word, Open) for word in words):
            return super()._chart(words)
        size = len(words)
        ends: Ends = {key: [0] * (size + 1) for key, _ in self._steps}
        elsewhere = self._rows[""]
        for start in range(size, -1, -1):
            word = words[start] if start < size else ""
            rows = self._rows.get(str(word), elsewhere)
            changed = True
            while changed:
                changed = False
                for key, sides in rows:
                    reached = 0
                    for side in sides:
                        reached |= _advance(side, start, words, ends)
                    if reached & ~ends[key][start]:
                        ends[key][start] |= reached
                        changed = self._circular
        return ends

    def first(self, words: Sequence[str], symbol: str) -> Term | None:
        """The first derivation of the words, or none: earlier rules before later ones, short first children first."""
        if self._loop is not None:
            raise DerivationError(
                f"<{self._loop}> can be made of itself alone, so an input can have infinitely many derivations",
                "remove the circular rules",
            )
        words = tuple(words)
        ends = self._chart(words)
        key = (symbol, 0)
        if key not in ends or not ends[key][0] >> len(words) & 1:
            return None
        return self._term(key, 0, len(words), words, ends)

    def _term(self, key: Key, start: int, stop: int, words: tuple[str, ...], ends: Ends) -> Term:
        word = words[start] if start < len(words) else ""
        for name, row, places in self._readings.get((key, word)) or self._readings[key, ""]:
            spans = _spans(row, 0, start, stop, words, ends)
            if spans is None:
                continue
            children: list[Term] = [("", ())] * len(places)
            for place, (child, low, high) in zip(places, spans, strict=True):
                children[place] = self._term(child, low, high, words, ends)
            return name, tuple(children)
        raise AssertionError  # the chart says that there is one


def _reading(production: Production) -> _Reading:
    (part,) = production.side
    row = tuple((production.children[e.child], 0) if isinstance(e, Ref) else e for e in part)
    return production.piece[0], row, tuple(e.child for e in part if isinstance(e, Ref))


def _spans(
    row: Row, place: int, start: int, stop: int, words: tuple[str, ...], ends: Ends
) -> list[tuple[Key, int, int]] | None:
    """The first way to lay a row, from a place on, over a range: the range of each of its symbols."""
    last = len(row) - 1
    while place <= last:
        element = row[place]
        if isinstance(element, str):
            if start >= stop or words[start] != element:
                return None
            start += 1
            place += 1
            continue
        reach = ends[element][start]
        if place == last:
            return [(element, start, stop)] if reach >> stop & 1 else None
        reach &= (2 << stop) - 1
        while reach:
            low = reach & -reach
            reach ^= low
            end = low.bit_length() - 1
            rest = _spans(row, place + 1, end, stop, words, ends)
            if rest is not None:
                return [(element, start, end), *rest]
        return None
    return [] if start == stop else None


def _empty_symbols(table: dict[Key, list[Row]]) -> set[Key]:
    """The symbols that can stand for no words at all."""
    empty: set[Key] = set()
    size = -1
    while size < len(empty):
        size = len(empty)
        empty.update(key for key, rows in table.items() if any(empty.issuperset(row) for row in rows))
    return empty


def _beginnings(table: dict[Key, list[Row]], empty: set[Key]) -> dict[Key, set[str]]:
    """The words that each symbol can begin with."""
    beginnings: dict[Key, set[str]] = {key: set() for key in table}
    changed = True
    while changed:
        changed = False
        for key, rows in table.items():
            size = len(beginnings[key])
            for row in rows:
                for element in row:
                    beginnings[key] |= {element} if isinstance(element, str) else beginnings[element]
                    if element not in empty:
                        break
            changed = changed or len(beginnings[key]) > size
    return beginnings


def _order(corners: dict[Key, list[Key]]) -> tuple[list[Key], bool]:
    """The symbols, each after those it can begin with; and whether some can begin with itself."""
    order: list[Key] = []
    seen: set[Key] = set()

    def visit(key: Key) -> None:
        if key not in seen:
            seen.add(key)
            for corner in corners[key]:
                visit(corner)
            order.append(key)

    for key in corners:
        visit(key)
    place = {key: number for number, key in enumerate(order)}
    return order, any(place[corner] >= place[key] for key in order for corner in corners[key])


def _loop(table: dict[Key, list[Row]], empty: set[Key]) -> str | None:
    """A symbol that can be made of itself alone, if there is one."""
    below: dict[Key, set[Key]] = {key: set() for key in table}
    for key, rows in table.items():
        for row in rows:
            for place, element in enumerate(row):
                if not isinstance(element, str) and empty.issuperset(row[:place] + row[place + 1 :]):
                    below[key].add(element)
    itself = contains_itself(below)
    return None if itself is None else itself[0]
