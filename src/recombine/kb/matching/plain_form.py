"""The canonical form of an S-expression's tree, from its leaves to its root (see `canonical_form`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import ProgramError
from recombine.kb.forms.sexpression_words import NOW
from recombine.kb.matching.condition_set import ConditionSet, SetTexts, steps_text
from recombine.languages.sexpression import NAME

if TYPE_CHECKING:
    from recombine.kb.matching.schema_tables import SchemaTables, Step
    from recombine.kb.matching.words import Words
    from recombine.tree import Tree

COMPARISONS = frozenset(("LT", "LE", "GT", "GE"))
SUPERLATIVES = frozenset(("ARGMAX", "ARGMIN"))


class PlainForms:
    """Canonical forms of trees."""

    def __init__(self, tables: SchemaTables, words: Words) -> None:
        self._tables, self._words, self._sets = tables, words, SetTexts(tables)

    def text(self, tree: Tree) -> str:
        """The canonical form of a tree; one in which a set stands for a relation, or the like, is a `ProgramError`."""
        return self._sets.text(self._set(tree))

    def _set(self, tree: Tree, *, end: bool = False) -> ConditionSet:
        """What a tree says in the place of a set; `end` where a relation leads to it."""
        function, children = tree.label.upper(), tree.children
        if not children:
            return self._leaf(tree.label, end=end)
        if function == "AND":
            return self._set(children[0]).both(self._set(children[1]))
        if function == "JOIN":
            return self._join(self._path(children[0]), children[1])
        if function in COMPARISONS:
            members = ConditionSet.of(f"({function} {self._value(children[1])})")
            return self._sets.led(self._path(children[0]), members)
        if function in SUPERLATIVES:
            return self._sets.superlative(function, self._set(children[0]), self._path(children[1]))
        if function == "COUNT":
            return ConditionSet.of(f"(COUNT {self._sets.text(self._set(children[0]))})")
        if function == "TC":
            return self._set(children[0]).both(self._in_time(children[1], children[2]))
        raise _misplaced(tree, "a set")

    def _leaf(self, word: str, *, end: bool) -> ConditionSet:
        if self._words.is_value(word):
            return ConditionSet.of(self._words.literal(word))
        if self._words.is_entity(word, end=end):
            return ConditionSet.of(f"@{self._words.name(word)}")
        return self._sets.of_class(self._words.name(word))

    def _join(self, path: list[Step], members: Tree) -> ConditionSet:
        if path[-1].text in self._tables.type_steps and not members.children:
            leaf = self._leaf(members.label, end=False)
            if leaf.classes:  # to have a class by the predicate of classes is to be of it
                return self._sets.led(path[:-1], leaf)
        return self._sets.led(path, self._set(members, end=True))

    def _in_time(self, relation: Tree, time: Tree) -> ConditionSet:
        """What holds at a time, as programs for WebQSP say it."""
        path = self._path(relation)
        value = NOW if time.label == NOW and not time.children else self._value(time)
        return ConditionSet.of(f"(TC {steps_text(path)} {value})", path[0].here)

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


def _misplaced(tree: Tree, wanted: str) -> ProgramError:
    problem = f"{tree.label!r} where {wanted} belongs"
    return ProgramError(NAME, 0, problem, "look for a bracket at the wrong place")
