"""What an S-expression says (GrailQA, appendix B)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import FormError, ProgramError
from recombine.kb.forms.form import ARGMAX, ARGMIN, COMPARISONS
from recombine.kb.forms.pattern import Pattern, PatternEdge, PatternNode
from recombine.kb.forms.sexpression_words import is_entity_word, read_word
from recombine.kb.term import LITERAL
from recombine.languages.sexpression import NAME, render_sexpression

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term
    from recombine.tree import Tree

_SIGNS = {word: sign for sign, function in COMPARISONS.items() for word in (function, function.lower())}
_EXTREMES = {"ARGMAX": ARGMAX, "ARGMIN": ARGMIN}
_Step = tuple["Term", bool]


def pattern_of_sexpression(tree: Tree, profile: Profile) -> Pattern:
    """The pattern of an S-expression; one that puts a relation in the place of a set, or the reverse, is malformed."""
    return _Reader(profile).question(tree)


class _Reader:
    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._type_predicates = frozenset(profile.predicates("type"))

    def question(self, tree: Tree) -> Pattern:
        """A pattern of its own: a set with at most one function around it, or both a count and a superlative."""
        pattern = Pattern([PatternNode()])
        if tree.label == "COUNT" and tree.children:
            pattern.count = True
            tree = tree.children[0]
        if tree.label in _EXTREMES:
            members, pairs = tree.children
            self._conditions(members, pattern, 0, at_end=False)
            end = self._path(self._steps(pairs), pattern, 0)
            pattern.nodes[end].extreme = _EXTREMES[tree.label]
        else:
            self._conditions(tree, pattern, 0, at_end=False)
        return pattern

    def _conditions(self, tree: Tree, pattern: Pattern, place: int, *, at_end: bool) -> None:
        """Say of a node that it is in a set."""
        label, children = tree.label, tree.children
        if not children:
            self._word(label, pattern.nodes[place], at_end=at_end)
        elif label == "AND":
            for child in children:
                self._conditions(child, pattern, place, at_end=False)
        elif label == "JOIN":
            self._join(children[0], children[1], pattern, place)
        elif label in _SIGNS:
            value = self._value(children[1])
            end = self._path(self._steps(children[0]), pattern, place)
            pattern.nodes[end].comparisons.append((_SIGNS[label], value))
        elif label == "COUNT" or label in _EXTREMES:
            pattern.nodes[place].inner.append(self.question(tree))
        elif label == "R":
            raise _ill_typed(tree, "pairs, where a set is wanted")
        else:
            raise FormError(f"{label} has no other notation", "write the form without it")

    def _word(self, word: str, node: PatternNode, *, at_end: bool) -> None:
        term = read_word(word, self._profile)
        if term.kind == LITERAL or is_entity_word(term, self._profile, at_end=at_end):
            node.constants.append(term)
        else:
            node.classes.append(term)

    def _join(self, pairs: Tree, members: Tree, pattern: Pattern, place: int) -> None:
        steps = self._steps(pairs)
        last, inverse = steps[-1]
        if last in self._type_predicates and not inverse and not members.children:
            class_ = read_word(members.label, self._profile)
            if class_.kind != LITERAL and not (self._profile.tells_entities and self._profile.is_entity(class_)):
                pattern.nodes[self._path(steps[:-1], pattern, place)].classes.append(class_)
                return
        self._conditions(members, pattern, self._path(steps, pattern, place), at_end=True)

    def _path(self, steps: list[_Step], pattern: Pattern, place: int) -> int:
        """The node at the end of a path, whose nodes are new."""
        for relation, inverse in steps:
            other = pattern.add()
            start, end = (other, place) if inverse else (place, other)
            pattern.edges.append(PatternEdge(start, end, relation))
            place = other
        return place

    def _steps(self, tree: Tree) -> list[_Step]:
        """The path that a set of pairs is."""
        if not tree.children:
            relation = read_word(tree.label, self._profile)
            if relation.kind == LITERAL:
                raise _ill_typed(tree, "a literal, where a relation is wanted")
            return [(relation, False)]
        if tree.label == "R":
            return [(relation, not inverse) for relation, inverse in reversed(self._steps(tree.children[0]))]
        if tree.label == "JOIN":
            return [*self._steps(tree.children[0]), *self._steps(tree.children[1])]
        raise _ill_typed(tree, "a set, where pairs are wanted")

    def _value(self, tree: Tree) -> Term:
        term = None if tree.children else read_word(tree.label, self._profile)
        if term is None or term.kind != LITERAL:
            raise _ill_typed(tree, "no literal, where one is compared with")
        return term


def _ill_typed(tree: Tree, problem: str) -> ProgramError:
    text = render_sexpression(tree)
    shown = text if len(text) <= 60 else text[:59] + "…"
    return ProgramError(NAME, 0, f"{shown} is {problem}", "(JOIN pairs set), (R pairs) and (AND set set) are what fits")
