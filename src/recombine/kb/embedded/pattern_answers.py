"""What a logical form asks for on an embedded index: the nodes of its pattern as sets of ids, narrowed from the leaves.

Every edge is a fact, and different nodes may be the same. A pattern without circles is answered exactly by narrowing
each node to what fits all that lies behind it, from the leaves to the node that is asked for; one with a circle is
refused. For a superlative this is done twice: from the node of its value, which is then its largest ones, and from the
node that is asked for. A literal stands for all that are equal to it by value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.errors import FormError
from recombine.kb.embedded.form_sets import NOTHING
from recombine.kb.forms.form import ARGMAX
from recombine.kb.forms.patterns.one_tree import one_tree
from recombine.kb.store import Step
from recombine.kb.term import LITERAL, Term

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from recombine.kb.embedded.form_sets import FormSets
    from recombine.kb.forms.pattern import Pattern, PatternNode

    Ids = npt.NDArray[np.int32]

_NO_STEP = Step(Term.name(""))
"""How the root is come to."""
_INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


class _Visit(NamedTuple):
    """A node, and where it is come to from: the place of its parent, and the step from there."""

    place: int
    parent: int
    step: Step


def pattern_answers(sets: FormSets, pattern: Pattern) -> list[Term]:
    """The terms that a pattern asks for, in the order of their keys; a number where it counts them."""
    alone = _constant(pattern)
    found = [alone] if alone is not None else None
    if pattern.count:
        return [_count(sets, pattern) if found is None else _number(len(found))]
    return sets.store.terms(members(sets, pattern)) if found is None else found


def members(sets: FormSets, pattern: Pattern) -> Ids:
    """The ids that the node asked for can be."""
    tree = one_tree(pattern)
    known: dict[int, Ids] = {}
    extremes = [place for place, node in enumerate(tree.nodes) if node.extreme]
    if len(extremes) > 1:
        raise FormError("two superlatives of one set", "ask for one of them")
    for place in extremes:
        sign = 1 if tree.nodes[place].extreme == ARGMAX else -1
        known[place] = sets.extreme(_narrowed(sets, tree, place, known), sign)
    return _narrowed(sets, tree, tree.asked, known)


def _constant(pattern: Pattern) -> Term | None:
    """The one entity or literal that a form is and says nothing else of, which no fact need have."""
    node = pattern.nodes[pattern.asked]
    said = node.classes or node.comparisons or node.extreme or node.inner or len(pattern.nodes) > 1
    return node.constants[0] if not said and len(set(node.constants)) == 1 else None


def _count(sets: FormSets, pattern: Pattern) -> Term:
    return _number(len(members(sets, pattern)))


def _number(count: int) -> Term:
    return Term.literal(str(count), datatype=_INTEGER)


def _narrowed(sets: FormSets, pattern: Pattern, root: int, known: dict[int, Ids]) -> Ids:
    """What a node can be, given all that hangs on it."""
    visits = _visits(pattern, root)
    behind: dict[int, list[_Visit]] = {}
    found: dict[int, Ids | None] = {}
    for visit in reversed(visits):
        node = pattern.nodes[visit.place]
        among = _own(sets, node, known.get(visit.place))
        late = []
        for child in behind.get(visit.place, ()):
            reached = found.pop(child.place)
            if reached is None:
                late.append(child)
            else:
                among = _both(sets, among, sets.against(reached, child.step))
        for class_ in node.classes:
            among = sets.of_class(class_, among)
        for child in late:
            among = _leading_on(sets, pattern.nodes[child.place], child.step, among)
        is_leaf = visit.place != root and visit.place not in behind
        if not (is_leaf and among is None):  # a leaf that compares is asked of what leads to it
            for comparison, value in node.comparisons:
                among = sets.compared(comparison, value, among)
        found[visit.place] = among
        behind.setdefault(visit.parent, []).append(visit)
    answers = found[root]
    if answers is None:
        raise FormError("it asks for anything at all", "say a class, an entity or a fact")
    return answers


def _visits(pattern: Pattern, root: int) -> list[_Visit]:
    """The nodes from a root on, parents before children."""
    beside: dict[int, list[tuple[int, Step]]] = {}
    for edge in pattern.edges:
        beside.setdefault(edge.start, []).append((edge.end, Step(edge.relation)))
        beside.setdefault(edge.end, []).append((edge.start, Step(edge.relation, inverse=True)))
    visits = [_Visit(root, -1, _NO_STEP)]
    for visit in visits:
        visits += [
            _Visit(other, visit.place, step) for other, step in beside.get(visit.place, ()) if other != visit.parent
        ]
    return visits


def _own(sets: FormSets, node: PatternNode, known: Ids | None) -> Ids | None:
    """What a node can be by its constants and the sets that it is in; none is anything."""
    among = known
    for term in node.constants:
        among = _both(sets, among, sets.equal(term) if term.kind == LITERAL else _one(sets.store.id(term)))
    for pattern in node.inner:
        inner = sets.equal(_count(sets, pattern)) if pattern.count else members(sets, pattern)
        among = _both(sets, among, inner)
    return among


def _leading_on(sets: FormSets, node: PatternNode, step: Step, among: Ids | None) -> Ids:
    """Those from which a step leads to a leaf of which nothing is known but how it compares."""
    if not node.comparisons:
        return sets.having(step, among)
    (comparison, value), *others = node.comparisons
    if not others:
        return sets.leading_to(step, comparison, value, among)
    return _both(sets, among, sets.against(_all(sets, node.comparisons), step))


def _all(sets: FormSets, comparisons: Iterable[tuple[str, Term]]) -> Ids:
    ends: Ids | None = None
    for comparison, value in comparisons:
        ends = sets.compared(comparison, value, ends)
    return NOTHING if ends is None else ends


def _both(sets: FormSets, one: Ids | None, other: Ids) -> Ids:
    return other if one is None else sets.store.intersection(one, other)


def _one(number: int) -> Ids:
    return np.array([number], np.int32) if number >= 0 else NOTHING
