"""What questions may not hold although rules can make it: a file of filters beside the rules, or one that is given.

    [[filter]]                                   # a noun phrase with one adjective twice
    name = "repeated_adjective"
    rule = "NP=ADJECTIVES_NP_SIMPLE"             # where it is looked for: names of rules, or patterns of names
    holds = "ADJECTIVE_SIMPLE=*"                 # what must stand below, in any part …
    through = "ADJECTIVE*"                       # … with nothing but these rules between; without, any rule
    same = true                                  # two of them are the same, with all that is below them

    [[filter]]                                   # the possessor is a gender
    name = "possessor"
    rule = "DP=DP_ROLE"
    parts.1 = { rule = "DP=DP_ROLE", parts.2.parts.1.rule = "ROLE_SIMPLE=GENDER" }

    [[filter]]                                   # a question that says a clause twice
    name = "repeated_clause"
    same_clause = true

`more_than = 3` asks for more than three of what is held. `text` and `clause` are regular expressions that are looked
for in the question and in a clause of its query in short spelling. A filter drops what meets all that it says. A phrase
that a filter of rules names is drawn again in its place; a question that has it all the same, or that a filter of texts
or clauses names, is dropped and counted. `[sorts]` says which things phrases can speak of (`sorts.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.errors import RecordError
from recombine.grammars.unification.generation.beside_rules import chosen_rules, read_settings
from recombine.grammars.unification.generation.sorts import SORTS, Sorts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from recombine.grammars.unification.generation.draw_tree import Tree
    from recombine.grammars.unification.queries.query_text import QueryText
    from recombine.grammars.unification.rules.rule import GrammarRule

_KEYS = ("name", "rule", "parts", "holds", "through", "same", "more_than", "text", "clause", "same_clause")
_OF_RULES = frozenset(("rule", "parts", "holds", "through", "same", "more_than"))


class Shape(NamedTuple):
    """Rules that a node may have, and shapes of some of its parts."""

    rules: frozenset[int] | None
    parts: tuple[tuple[int, Shape], ...]

    def fits(self, tree: Tree) -> bool:
        """Whether a tree has this shape at its top."""
        return (self.rules is None or tree[0] in self.rules) and all(
            part < len(tree[1]) and shape.fits(tree[1][part]) for part, shape in self.parts
        )


class TreeFilter(NamedTuple):
    """A filter of rules."""

    name: str
    shape: Shape
    holds: frozenset[int] | None
    through: frozenset[int] | None
    same: bool
    more_than: int

    def drops(self, tree: Tree) -> bool:
        """Whether a tree has at its top what the filter says."""
        if not self.shape.fits(tree):
            return False
        if self.holds is None:
            return True
        found = list(self._iter_held(tree))
        return len(found) > self.more_than and (not self.same or len(set(found)) < len(found))

    def _iter_held(self, tree: Tree) -> Iterator[Tree]:
        for part in tree[1]:
            number = part[0]
            if self.holds is not None and number in self.holds:
                yield part
            if self.through is None or number in self.through:
                yield from self._iter_held(part)

    def without_same(self, tree: Tree, other: Callable[[Tree, set[Tree]], Tree], known: set[Tree]) -> Tree:
        """A tree in which what is held and is the same as something before is replaced by another."""
        parts = []
        for part in tree[1]:
            if self.holds is not None and part[0] in self.holds:
                if part in known:
                    part = other(part, known)
                known.add(part)
            elif part[1] and (self.through is None or part[0] in self.through):
                part = self.without_same(part, other, known)
            parts.append(part)
        return tree[0], tuple(parts)


class _TextFilter(NamedTuple):
    """A filter of texts and clauses."""

    name: str
    text: re.Pattern[str] | None
    clause: re.Pattern[str] | None
    same_clause: bool

    @property
    def of_query(self) -> bool:
        """Whether it asks for something of the query."""
        return self.clause is not None or self.same_clause

    def drops(self, pattern: str, clauses: Sequence[str]) -> bool:
        """Whether a question and its clauses have all that the filter says."""
        return (
            (self.text is None or self.text.search(pattern) is not None)
            and (self.clause is None or any(self.clause.search(clause) for clause in clauses))
            and (not self.same_clause or len(set(clauses)) < len(clauses))
        )


class Filters:
    """The filters of a set of rules."""

    def __init__(self, rules: Sequence[GrammarRule], path: Path | str | None = None) -> None:
        self.by_rule: dict[int, tuple[TreeFilter, ...]] = {}
        """The filters of rules, by the rule at whose tree they are looked for."""
        self.held: set[int] = set()
        """The rules of what may not be there twice."""
        self.texts: list[_TextFilter] = []
        settings = {} if path is None else read_settings(path, ("filter", "grounding", SORTS))
        self.sorts = Sorts(rules, settings.get(SORTS, {}), path or "")
        """What sorts of things phrases can speak of."""
        for count, table in enumerate(settings.get("filter", ()), start=1):
            read = _read(table, rules, path or "", f"filter {count}")
            if isinstance(read, _TextFilter):
                self.texts.append(read)
                continue
            self.held |= read.holds if read.same and read.holds is not None else frozenset()
            for rule in sorted(read.shape.rules or ()):
                self.by_rule[rule] = (*self.by_rule.get(rule, ()), read)

    def at_top(self, tree: Tree) -> TreeFilter | None:
        """The first filter of rules that drops a tree for what it has at its top."""
        for each in self.by_rule.get(tree[0], ()):
            if each.drops(tree):
                return each
        return None

    def of_text(self, pattern: str) -> str | None:
        """The name of the first filter of texts alone that drops a question."""
        return next((each.name for each in self.texts if not each.of_query and each.drops(pattern, ())), None)

    def of_query(self, pattern: str, query: QueryText) -> str | None:
        """The name of the first filter that drops a question for its query."""
        filters = [each for each in self.texts if each.of_query]
        if not filters:
            return None
        clauses = [" ".join(clause) for clause in query.clauses]
        return next((each.name for each in filters if each.drops(pattern, clauses)), None)


def _read(table: object, rules: Sequence[GrammarRule], path: Path | str, record: str) -> TreeFilter | _TextFilter:
    if not isinstance(table, dict) or not isinstance(table.get("name"), str) or not table["name"]:
        raise RecordError(path, record, "a filter has a name", f"it may have: {', '.join(_KEYS)}")
    record = f"{record} ({table['name']})"
    for key in table:
        if key not in _KEYS:
            raise RecordError(path, record, f"a filter has no {key!r}", f"it may have: {', '.join(_KEYS)}")
    of_rules = _OF_RULES.intersection(table)
    if bool(of_rules) == (len(table) - 1 > len(of_rules)):
        raise RecordError(path, record, "a filter is of rules, or of texts and clauses", "make two filters of it")
    if not of_rules:
        return _TextFilter(
            table["name"],
            _expression(table, "text", path, record),
            _expression(table, "clause", path, record),
            _switch(table, "same_clause", path, record),
        )
    if "rule" not in table:
        raise RecordError(path, record, "no rule is named at which it is looked for", "give rule")
    if "holds" not in table and of_rules & {"through", "same", "more_than"}:
        raise RecordError(path, record, "nothing is named that must stand below", "give holds")
    more_than = table.get("more_than", 0)
    if isinstance(more_than, bool) or not isinstance(more_than, int) or more_than < 0:
        raise RecordError(path, record, f"more_than is {more_than!r}", "give a whole number of 0 or more")
    shape = _shape({key: table[key] for key in ("rule", "parts") if key in table}, rules, path, record)
    holds, through = (
        chosen_rules(table[key], rules, path, record) if key in table else None for key in ("holds", "through")
    )
    return TreeFilter(table["name"], shape, holds, through, _switch(table, "same", path, record), more_than)


def _shape(table: object, rules: Sequence[GrammarRule], path: Path | str, record: str) -> Shape:
    if not isinstance(table, dict) or not set(table) <= {"rule", "parts"}:
        raise RecordError(path, record, f"{table!r} is no shape", "a shape has rule and parts")
    parts = []
    below = table.get("parts", {})
    for number, inner in below.items() if isinstance(below, dict) else (("", None),):
        if not number.isdecimal() or int(number) < 1:
            raise RecordError(path, record, f"{number!r} is no part", "count parts from 1")
        parts.append((int(number) - 1, _shape(inner, rules, path, record)))
    named = chosen_rules(table["rule"], rules, path, record) if "rule" in table else None
    return Shape(named, tuple(parts))


def _expression(table: dict[str, Any], key: str, path: Path | str, record: str) -> re.Pattern[str] | None:
    if key not in table:
        return None
    try:
        return re.compile(table[key])
    except (re.error, TypeError) as error:
        raise RecordError(path, record, f"{key} is no regular expression: {error}", "mend it") from None


def _switch(table: dict[str, Any], key: str, path: Path | str, record: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise RecordError(path, record, f"{key} is {value!r}", "give true or false")
    return value
