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

    def __bool__(self) -> bool:
        return bool(self.any)

    def slots(self, rule: int, parts: Sequence[Slots]) -> Slots | None:
        """The slots of a rule, given those of its parts; none where one can be of no sort."""
        groups = self._groups[rule]
        if groups is None:
            made = self._own[rule]
            for part in parts:
                made = tuple([one & other for one, other in zip(made, part, strict=True)])
            return made if all(made) else None
        slots = list(self._own[rule])
        for own, same in groups:
            sorts = slots[own] if own >= 0 else -1
            for part, slot in same:
                sorts &= parts[part][slot]
            if not sorts:
                return None
            if own >= 0:
                slots[own] = sorts
        return tuple(slots)

    def of_tree(self, tree: Tree) -> Slots | None:
        """The slots of a tree; none where one of it or of its parts can be of no sort."""
        parts = []
        for part in tree[1]:
            slots = self.of_tree(part)
            if slots is None:
                return None
            parts.append(slots)
        return self.slots(tree[0], parts)

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

    def _read_phrase(
        self, equations: object, rule: GrammarRule, path: Path | str, record: str
    ) -> tuple[_Group, ...]:
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


def _table(settings: object, name: str, path: Path | str) -> Mapping[str, Any]:
    known = ("words", "phrases")
    if not isinstance(settings, dict) or not set(settings) <= set(known):
        raise RecordError(path, f"table {SORTS}", "it has other tables than words and phrases", "mend it")
    table = settings.get(name, {})
    if not isinstance(table, dict):
        raise RecordError(path, f"table {SORTS}.{name}", f"{table!r} is no table", "write rules and their slots")
    return table
