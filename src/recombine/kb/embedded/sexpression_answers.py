"""An S-expression executed on an embedded index: every list is a set of ids (GrailQA, appendix B).

A word in the place of a set is an entity or a class by its look; where the profile does not tell entities by their
look, it is an entity at the end of a `JOIN`, and a class elsewhere. A literal at the end of a `JOIN` stands for all
that are equal to it by value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.errors import FormError
from recombine.kb.embedded.form_sets import NOTHING
from recombine.kb.forms.leaf_term import leaf_term
from recombine.kb.store import Step
from recombine.kb.term import LITERAL

if TYPE_CHECKING:
    import numpy.typing as npt

    from recombine.kb.embedded.form_sets import FormSets
    from recombine.kb.embedded.literal_order import Comparison
    from recombine.kb.term import Term
    from recombine.tree import Tree

    Ids = npt.NDArray[np.int32]

COMPARISONS: dict[str, Comparison] = {
    "LT": "<",
    "LE": "<=",
    "GT": ">",
    "GE": ">=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}
EXTREMES = {"ARGMAX": 1, "ARGMIN": -1}
_ANY = ".+"
"""The look of an entity that tells nothing."""


class Members(NamedTuple):
    """What a set has: ids, and entities that no fact has."""

    ids: Ids
    without_facts: frozenset[Term] = frozenset()

    def __len__(self) -> int:
        return len(self.ids) + len(self.without_facts)


def sexpression_answers(sets: FormSets, tree: Tree) -> Members | int:
    """The members of what an S-expression asks for; a number where it counts them."""
    if tree.label == "COUNT" and tree.children:
        return len(_members(sets, tree.children[0]))
    return _members(sets, tree)


def _members(sets: FormSets, tree: Tree, *, end: bool = False) -> Members:
    """The members of a set; `end` says that it stands at the end of a `JOIN`."""
    if not tree.children:
        return _of_word(sets, tree.label, end=end)
    if tree.label == "AND":
        return _intersection(sets, tree)
    if tree.label == "JOIN":
        path, ends = read_binary(sets, tree.children[0]), _members(sets, tree.children[1], end=True)
        return Members(sets.against(ends.ids, path))
    if tree.label in EXTREMES:
        among = _members(sets, tree.children[0])
        return Members(sets.extreme(read_binary(sets, tree.children[1]), among.ids, EXTREMES[tree.label]))
    if tree.label in COMPARISONS:
        return Members(_compared(sets, tree, None))
    raise _misplaced(tree)


def _intersection(sets: FormSets, tree: Tree) -> Members:
    """What the sets of nested `AND`s have in common: classes and comparisons are asked of what the others leave."""
    conditions = _conditions(tree)
    late = [each for each in conditions if each.label in COMPARISONS or _is_class(sets, each)]
    first = [_members(sets, each) for each in conditions if not any(each is other for other in late)]
    among: Ids | None = None
    without_facts: frozenset[Term] = frozenset()
    if first:
        among = sets.store.intersection(*(each.ids for each in first))
        if not late:
            without_facts = frozenset.intersection(*(each.without_facts for each in first))
    for condition in sorted(late, key=lambda each: each.label in COMPARISONS):
        if condition.label in COMPARISONS:
            among = _compared(sets, condition, among)
        else:
            among = sets.of_class(leaf_term(condition.label, sets.store.profile), among)
    return Members(NOTHING if among is None else among, without_facts)


def _conditions(tree: Tree) -> list[Tree]:
    found, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        if node.label == "AND" and node.children:
            waiting.extend(reversed(node.children))
        else:
            found.append(node)
    return found


def _compared(sets: FormSets, tree: Tree, among: Ids | None) -> Ids:
    binary, value = tree.children
    if value.children:
        raise FormError(f"{tree.label} compares with a list", "give a number, date, time, truth value or text")
    path, bound = read_binary(sets, binary), leaf_term(value.label, sets.store.profile)
    return sets.compared(path, COMPARISONS[tree.label], bound, among)


def _is_class(sets: FormSets, tree: Tree) -> bool:
    """Whether a word that does not stand at the end of a `JOIN` is a class."""
    if tree.children:
        return False
    term = leaf_term(tree.label, sets.store.profile)
    return term.kind != LITERAL and (sets.store.profile.entity == _ANY or not sets.store.profile.is_entity(term))


def _of_word(sets: FormSets, word: str, *, end: bool) -> Members:
    profile = sets.store.profile
    term = leaf_term(word, profile)
    if term.kind == LITERAL:
        if not end:
            raise FormError(f"the literal {profile.show(term)} stands for a set", "put it at the end of a JOIN")
        return Members(sets.equal(term))
    if end if profile.entity == _ANY else profile.is_entity(term):
        number = sets.store.id(term)
        return Members(np.array([number], np.int32)) if number >= 0 else Members(NOTHING, frozenset([term]))
    return Members(sets.of_class(term, None))


def read_binary(sets: FormSets, tree: Tree) -> list[Step]:
    """The steps of a set of pairs: a relation, `(R …)` of one, or `(JOIN … …)` of two."""
    if not tree.children:
        relation = leaf_term(tree.label, sets.store.profile)
        if relation.kind == LITERAL:
            raise FormError(f"the literal {sets.store.profile.show(relation)} stands for a relation", "name a relation")
        return [Step(relation)]
    if tree.label == "R":
        return [Step(relation, not inverse) for relation, inverse in reversed(read_binary(sets, tree.children[0]))]
    if tree.label == "JOIN":
        return [*read_binary(sets, tree.children[0]), *read_binary(sets, tree.children[1])]
    raise FormError(f"{tree.label} stands where a relation belongs", "give a relation, (R …) of one, or a JOIN of two")


def _misplaced(tree: Tree) -> FormError:
    if tree.label == "COUNT":
        return FormError("COUNT stands inside a form", "put it first")
    if tree.label == "R":
        return FormError("R stands where a set belongs", "put it first in a JOIN")
    return FormError(f"{tree.label} is not executed", "use AND, JOIN, R, COUNT, ARGMAX, ARGMIN, LT, LE, GT and GE")
