"""Which sorts of things phrases can speak of, so that nothing is said of a thing that can be of no sort.

    [sorts.words]                                # by rule: what may stand in its slots; what is not named is any sort
    "NP_SIMPLE=FILM" = { self = "film" }
    "VP_SIMPLE=VP~found" = { agent = "person", undergoer = ["company", "country"] }

    [sorts.phrases]                              # by rule: slots of its parts, and its own, that are one thing
    "VP_INDIRECT=PASSIVE_VP" = ["subject = 1.undergoer", "object = 1.agent"]
    "WHQ=WHAT_VP_INDIRECT" = ["1.self = 2.subject"]

The names of slots and sorts are free. A rule that is not named has the slots of its parts, and those of one name are
one thing; a rule of phrases has only the slots that it names. A slot has the sorts that all say of it; where there is
none, the phrase is drawn again, as with any filter.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from recombine.errors import RecordError
from recombine.grammars.unification.generation.beside_rules import chosen_rules
from recombine.grammars.unification.rules.rule import Constituent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.grammars.unification.generation.draw_tree import Tree
    from recombine.grammars.unification.generation.ways import Ways
    from recombine.grammars.unification.rules.rule import GrammarRule

SORTS = "sorts"
Slots = tuple[int, ...]
"""By slot, its sorts as bits; all of them where nothing is said."""
_Group = tuple[int, tuple[tuple[int, int], ...]]
"""A slot of the rule, or -1, and the parts and slots that are the same thing."""
_SIDE = re.compile(r"(?:(\d+)\.)?([A-Za-z_]\w*)")


class Sorts:
    """The slots of the rules of a set."""

    def __init__(self, rules: Sequence[GrammarRule], settings: object, path: Path | str) -> None:
        """`settings` are the tables `words` and `phrases`."""
        words, phrases = (_table(settings, name, path) for name in ("words", "phrases"))
        self._slots: dict[str, int] = {}
        self._sorts: dict[str, int] = {}
        said: dict[int, dict[int, int]] = {}
        for name, slots in words.items():
            for rule in sorted(chosen_rules(name, rules, path, f"[{SORTS}.words]")):
                said.setdefault(rule, {}).update(self._read_word(slots, path, f"[{SORTS}.words], {name}"))
        groups: dict[int, tuple[_Group, ...]] = {}
        for name, equations in phrases.items():
            for rule in sorted(chosen_rules(name, rules, path, f"[{SORTS}.phrases]")):
                groups[rule] = self._read_phrase(equations, rules[rule], path, f"[{SORTS}.phrases], {name}")
        self.any: Slots = (-1,) * len(self._slots)
        self._own = [tuple([said.get(n, {}).get(slot, -1) for slot in range(len(self.any))]) for n in range(len(rules))]
        self._groups = [groups.get(number) for number in range(len(rules))]
        self._made: dict[tuple[int, tuple[Slots, ...], Slots], Slots | None] = {}
        self._asked: dict[tuple[int, int, tuple[Slots, ...], Slots], Slots] = {}

    def __bool__(self) -> bool:
        return bool(self.any)

    def slots(self, rule: int, parts: tuple[Slots, ...], asked: Slots) -> Slots | None:
        """The slots of a rule, given those of its parts and what is asked of them; none where one has no sort."""
        key = (rule, parts, asked)
        if key not in self._made:
            self._made[key] = self._combined(rule, parts, asked)
        return self._made[key]

    def asked(self, rule: int, part: int, parts: tuple[Slots, ...], asked: Slots) -> Slots:
        """What is asked of a part of a rule: what the other parts say, and what is asked of the rule."""
        key = (rule, part, parts, asked)
        if key not in self._asked:
            others = (*parts[:part], self.any, *parts[part + 1 :])
            groups = self._groups[rule]
            if groups is None:
                self._asked[key] = self._combined(rule, others, asked) or asked
            else:
                wanted = list(self.any)
                for own, same in groups:
                    sorts = self._of_group(rule, own, same, others, asked)
                    for place, slot in same:
                        wanted[slot] &= sorts if place == part else -1
                self._asked[key] = tuple(wanted)
        return self._asked[key]

    def _combined(self, rule: int, parts: tuple[Slots, ...], asked: Slots) -> Slots | None:
        groups = self._groups[rule]
        if groups is None:
            made = _both(self._own[rule], asked)
            for part in parts:
                made = _both(made, part)
            return made if all(made) else None
        slots = list(_both(self._own[rule], asked))
        for own, same in groups:
            sorts = self._of_group(rule, own, same, parts, asked)
            if not sorts:
                return None
            if own >= 0:
                slots[own] = sorts
        return tuple(slots)

    def _of_group(
        self, rule: int, own: int, same: tuple[tuple[int, int], ...], parts: tuple[Slots, ...], asked: Slots
    ) -> int:
        sorts = self._own[rule][own] & asked[own] if own >= 0 else -1
        for part, slot in same:
            sorts &= parts[part][slot]
        return sorts

    def of_tree(self, tree: Tree) -> Slots | None:
        """The slots of a tree; none where one of it or of its parts can be of no sort."""
        parts = []
        for part in tree[1]:
            slots = self.of_tree(part)
            if slots is None:
                return None
            parts.append(slots)
        return self.slots(tree[0], tuple(parts), self.any)

    def _slot(self, name: str) -> int:
        return self._slots.setdefault(name, len(self._slots))

    def _read_word(self, slots: object, path: Path | str, record: str) -> dict[int, int]:
        if not isinstance(slots, dict) or not slots:
            raise RecordError(path, record, f"{slots!r} has no slots", 'write { self = "film" }')
        said = {}
        for slot, given in slots.items():
            names = [given] if isinstance(given, str) else given
            if not isinstance(names, list) or not names or not all(isinstance(name, str) and name for name in names):
                raise RecordError(path, record, f"{slot} = {given!r} names no sort", "give a name, or a list of names")
            said[self._slot(slot)] = sum({1 << self._sorts.setdefault(name, len(self._sorts)) for name in names})
        return said

    def _read_phrase(self, equations: object, rule: GrammarRule, path: Path | str, record: str) -> tuple[_Group, ...]:
        if not isinstance(equations, list) or not all(isinstance(each, str) for each in equations):
            raise RecordError(path, record, f"{equations!r} is no list", 'write ["subject = 1.agent"]')
        count = sum(isinstance(part, Constituent) for part in rule.right)
        groups = []
        for equation in equations:
            sides = [_SIDE.fullmatch(side.strip()) for side in equation.split("=")]
            read = [(side[1], side[2]) for side in sides if side is not None]
            own = [slot for part, slot in read if part is None]
            same = [(int(part), self._slot(slot)) for part, slot in read if part is not None]
            if len(read) < max(2, len(sides)) or len(own) > 1 or not all(1 <= part <= count for part, _ in same):
                problem = f"{equation!r} is no equation of slots of {rule.name}, which has {count} parts"
                raise RecordError(path, record, problem, 'write "subject = 1.agent" or "1.self = 2.object"')
            groups.append((self._slot(own[0]) if own else -1, tuple([(part - 1, slot) for part, slot in same])))
        return tuple(groups)


def _both(one: Slots, other: Slots) -> Slots:
    return tuple([sorts & others for sorts, others in zip(one, other, strict=True)])


def reaches(ways: Ways, sorts: Sorts) -> tuple[list[Slots], list[list[Slots]]]:
    """The sorts that the slots of each pair can have at most, and those of each rule by its state at the end."""
    none = (0,) * len(sorts.any)
    pairs = [none] * len(ways.pairs)
    rules = [[none] * len(rule.made) for rule in ways.rules]
    grown = True
    while grown:
        grown = False
        for place, rule in enumerate(ways.rules):
            states: dict[int, tuple[Slots, ...]] = {0: ()}
            for steps in rule.parts:
                after: dict[int, tuple[Slots, ...]] = {}
                for step in steps:
                    if step.before in states and any(pairs[step.pair]):
                        said = (*states[step.before], pairs[step.pair])
                        known = after.get(step.after)
                        after[step.after] = said if known is None else tuple(map(_either, known, said))
                states = after
            for state, parts in states.items():
                made = sorts.slots(rule.number, parts, sorts.any)
                if made is not None and _either(rules[place][state], made) != rules[place][state]:
                    rules[place][state] = _either(rules[place][state], made)
                    pair = rule.made[state]
                    pairs[pair] = _either(pairs[pair], made)
                    grown = True
    return pairs, rules


def _either(one: Slots, other: Slots) -> Slots:
    return tuple([sorts | others for sorts, others in zip(one, other, strict=True)])


def _table(settings: object, name: str, path: Path | str) -> Mapping[str, Any]:
    known = ("words", "phrases")
    if not isinstance(settings, dict) or not set(settings) <= set(known):
        raise RecordError(path, f"table {SORTS}", "it has other tables than words and phrases", "mend it")
    table = settings.get(name, {})
    if not isinstance(table, dict):
        raise RecordError(path, f"table {SORTS}.{name}", f"{table!r} is no table", "write rules and their slots")
    return table
