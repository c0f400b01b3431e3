"""A pattern as an S-expression, as GrailQA writes those of its graph queries.

The class of the asked-for node comes first, then what each edge says, in the order of edges. The class of a node in the
middle is not written, unless it is all that is said of the node. A superlative is the set without the path to its
value, and that path; where a node of the path has more to it, the set keeps the path up to there, and that both pass
the same node is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from recombine.errors import FormError, UnknownNameError
from recombine.kb.forms.form import COMPARISONS
from recombine.kb.forms.loss import CLASS, LOOK, ONE_VALUE, PERHAPS_CLASS, SHARED, Loss
from recombine.kb.forms.patterns.one_tree import one_tree
from recombine.kb.forms.sexpression_words import is_entity_word, write_word
from recombine.kb.term import LITERAL
from recombine.tree import MAX_DEPTH, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.forms.pattern import Pattern, PatternEdge
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term


class Implies(Protocol):
    """Whether things at the start of a relation, or with `inverse` at its end, are of a class."""

    def __call__(self, relation: Term, name: Term, /, *, inverse: bool = False) -> bool: ...


def sexpression_of_pattern(
    pattern: Pattern, profile: Profile, *, implies: Implies | None = None, keep_classes: bool = False
) -> tuple[Tree, tuple[Loss, ...]]:
    """The S-expression of a pattern and what it does not say; with `keep_classes`, classes in the middle are said."""
    writer = _Writer(profile, implies, keep_classes=keep_classes)
    tree = writer.question(pattern)
    if tree.depth() > MAX_DEPTH:
        raise FormError(f"it is deeper than {MAX_DEPTH} levels as an S-expression", "keep it as it is")
    return tree, tuple(writer.losses)


class _Writer:
    def __init__(self, profile: Profile, implies: Implies | None, *, keep_classes: bool) -> None:
        self._profile = profile
        self._implies = implies
        self._keep_classes = keep_classes
        self.losses: list[Loss] = []

    def question(self, pattern: Pattern) -> Tree:
        pattern = one_tree(pattern)
        extreme = pattern.extreme
        tree = self._set(pattern, pattern.asked, None) if extreme is None else self._superlative(pattern, extreme)
        return Tree("COUNT", (tree,)) if pattern.count else tree

    def _superlative(self, pattern: Pattern, extreme: int) -> Tree:
        end = pattern.nodes[extreme]
        if end.constants or end.classes or end.comparisons or end.inner or len(pattern.edges_at(extreme)) > 1:
            raise FormError("the value of its superlative has conditions of its own", "keep it as SPARQL")
        if extreme == pattern.asked:
            raise FormError("it asks for the largest or smallest value itself", "keep it as SPARQL")
        path = _path(pattern, extreme)
        pairs = _nested("JOIN", [self._relation(edge, inverse=inverse) for edge, inverse, _ in path])
        kept = self._shared(pattern, path)
        for _, _, place in path[kept:-1]:
            self._lose_classes(pattern, place)
        for _, _, place in path[:kept]:
            self._say_shared(pattern, place)
        cut = frozenset(id(edge) for edge, _, _ in path[kept:])
        members = self._set(pattern, pattern.asked, None, cut)
        return Tree(end.extreme.upper(), (members, pairs))

    def _shared(self, pattern: Pattern, path: Sequence[tuple[PatternEdge, bool, int]]) -> int:
        """How many edges of the path to a superlative's value the set must have too."""
        for number in range(len(path) - 2, -1, -1):
            place = path[number][2]
            node = pattern.nodes[place]
            said = node.constants or node.comparisons or node.inner
            kept = self._keep_classes and any(not self._implied(pattern, place, name)[0] for name in node.classes)
            if said or kept or len(pattern.edges_at(place)) > 2:
                return number + 1
        return 0

    def _say_shared(self, pattern: Pattern, place: int) -> None:
        names = ", ".join(self._profile.show(name) for name in pattern.nodes[place].classes)
        node = f"the node {place} ({names})" if names else f"the node {place}"
        sentence = f"{node} is one for the set and for the path to the value of {self._function(pattern)}"
        self.losses.append(Loss(SHARED, sentence))

    @staticmethod
    def _function(pattern: Pattern) -> str:
        return next(node.extreme.upper() for node in pattern.nodes if node.extreme)

    def _set(self, pattern: Pattern, place: int, came: PatternEdge | None, cut: frozenset[int] = frozenset()) -> Tree:
        """The set of what can stand at a node, as far as edges lead away from the one by which it was reached."""
        node = pattern.nodes[place]
        if node.comparisons:
            raise FormError("what it compares with a literal has other conditions too", "keep it as SPARQL")
        edges = [edge for edge in pattern.edges_at(place) if edge is not came and id(edge) not in cut]
        alone = came is not None and not edges and not node.inner and len(node.constants) + len(node.classes) == 1
        sets = [self._constant(term, at_end=alone) for term in node.constants]
        sets += [self.question(inner) for inner in node.inner]
        for edge in edges:
            sets += self._clauses(pattern, place, edge, cut)
        if came is None or not sets or self._keep_classes:
            sets = [self._class(name, at_end=alone) for name in node.classes] + sets
        else:
            self._lose_classes(pattern, place)
        if not sets:
            raise FormError(f"nothing is said of the node {place}", "an S-expression has a set there: give it a class")
        return _nested("AND", sets)

    def _clauses(self, pattern: Pattern, place: int, edge: PatternEdge, cut: frozenset[int]) -> list[Tree]:
        """What an edge says of the node at one of its ends."""
        inverse = edge.end == place
        other = edge.start if inverse else edge.end
        node = pattern.nodes[other]
        relation = self._relation(edge, inverse=inverse)
        if not node.comparisons or node.constants or node.classes or node.inner or len(pattern.edges_at(other)) > 1:
            return [Tree("JOIN", (relation, self._set(pattern, other, edge, cut)))]
        if len(node.comparisons) > 1:
            sentence = f"one value of {self._profile.show(edge.relation)} meets all of its comparisons"
            self.losses.append(Loss(ONE_VALUE, sentence))
        return [
            Tree(COMPARISONS[sign].lower(), (relation, Tree(write_word(value, self._profile))))
            for sign, value in node.comparisons
        ]

    def _relation(self, edge: PatternEdge, *, inverse: bool) -> Tree:
        relation = Tree(write_word(edge.relation, self._profile))
        return Tree("R", (relation,)) if inverse else relation

    def _constant(self, term: Term, *, at_end: bool) -> Tree:
        if term.kind != LITERAL and not is_entity_word(term, self._profile, at_end=at_end):
            sentence = f"{self._profile.show(term)} is an entity, and a class to who reads the S-expression"
            if not self._profile.tells_entities:
                raise FormError(sentence, "keep it as it is, or use a profile by which entities are told by their look")
            self.losses.append(Loss(LOOK, sentence))
        return Tree(write_word(term, self._profile))

    def _class(self, name: Term, *, at_end: bool) -> Tree:
        word = Tree(write_word(name, self._profile))
        if not is_entity_word(name, self._profile, at_end=at_end):
            return word
        predicates = self._profile.predicates("type")
        if not predicates:
            raise FormError(f"the profile {self._profile.name!r} has no predicate of classes", 'give it type = ["…"]')
        return Tree("JOIN", (Tree(write_word(predicates[0], self._profile)), word))

    def _lose_classes(self, pattern: Pattern, place: int) -> None:
        for name in pattern.nodes[place].classes:
            said = f"the node {place} in the middle is of class {self._profile.show(name)}"
            implied, unknown = self._implied(pattern, place, name)
            if implied:
                continue
            if self._implies is None or unknown:
                why = f"{unknown} is not in the ontology" if unknown else "no ontology"
                self.losses.append(Loss(PERHAPS_CLASS, f"{said}, which a relation there may imply ({why})"))
            else:
                self.losses.append(Loss(CLASS, f"{said}, which no relation there implies"))

    def _implied(self, pattern: Pattern, place: int, name: Term) -> tuple[bool, str]:
        """Whether a relation at a node implies a class, and a relation there that the ontology does not know."""
        implies, unknown = self._implies, ""
        if implies is None:
            return False, unknown
        for edge in pattern.edges_at(place):
            try:
                if implies(edge.relation, name, inverse=edge.end == place):
                    return True, unknown
            except UnknownNameError:
                unknown = self._profile.show(edge.relation)
        return False, unknown


def _path(pattern: Pattern, end: int) -> list[tuple[PatternEdge, bool, int]]:
    """The edges from the asked-for node to another, each with its direction and the node it leads to."""
    came: dict[int, tuple[PatternEdge, bool, int]] = {}
    waiting = [pattern.asked]
    while waiting:
        place = waiting.pop()
        for edge in pattern.edges_at(place):
            other = edge.start if edge.end == place else edge.end
            if other != pattern.asked and other not in came:
                came[other] = (edge, edge.end == place, place)
                waiting.append(other)
    path: list[tuple[PatternEdge, bool, int]] = []
    while end != pattern.asked:
        edge, inverse, before = came[end]
        path.append((edge, inverse, end))
        end = before
    return path[::-1]


def _nested(function: str, parts: list[Tree]) -> Tree:
    """Parts nested to the right by a function of two."""
    tree = parts[-1]
    for part in reversed(parts[:-1]):
        tree = Tree(function, (part, tree))
    return tree
