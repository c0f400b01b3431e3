"""A template as trees that kernels answer and draw from: what of it is the same for all groundings is found once.

A tree is of the template or of what is left of it without a branch, from any of its nodes. Of a part of it without an
open leaf only what its parent can then be is kept, as a list. A class is a condition where the store has things of it;
where it has none, as FB15k-237 has no types, it is for people alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.errors import FormError
from recombine.kb.embedded.form_sets import FormSets
from recombine.kb.forms.form import ARGMAX, ARGMIN, COMPARISONS
from recombine.kb.templates.ground_kernels import (
    BY_BIN,
    GIVEN,
    INNER,
    PLAIN,
    WITHIN,
    Nodes,
    Order,
    edge_counts,
    step_from,
)
from recombine.kb.templates.template import is_open

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.forms.form import GraphNode
    from recombine.kb.store import Step
    from recombine.kb.templates.template import Template
    from recombine.kb.term import Term

    Ids = npt.NDArray[np.int32]

Cut = tuple[int, int]
"""A branch: the node that it begins with, and the one that it hangs on."""


@dataclass
class _Branch:
    """A node with what hangs on it."""

    place: int
    kind: int = INNER
    step: int = 0
    within: Ids | None = None
    children: list[_Branch] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Whether what it can be hangs on open leaves."""
        return self.kind != INNER or bool(self.children)


class Walk(NamedTuple):
    """What groundings are drawn from."""

    nodes: Nodes
    """A tree from an open leaf on."""
    places: tuple[int, ...]
    """Which of its nodes each open leaf of the template is."""
    candidates: Ids
    """What its root can be in some grounding, sorted."""


class Ground:
    """What plans are made from: a store, and what was found of its classes and relations already."""

    def __init__(self, store: EmbeddedStore, named: npt.NDArray[np.bool_]) -> None:
        self.store, self.named = store, named
        self.sets = FormSets(store)
        self.marks = np.zeros(len(store.table), np.uint8)
        self.order = Order(store.literals.families, store.literals.ranks)
        self._members: dict[Term, Ids] = {}
        self._usable: dict[tuple[int, int, bool], tuple[Ids | None, Ids]] = {}

    def members(self, class_: Term | None) -> Ids | None:
        """The things of a class; none where it is no condition, as nothing is of it."""
        if class_ is None:
            return None
        known = self._members.get(class_)
        if known is None:
            known = self._members[class_] = self.sets.of_class(class_, None)
        return known if len(known) else None

    def step(self, step: Step) -> int:
        """A step by ids; one whose relation no fact has is refused."""
        ids = self.store.steps([step])
        if ids is None:
            raise FormError(f"no fact has the relation {step.relation.text}", "give a template of this store's space")
        return int(ids[0])

    def sources(self, step: int) -> Ids:
        """What a step leads from."""
        return self.store.relation_ends.along(~step if step < 0 else step, inverse=step < 0)

    def along(self, ids: Ids, step: int) -> Ids:
        """What a step leads to from some ids."""
        found: Ids = step_from(self.store.edges, ids, step, self.marks)
        return found

    def usable(self, step: int, *, least: int, literal: bool) -> tuple[Ids | None, Ids]:
        """What of a step's ends a question can name, entities with names or literals, of which the step leads to each
        from so many at least, or none for all of them; and what it leads from to any of those.
        """
        known = self._usable.get((step, least, literal))
        if known is None:
            ends = self.sources(~step)
            fit = ends < len(self.order.families) if literal else self.named[ends]
            if least > 1:
                fit &= edge_counts(self.store.edges, ends, ~step) >= least
            known = (None, self.sources(step)) if fit.all() else (ends[fit], self.along(ends[fit], ~step))
            self._usable[step, least, literal] = known
        return known


class Plan:
    """The trees of one template."""

    def __init__(self, template: Template, ground: Ground) -> None:
        if not template.is_tree:
            raise FormError("a template that is no tree is not grounded", "connect all of its nodes, each in one way")
        self.template, self.ground = template, ground
        self._nodes = template.query.nodes
        self._steps = {
            (place, other): ground.step(step)
            for place in range(len(self._nodes))
            for step, other in template.steps(place)
        }
        self._order = {place: number for number, place in enumerate(template.leaves)}
        extremes = [place for place, node in enumerate(self._nodes) if node.function in (ARGMAX, ARGMIN)]
        self.extreme = extremes[0] if extremes else None
        if len(extremes) > 1:
            raise FormError("two superlatives in one template", "give one of them")
        if self.extreme is not None:
            self._order[self.extreme] = len(self._order)
        self.width = max(1, len(self._order))
        """How many leaves a row has, the literal of a superlative last."""

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The branches without which a grounding is looked at.

        A branch at a leaf is enough where there is no superlative: without a longer one there are no fewer answers.
        """
        branches = self._branches(self.template.query.asked, -1)
        return tuple(
            (place, parent)
            for place, parent in branches
            if self.extreme is not None or len(self.template.steps(place)) == 1
        )

    def _branches(self, place: int, parent: int) -> Iterator[Cut]:
        for _, other in self.template.steps(place):
            if other != parent:
                yield other, place
                yield from self._branches(other, place)

    def holds_extreme(self, cut: Cut) -> bool:
        """Whether a branch has the superlative in it."""
        return self.extreme is not None and self.extreme in (cut[0], *(place for place, _ in self._branches(*cut)))

    def step_to(self, leaf: int) -> int:
        """The step that leads to a leaf."""
        ((_, other),) = self.template.steps(leaf)
        return self._steps[other, leaf]

    # -- answers -------------------------------------------------------------------------------------------------------

    def answers(self, root: int, *, without: Cut | None = None, extreme: bool = False) -> Nodes | None:
        """The tree that gives what a node can be; none where that is anything at all.

        With `extreme`, the literals of a superlative are given, else they are any.
        """
        key = (root, without, extreme)
        if key not in self._known:
            tree = self._tree(root, -1, without, extreme=extreme)
            anything = tree.within is None and not tree.children
            self._known[key] = None if anything else _flat(tree, self._order)
        return self._known[key]

    @cached_property
    def _known(self) -> dict[tuple[int, Cut | None, bool], Nodes | None]:
        return {}

    def _tree(self, place: int, parent: int, without: Cut | None, *, extreme: bool) -> _Branch:
        node = self._nodes[place]
        step = self._steps[parent, place] if parent >= 0 else 0
        if is_open(node) and parent >= 0:
            return _Branch(place, WITHIN if node.function in COMPARISONS else GIVEN, step)
        if place == self.extreme and extreme and parent >= 0:
            return _Branch(place, GIVEN, step)
        tree = _Branch(place, INNER, step, self._own(node))
        for _, other in self.template.steps(place):
            if other != parent and (other, place) != without:
                child = self._tree(other, place, without, extreme=extreme)
                if child.is_open:
                    tree.children.append(child)
                else:
                    self._narrow(tree, self._leading_to(child))
        if tree.within is None and tree.children and all(child.kind == WITHIN for child in tree.children):
            tree.within = self.ground.sources(tree.children[0].step)
        return tree

    def _own(self, node: GraphNode) -> Ids | None:
        """What a node can be by itself: of its class, or the one thing that it is."""
        if node.kind == "class":
            return self.ground.members(node.value)
        if node.value is None:
            return None
        if node.kind == "literal":
            return self.ground.sets.equal(node.value)
        number = self.ground.store.id(node.value)
        return np.array([number] if number >= 0 else [], np.int32)

    def _leading_to(self, child: _Branch) -> Ids:
        if child.within is None:
            return self.ground.sources(child.step)
        return self.ground.along(child.within, ~child.step)

    def _narrow(self, tree: _Branch, ids: Ids) -> None:
        tree.within = ids if tree.within is None else self.ground.store.intersection(tree.within, ids)

    # -- walks ---------------------------------------------------------------------------------------------------------

    def walk(self, *, redundant: bool) -> Walk | None:
        """What groundings are drawn from; none where nothing is open.

        Where one leaf of two that hang on the same node leads to that node alone, the other is idle: with `redundant`
        such leaves are drawn too.
        """
        leaves = self.template.leaves
        if not leaves:
            return None
        if redundant not in self._walks:
            entities = [place for place in leaves if self._nodes[place].kind == "entity"]
            root = (entities or leaves)[0]
            tree = self._walk(root, -1, redundant=redundant)
            ((_, beside),) = self.template.steps(root)
            literal = self._nodes[root].kind == "literal"
            least = 1 if redundant else self._least(root, beside)
            fit, _ = self.ground.usable(self._steps[beside, root], least=least, literal=literal)
            ends = self.ground.sources(self._steps[root, beside]) if fit is None else fit
            own = ends if tree.within is None else self.ground.store.intersection(ends, tree.within)
            tree.within = None
            places: list[int] = []
            flat = _flat(tree, {}, places)
            self._walks[redundant] = Walk(flat, tuple(places.index(place) for place in leaves), own)
        return self._walks[redundant]

    @cached_property
    def _walks(self) -> dict[bool, Walk]:
        return {}

    def _least(self, leaf: int, beside: int) -> int:
        """From how many nodes at least a leaf has to be led to: two where the node has another branch."""
        if self._nodes[leaf].kind == "literal":
            return 1
        asked = self.template.query.asked
        return 2 if len(self.template.steps(beside)) > (1 if beside == asked else 2) else 1

    def _walk(self, place: int, parent: int, *, redundant: bool) -> _Branch:
        """The part of the tree that a walk goes, where all that it comes to can be gone on from."""
        node = self._nodes[place]
        tree = _Branch(place, PLAIN, self._steps[parent, place] if parent >= 0 else 0)
        tree.within = None if is_open(node) else self._own(node)
        for _, other in self.template.steps(place):
            if other == parent:
                continue
            target, step = self._nodes[other], self._steps[place, other]
            if target.kind == "class" or target.value is not None:
                child = self._walk(other, place, redundant=redundant)
                self._narrow(tree, self._leading_to(child))
                if child.children:
                    tree.children.append(child)
            else:
                least = 1 if redundant else self._least(other, place)
                literal = target.kind == "literal"
                fit, sources = self.ground.usable(step, least=least, literal=literal)
                self._narrow(tree, sources)
                if is_open(target):
                    tree.children.append(_Branch(other, PLAIN if literal else BY_BIN, step, fit))
        return tree


def _flat(tree: _Branch, order: dict[int, int], places: list[int] | None = None) -> Nodes:
    """The arrays of a tree, parents before children; `places` gets which node of the template each is."""
    branches, parents = [tree], [-1]
    for number, branch in enumerate(branches):
        branches += branch.children
        parents += [number] * len(branch.children)
    if places is not None:
        places += [branch.place for branch in branches]
    lists = [branch.within if branch.within is not None else np.empty(0, np.int32) for branch in branches]
    starts = np.zeros(len(branches) + 1, np.int64)
    np.cumsum([len(each) for each in lists], out=starts[1:])
    return Nodes(
        np.array(parents, np.int64),
        np.array([branch.step for branch in branches], np.int64),
        np.array([branch.kind for branch in branches], np.int64),
        np.array([order.get(branch.place, -1) for branch in branches], np.int64),
        np.array([branch.within is not None for branch in branches]),
        starts,
        np.concatenate(lists).astype(np.int32, copy=False),
    )
