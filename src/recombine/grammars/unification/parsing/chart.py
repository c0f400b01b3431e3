"""Finds every way in which grammar rules make a text: a chart filled from the last word to the first.

All constituents that begin at a word are found from that word upwards, so that a category may begin with itself; what
follows them is known already. A constituent is only tried where the word before it and the word after it are words that
can stand there, which leaves little to try in vain. Features are numbers (`feature_tables.py`). Constituents with one
category, one feature structure and one stretch of words are one node, with a list of the ways to make it.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from recombine.grammars.unification.parsing.feature_tables import FeatureTables
from recombine.grammars.unification.rules.rule import Constituent, GrammarRule, Literal, StartRule

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PLACEHOLDER = "[entity]"
"""The word that stands for the name of an entity."""
_EDGE = ""
"""The word before the first and after the last."""
Way = tuple[int, tuple["Node", ...]]
"""A rule, by number, and its parts."""


class Node:
    """A constituent that was found: its ways are alternatives."""

    __slots__ = ("_readings", "category", "cost", "end", "start", "structure", "ways")

    def __init__(self, category: int, structure: int, start: int, end: int) -> None:
        self.category, self.structure, self.start, self.end = category, structure, start, end
        self.ways: list[Way] = []
        self.cost = self._readings = -1

    def count_readings(self) -> int:
        """In how many ways it can be made."""
        if self._readings < 0:
            self._readings = sum(prod([part.count_readings() for part in parts]) for _, parts in self.ways)
        return self._readings


class _Compiled:
    """A rule with its tables: what it asks for, element by element."""

    __slots__ = ("category", "done", "elements", "following", "number", "parts", "steps")

    def __init__(self, number: int, category: int, elements: tuple[tuple[str, ...] | int, ...]) -> None:
        self.number, self.category, self.elements = number, category, elements
        self.steps: tuple[dict[tuple[int, int], int], ...] = tuple({} for _ in elements)
        self.done: dict[int, int] = {}
        self.following = tuple(each[0] if isinstance(each, tuple) else None for each in (*elements[1:], 0))
        """For each element, the word that must stand after it, where the rule says one."""
        self.parts: dict[int, Constituent] = {}


class _Row:
    """What is being found at one word."""

    __slots__ = ("agenda", "known", "rows", "size", "start", "words")

    def __init__(self, words: Sequence[str], start: int, rows: list[dict[int, list[Node]]]) -> None:
        self.words, self.start, self.rows, self.size = words, start, rows, len(words)
        self.known: dict[tuple[int, int, int], Node] = {}
        self.agenda: list[Node] = []


class Chart:
    """A parser for the grammar rules of a set."""

    def __init__(
        self,
        rules: Sequence[GrammarRule],
        starts: Sequence[StartRule],
        values: Mapping[str, tuple[str, ...] | None],
    ) -> None:
        self.rules, self.starts = rules, starts
        self.tables = FeatureTables(rules, starts, values)
        names = dict.fromkeys([rule.left.category for rule in rules])
        for rule in rules:
            names.update(dict.fromkeys(part.category for part in rule.right if isinstance(part, Constituent)))
        self.categories = {name: number for number, name in enumerate(names)}
        self.compiled = [self._compile(number, rule) for number, rule in enumerate(rules)]
        self.vocabulary = {word for rule in self.compiled for e in rule.elements if isinstance(e, tuple) for word in e}
        self._by_word: dict[str, list[_Compiled]] = {}
        self._by_category: list[dict[str | None, list[_Compiled]]] = [{} for _ in self.categories]
        """By the category that rules begin with, and the word that must follow it."""
        for compiled in self.compiled:
            first = compiled.elements[0]
            if isinstance(first, tuple):
                self._by_word.setdefault(first[0], []).append(compiled)
            else:
                self._by_category[first].setdefault(compiled.following[0], []).append(compiled)
        self._begun: dict[tuple[int, int], dict[str | None, list[tuple[_Compiled, int]]]] = {}
        """By category and structure: the rules that begin with such a constituent, each with its state after it."""
        self.before, self.after = self._neighbours()

    def _compile(self, number: int, rule: GrammarRule) -> _Compiled:
        elements = tuple(
            tuple(part.text.split()) if isinstance(part, Literal) else self.categories[part.category]
            for part in rule.right
        )
        compiled = _Compiled(number, self.categories[rule.left.category], elements)
        compiled.parts = {place: part for place, part in enumerate(rule.right) if isinstance(part, Constituent)}
        return compiled

    def _neighbours(self) -> tuple[dict[str, frozenset[int]], dict[str, frozenset[int]]]:
        """By word: the categories that can stand right after it, and those that can stand right before it."""
        size = len(self.categories)
        first, last = self._edges(0), self._edges(-1)
        before: list[set[str]] = [set() for _ in range(size)]
        after: list[set[str]] = [set() for _ in range(size)]
        for start in self.starts:
            if start.constituent.category in self.categories:
                before[self.categories[start.constituent.category]].add(_EDGE)
                after[self.categories[start.constituent.category]].add(_EDGE)
        for rule in self.compiled:
            for left, right in zip(rule.elements, rule.elements[1:], strict=False):
                if isinstance(right, int):
                    before[right] |= {left[-1]} if isinstance(left, tuple) else last[left]
                if isinstance(left, int):
                    after[left] |= {right[0]} if isinstance(right, tuple) else first[right]
        changed = True
        while changed:
            changed = False
            for rule in self.compiled:
                for words, element in ((before, rule.elements[0]), (after, rule.elements[-1])):
                    if isinstance(element, int) and not words[rule.category] <= words[element]:
                        words[element] |= words[rule.category]
                        changed = True
        return _turned(before), _turned(after)

    def _edges(self, place: int) -> list[set[str]]:
        """The words that each category can begin (0) or end (-1) with."""
        words: list[set[str]] = [set() for _ in self.categories]
        changed = True
        while changed:
            changed = False
            for rule in self.compiled:
                element = rule.elements[place]
                more = {element[place]} if isinstance(element, tuple) else words[element]
                if not more <= words[rule.category]:
                    words[rule.category] |= more
                    changed = True
        return words

    # -- parsing ---------------------------------------------------------------------------------------------------

    def parse(self, words: Sequence[str]) -> list[tuple[StartRule, Node]]:
        """The nodes that are the whole text, with what makes each a text."""
        size = len(words)
        rows: list[dict[int, list[Node]]] = [{} for _ in range(size + 1)]
        for start in range(size - 1, -1, -1):
            self._fill(words, start, rows)
        found = []
        for rule in self.starts:
            for node in rows[0].get(self.categories.get(rule.constituent.category, -1), ()) if size else ():
                if node.end == size and self.tables.fits(rule.constituent, node.structure):
                    found.append((rule, node))
        return found

    def _fill(self, words: Sequence[str], start: int, rows: list[dict[int, list[Node]]]) -> None:
        """Find the constituents that begin at a word, those that begin later being known."""
        allowed = self.before.get(words[start - 1] if start else _EDGE)
        if allowed is None:
            return
        row = _Row(words, start, rows)
        for rule in self._by_word.get(words[start], ()):
            if rule.category in allowed:
                self._advance(row, rule, 0, 0, start, ())
        agenda, begun = row.agenda, self._begun
        while agenda:
            node = agenda.pop()
            key = (node.category, node.structure)
            rules = begun.get(key)
            if rules is None:
                rules = begun[key] = self._beginning(*key)
            for following in (None, words[node.end]) if node.end < len(words) else (None,):
                for rule, new in rules.get(following, ()):
                    if rule.category in allowed:
                        self._advance(row, rule, 1, new, node.end, (node,))

    def _beginning(self, category: int, structure: int) -> dict[str | None, list[tuple[_Compiled, int]]]:
        """The rules that can begin with a constituent, by the word that must follow it."""
        fitting: dict[str | None, list[tuple[_Compiled, int]]] = {}
        for following, rules in self._by_category[category].items():
            states = [(rule, self._step(rule, 0, 0, structure)) for rule in rules]
            fitting[following] = [(rule, new) for rule, new in states if new >= 0]
        return fitting

    def _advance(self, row: _Row, rule: _Compiled, place: int, state: int, at: int, parts: tuple[Node, ...]) -> None:
        """Go on with a rule from one of its elements on; where it is whole, add its constituent."""
        elements, words = rule.elements, row.words
        while place < len(elements):
            element = elements[place]
            if isinstance(element, int):
                steps, following = rule.steps[place], rule.following[place]
                for node in row.rows[at].get(element, ()):
                    if following is not None and (node.end >= row.size or words[node.end] != following):
                        continue
                    key = (state, node.structure)
                    new = steps.get(key)
                    if new is None:
                        new = steps[key] = self._step(rule, place, state, node.structure)
                    if new >= 0:
                        self._advance(row, rule, place + 1, new, node.end, (*parts, node))
                return
            for word in element:
                if at >= row.size or words[at] != word:
                    return
                at += 1
            place += 1
        allowed = self.after.get(words[at] if at < row.size else _EDGE)
        if allowed is None or rule.category not in allowed:
            return
        structure = rule.done.get(state, -1)
        if structure < 0:
            structure = rule.done[state] = self.tables.done(self.rules[rule.number], state)
        key3 = (rule.category, structure, at)
        made = row.known.get(key3)
        if made is None:
            made = row.known[key3] = Node(rule.category, structure, row.start, at)
            row.agenda.append(made)
            row.rows[row.start].setdefault(rule.category, []).append(made)
        made.ways.append((rule.number, parts))

    def _step(self, rule: _Compiled, place: int, state: int, structure: int) -> int:
        return self.tables.step(self.rules[rule.number], rule.parts[place], state, structure)


def _turned(words: Iterable[set[str]]) -> dict[str, frozenset[int]]:
    table: dict[str, set[int]] = {}
    for category, some in enumerate(words):
        for word in some:
            table.setdefault(word, set()).add(category)
    return {word: frozenset(some) for word, some in table.items()}
