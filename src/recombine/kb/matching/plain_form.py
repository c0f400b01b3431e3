"""The canonical form of an S-expression's tree, from its leaves to its root (see `canonical_form`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import ProgramError
from recombine.kb.matching.schema_tables import NOTHING, SchemaTables, Step
from recombine.languages.sexpression import NAME

if TYPE_CHECKING:
    from recombine.kb.matching.words import Words
    from recombine.tree import Tree

ANYTHING = "*"
"""A set without a condition."""
COMPARISONS = frozenset(("LT", "LE", "GT", "GE"))
SUPERLATIVES = frozenset(("ARGMAX", "ARGMIN"))


class _Set(NamedTuple):
    """Conditions that all hold of the members of a set: classes apart, and what the others imply."""

    conditions: frozenset[str] = NOTHING
    classes: frozenset[str] = NOTHING
    implied: frozenset[str] = NOTHING


class PlainForms:
    """Canonical forms of trees."""

    def __init__(self, tables: SchemaTables, words: Words) -> None:
        self._tables, self._words = tables, words

    def text(self, tree: Tree) -> str:
        """The canonical form of a tree; one in which a set stands for a relation, or the like, is a `ProgramError`."""
        return self._text(self._set(tree))

    # -- sets --------------------------------------------------------------------------------------------------------

    def _set(self, tree: Tree, *, end: bool = False) -> _Set:
        """What a tree says in the place of a set; `end` where a relation leads to it."""
        function, children = tree.label.upper(), tree.children
        if not children:
            return self._leaf(tree.label, end=end)
        if function == "AND":
            return _both(self._set(children[0]), self._set(children[1]))
        if function == "JOIN":
            return self._led(self._path(children[0]), self._set(children[1], end=True))
        if function in COMPARISONS:
            return self._led(self._path(children[0]), _condition(f"({function} {self._value(children[1])})"))
        if function in SUPERLATIVES:
            return self._superlative(function, self._set(children[0]), self._path(children[1]))
        if function == "COUNT":
            return _condition(f"(COUNT {self._text(self._set(children[0]))})")
        if function == "TC":
            return _both(self._set(children[0]), self._in_time(children[1], children[2]))
        raise _misplaced(tree, "a set")

    def _leaf(self, word: str, *, end: bool) -> _Set:
        if self._words.is_value(word):
            return _condition(self._words.literal(word))
        name = self._words.name(word)
        if self._words.is_entity(word, end=end):
            return _condition(f"@{name}")
        return _Set(classes=frozenset((self._tables.one_class.get(name, name),)))

    def _led(self, path: list[Step], members: _Set) -> _Set:
        """What leads to a set by some steps."""
        for step in reversed(path):
            members = _condition(f"(JOIN {step.text} {self._text(members, step.there)})", step.here)
        return members

    def _superlative(self, function: str, members: _Set, path: list[Step]) -> _Set:
        """Those of a set that have the most or least at the end of some steps: all that holds of it holds of them."""
        implied = members.implied | path[0].here | self._above(members.classes) | members.classes
        return _condition(f"({function} {self._text(members, path[0].here)} {_steps_text(path)})", implied)

    def _in_time(self, relation: Tree, time: Tree) -> _Set:
        """What holds at a time, as programs for WebQSP say it."""
        path = self._path(relation)
        return _condition(f"(TC {_steps_text(path)} {self._value(time)})", path[0].here)

    def _text(self, members: _Set, reached: frozenset[str] = NOTHING) -> str:
        """The text of a set that a step leads to which implies some classes."""
        above = self._above(members.classes)
        classes = members.classes - above - members.implied - reached
        parts = sorted(members.conditions | classes)
        return parts[0] if len(parts) == 1 else f"(AND {' '.join(parts)})" if parts else ANYTHING

    def _above(self, classes: frozenset[str]) -> frozenset[str]:
        return NOTHING.union(*(self._tables.above.get(name, NOTHING) for name in classes))

    # -- pairs and values --------------------------------------------------------------------------------------------

    def _path(self, tree: Tree, *, inverse: bool = False) -> list[Step]:
        """The steps that a tree says in the place of a set of pairs, or the steps back."""
        if not tree.children and not self._words.is_value(tree.label):
            return [self._tables.step(self._words.name(tree.label), inverse=inverse)]
        if tree.label == "R" and tree.children:
            return self._path(tree.children[0], inverse=not inverse)
        if tree.label == "JOIN" and tree.children:
            first, second = (self._path(child, inverse=inverse) for child in tree.children)
            return second + first if inverse else first + second
        raise _misplaced(tree, "a relation")

    def _value(self, tree: Tree) -> str:
        if tree.children:
            raise _misplaced(tree, "a value")
        return self._words.literal(tree.label)


def _condition(text: str, implied: frozenset[str] = NOTHING) -> _Set:
    return _Set(frozenset((text,)), NOTHING, implied)


def _both(one: _Set, other: _Set) -> _Set:
    return _Set(one.conditions | other.conditions, one.classes | other.classes, one.implied | other.implied)


def _steps_text(path: list[Step]) -> str:
    return " ".join(step.text for step in path)


def _misplaced(tree: Tree, wanted: str) -> ProgramError:
    problem = f"{tree.label!r} where {wanted} belongs"
    return ProgramError(NAME, 0, problem, "look for a bracket at the wrong place")
