"""Parts of questions and how often a part of a split has them, as in Tables 8 and 9 of the CFQ paper.

What is counted is written in a TOML file: tables of rows, each with a label and either a regular expression for sources
or targets, or rules of derivations. A row counts examples, or occurrences (`count = "occurrences"`).

    [[table]]
    title = "What train shows of it"
    [[table.row]]
    label = "What…?"
    source = '^What\\b'
    [[table.row]]
    label = "twice at the top"
    rules = { rule = "single", slots = { 1 = { rule = ["twice", "thrice"] } } }

A pattern of rules is a rule, or one of several, with patterns for what fills some of its slots. `cfq` names the tables
of the paper.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from recombine.errors import DerivationError, InputFileError
from recombine.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from recombine.records.derivation import Derivation
    from recombine.records.example import Example

PAPER = "cfq"
"""The tables of the CFQ paper."""
PACKAGED = (PAPER,)
COUNTS = ("examples", "occurrences")
_SIDES = ("source", "target")


@dataclass(frozen=True)
class RulePattern:
    """A rule, or one of several, and patterns of what fills its slots."""

    rules: frozenset[str]
    slots: tuple[tuple[int, RulePattern], ...] = ()

    def occurrences(self, derivation: Derivation) -> int:
        """How many nodes of a derivation fit.

        >>> from recombine.records.derivation import Derivation
        >>> twice = Derivation.tree(("twice", [("jump", [])]))
        >>> RulePattern(frozenset({"twice"}), ((1, RulePattern(frozenset({"jump", "run"}))),)).occurrences(twice)
        1
        """
        roots = [node for node, rule in enumerate(derivation.rules) if rule in self.rules]
        if not roots or not self.slots:
            return len(roots)
        below: dict[tuple[int, int], list[int]] = {}
        for parent, child, slot in derivation.edges:
            below.setdefault((parent, slot), []).append(child)
        return sum(self._fits(node, derivation, below) for node in roots)

    def _fits(self, node: int, derivation: Derivation, below: Mapping[tuple[int, int], list[int]]) -> bool:
        return derivation.rules[node] in self.rules and all(
            any(pattern._fits(child, derivation, below) for child in below.get((node, slot), ()))
            for slot, pattern in self.slots
        )


@dataclass(frozen=True)
class Subquery:
    """A row: what it is called, what it looks for, and what it counts."""

    label: str
    side: str
    """`source`, `target` or `rules`."""
    expression: re.Pattern[str] | RulePattern
    count: str = "examples"

    def occurrences(self, example: Example) -> int:
        """How often an example has it."""
        if isinstance(self.expression, RulePattern):
            if example.derivation is None:
                raise DerivationError(
                    f"the example {example.id} has no derivation, and {self.label!r} counts rules",
                    "use annotated data, or leave the row out",
                )
            return self.expression.occurrences(example.derivation)
        text = example.source if self.side == "source" else example.target
        return sum(1 for _ in self.expression.finditer(text))


@dataclass(frozen=True)
class SubqueryTable:
    """Rows under one title."""

    title: str
    rows: tuple[Subquery, ...] = field(default=())


def named_rules(tables: Iterable[SubqueryTable]) -> frozenset[str]:
    """The rules that rows of tables are about: those at the top of what they look for."""
    return frozenset(
        rule
        for table in tables
        for row in table.rows
        if isinstance(row.expression, RulePattern)
        for rule in row.expression.rules
    )


def count_subqueries(tables: Iterable[SubqueryTable], examples: Iterable[Example]) -> list[list[int]]:
    """The count of each row of each table over some examples."""
    listed = list(examples)
    return count_by_part(tables, listed, [range(len(listed))])[0]


def count_by_part(
    tables: Iterable[SubqueryTable], examples: Iterable[Example], parts: Sequence[Sequence[int]]
) -> list[list[list[int]]]:
    """The same for each of some parts, given by positions; the examples are gone through once, in their order."""
    listed = list(tables)
    times = [Counter(rows) for rows in parts]
    counts = [[[0] * len(table.rows) for table in listed] for _ in parts]
    for place, example in enumerate(examples):
        if not any(place in held for held in times):
            continue
        for number, table in enumerate(listed):
            for at, row in enumerate(table.rows):
                seen = row.occurrences(example)
                seen = seen if row.count == "occurrences" else int(seen > 0)
                for part, held in zip(counts, times, strict=True):
                    part[number][at] += seen * held[place]
    return counts


def read_subqueries(path: Path | str) -> tuple[SubqueryTable, ...]:
    """The tables of a file, or those that the package has under a name."""
    if str(path) in PACKAGED:
        return _packaged(str(path))
    return _tables(read_bytes(path), str(path))


@cache
def _packaged(name: str) -> tuple[SubqueryTable, ...]:
    return _tables(files("recombine.measures").joinpath("library", f"{name}.toml").read_bytes(), name)


def _tables(content: bytes, path: str) -> tuple[SubqueryTable, ...]:
    try:
        parsed = tomllib.loads(content.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputFileError(f"{path}: is not TOML ({error})", "mend it") from None
    listed = parsed.get("table")
    if set(parsed) != {"table"} or not isinstance(listed, list) or not listed:
        raise InputFileError(f"{path}: has no tables of subqueries, or something else", "write [[table]] sections")
    return tuple(_table(table, f"{path}: table {place}") for place, table in enumerate(listed, start=1))


def _table(table: Any, where: str) -> SubqueryTable:
    if not isinstance(table, dict) or not isinstance(table.get("title"), str) or set(table) - {"title", "row"}:
        raise InputFileError(f"{where}: is not a title and rows", "write title = … and [[table.row]] sections")
    rows = table.get("row", [])
    if not isinstance(rows, list):
        raise InputFileError(f"{where}: its rows are no list", "write [[table.row]] sections")
    return SubqueryTable(
        table["title"], tuple(_row(row, f"{where}, row {place}") for place, row in enumerate(rows, start=1))
    )


def _row(row: Any, where: str) -> Subquery:
    wanted = [name for name in (*_SIDES, "rules") if isinstance(row, dict) and name in row]
    if len(wanted) != 1 or not isinstance(row.get("label"), str):
        raise InputFileError(f"{where}: is not a label and one of source, target and rules", "name one of them")
    if unknown := sorted(set(row) - {"label", "count", *wanted}):
        raise InputFileError(f"{where}: has an unknown key {unknown[0]!r}", "use label, source, target, rules, count")
    count = row.get("count", COUNTS[0])
    if count not in COUNTS:
        raise InputFileError(f"{where}: cannot count {count!r}", f"count {' or '.join(COUNTS)}")
    side, looked_for = wanted[0], row[wanted[0]]
    if side == "rules":
        return Subquery(row["label"], side, _rule_pattern(looked_for, where), count)
    if not isinstance(looked_for, str):
        raise InputFileError(f"{where}: {side} is no text", "write a regular expression")
    try:
        return Subquery(row["label"], side, re.compile(looked_for), count)
    except re.error as error:
        raise InputFileError(f"{where}: {looked_for!r} is no regular expression ({error})", "mend it") from None


def _rule_pattern(given: Any, where: str) -> RulePattern:
    if not isinstance(given, dict) or set(given) - {"rule", "slots"}:
        raise InputFileError(f"{where}: rules are written {{ rule = …, slots = {{ 1 = … }} }}", "mend it")
    rules = [given["rule"]] if isinstance(given.get("rule"), str) else given.get("rule")
    slots = given.get("slots", {})
    if not isinstance(rules, list) or not rules or not all(isinstance(rule, str) for rule in rules):
        raise InputFileError(f"{where}: rule is no name, and no list of names", "name one or several")
    if not isinstance(slots, dict) or not all(slot.isascii() and slot.isdigit() for slot in slots):
        raise InputFileError(f"{where}: slots are no numbers with rules", "write slots = { 1 = { rule = … } }")
    inner = tuple((int(slot), _rule_pattern(pattern, where)) for slot, pattern in slots.items())
    return RulePattern(frozenset(rules), inner)
