"""Forms executed in a way that is plainly right: sets of terms, pairs one by one, and every way to fill a graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from recombine.kb.embedded.literal_columns import TEXT, literal_value
from recombine.kb.forms.form import GraphQuery
from recombine.kb.forms.sexpression_words import read_word
from recombine.kb.profiles.profile import Profile
from recombine.kb.term import LITERAL, Term
from recombine.tree import Tree

Fact = tuple[Term, Term, Term]
Ordered = tuple[int, Fraction | float | str]
WORDS = {"LT": "<", "LE": "<=", "GT": ">", "GE": ">="}


def ordered(term: Term) -> Ordered | None:
    """The family of a literal and what it is there, which compare; none where it has no value."""
    found = literal_value(term.text, term.datatype, term.language) if term.kind == LITERAL else None
    if found is None:
        return None
    return found.family, term.text if found.family == TEXT else found.exact if found.family == 1 else found.number


def holds(comparison: str, one: Ordered | None, other: Ordered | None) -> bool:
    """Whether two values compare so."""
    if one is None or other is None or one[0] != other[0]:
        return False
    less, same = one[1] < other[1], one[1] == other[1]  # type: ignore[operator]
    return {"<": less, "<=": less or same, ">": not less and not same, ">=": not less, "=": same}[comparison]


def same(one: Term, other: Term) -> bool:
    """Whether two terms are one, or are literals of one value."""
    return one == other or holds("=", ordered(one), ordered(other))


def extreme(pairs: Sequence[tuple[Term, Term]], sign: str) -> set[Term]:
    """The firsts of the pairs whose second no other second of its family exceeds."""
    values = [(one, ordered(other)) for one, other in pairs]
    known = [(one, value) for one, value in values if value is not None]
    return {one for one, value in known if not any(holds(sign, other, value) for _, other in known)}


class SlowExecute:
    """The answers of forms over a list of facts."""

    def __init__(self, facts: Sequence[Fact], profile: Profile) -> None:
        self.facts, self.profile = facts, profile
        self._types = set(profile.predicates("type"))

    def sexpression(self, tree: Tree) -> set[Term] | int:
        """The members of an S-expression, or their number."""
        return len(self._set(tree.children[0])) if tree.label == "COUNT" else self._set(tree)

    def _set(self, tree: Tree) -> set[Term]:
        if not tree.children:
            term = read_word(tree.label, self.profile)
            if term.kind == LITERAL:
                return {target for _, _, target in self.facts if same(target, term)}
            return {term} if self.profile.is_entity(term) else self._class(term)
        one, other = tree.children
        if tree.label == "AND":
            return self._set(one) & self._set(other)
        if tree.label == "JOIN":
            ends = self._set(other)
            return {first for first, second in self._pairs(one) if second in ends}
        if tree.label in ("ARGMAX", "ARGMIN"):
            among = self._set(one)
            pairs = [pair for pair in self._pairs(other) if pair[0] in among]
            return extreme(pairs, ">" if tree.label == "ARGMAX" else "<")
        bound = ordered(read_word(other.label, self.profile))
        return {x for x, value in self._pairs(one) if holds(WORDS[tree.label.upper()], ordered(value), bound)}

    def _class(self, class_: Term) -> set[Term]:
        return {subject for subject, relation, target in self.facts if relation in self._types and target == class_}

    def _pairs(self, tree: Tree) -> set[tuple[Term, Term]]:
        if not tree.children:
            name = read_word(tree.label, self.profile)
            return {(subject, target) for subject, relation, target in self.facts if relation == name}
        if tree.label == "R":
            return {(other, one) for one, other in self._pairs(tree.children[0])}
        after: dict[Term, set[Term]] = {}
        for one, other in self._pairs(tree.children[1]):
            after.setdefault(one, set()).add(other)
        return {(one, end) for one, middle in self._pairs(tree.children[0]) for end in after.get(middle, ())}

    def graph(self, graph: GraphQuery) -> set[Term] | int:
        """The members of a graph query's asked-for node, or their number."""
        ways = list(self._ways(graph, {}, list(graph.edges)))
        for place, node in enumerate(graph.nodes):
            if node.function in ("argmax", "argmin"):
                best = extreme([(way[place], way[place]) for way in ways], ">" if node.function == "argmax" else "<")
                ways = [way for way in ways if way[place] in best]
        found = {way[graph.asked] for way in ways}
        return len(found) if graph.nodes[graph.asked].function == "count" else found

    def _ways(self, graph: GraphQuery, filled: dict[int, Term], edges: list) -> Iterator[dict[int, Term]]:
        if not edges:
            if filled:
                yield filled
            else:
                node = graph.nodes[0]
                members = self._class(node.value) if node.kind == "class" else {node.value}
                yield from ({0: term} for term in members)
            return
        edge = next((each for each in edges if each.start in filled or each.end in filled), edges[0])
        left = [each for each in edges if each is not edge]
        for subject, relation, target in self.facts:
            if relation != edge.relation:
                continue
            if filled.get(edge.start, subject) != subject or filled.get(edge.end, target) != target:
                continue
            if self._fits(graph, edge.start, subject) and self._fits(graph, edge.end, target):
                yield from self._ways(graph, {**filled, edge.start: subject, edge.end: target}, left)

    def _fits(self, graph: GraphQuery, place: int, term: Term) -> bool:
        node = graph.nodes[place]
        if node.kind == "class":
            return node.value is None or term in self._class(node.value)
        if node.kind == "entity":
            return term == node.value
        if node.function in ("argmax", "argmin"):
            return True
        assert node.value is not None
        if node.function == "none":
            return same(term, node.value)
        return holds(node.function, ordered(term), ordered(node.value))
