"""A set as the conditions that hold of its members, and its text in a canonical form."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.kb.matching.schema_tables import NOTHING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.matching.schema_tables import SchemaTables, Step

ANYTHING = "*"
"""A set without a condition."""


class ConditionSet(NamedTuple):
    """Conditions that all hold of the members of a set: classes apart, and the classes that the others imply."""

    conditions: frozenset[str] = NOTHING
    classes: frozenset[str] = NOTHING
    implied: frozenset[str] = NOTHING

    @classmethod
    def of(cls, condition: str, implied: frozenset[str] = NOTHING) -> ConditionSet:
        """What meets a condition that implies some classes."""
        return cls(frozenset((condition,)), NOTHING, implied)

    def both(self, other: ConditionSet) -> ConditionSet:
        """What is in this set and in another."""
        conditions, classes, implied = (one | two for one, two in zip(self, other, strict=True))
        return ConditionSet(conditions, classes, implied)


class SetTexts:
    """Sets that are made of others, and their texts, under what an ontology implies."""

    def __init__(self, tables: SchemaTables) -> None:
        self._tables = tables

    def of_class(self, name: str) -> ConditionSet:
        """What is of a class."""
        return ConditionSet(classes=frozenset((self._tables.one_class.get(name, name),)))

    def led(self, path: Sequence[Step], members: ConditionSet) -> ConditionSet:
        """What leads to a set by some steps."""
        for step in reversed(path):
            members = ConditionSet.of(f"(JOIN {step.text} {self.text(members, step.there)})", step.here)
        return members

    def superlative(self, function: str, members: ConditionSet, path: Sequence[Step]) -> ConditionSet:
        """Those of a set that have the most or least at the end of some steps: all that holds of it holds of them."""
        implied = members.implied | path[0].here | self._above(members.classes) | members.classes
        text = f"({function} {self.text(members, path[0].here)} {steps_text(path)})"
        return ConditionSet.of(text, implied)

    def text(self, members: ConditionSet, reached: frozenset[str] = NOTHING) -> str:
        """The text of a set that a step leads to which implies some classes."""
        classes = members.classes - self._above(members.classes) - members.implied - reached
        parts = sorted(members.conditions | classes)
        return parts[0] if len(parts) == 1 else f"(AND {' '.join(parts)})" if parts else ANYTHING

    def _above(self, classes: frozenset[str]) -> frozenset[str]:
        return NOTHING.union(*(self._tables.above.get(name, NOTHING) for name in classes))


def steps_text(path: Sequence[Step]) -> str:
    """Steps one after the other."""
    return " ".join(step.text for step in path)
