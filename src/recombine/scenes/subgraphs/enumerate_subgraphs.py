"""All sub-graphs of a scene under some limits, the smaller first, with the number of objects that each refers to.

A sub-graph holds as its program does: each of its nodes is some object, and two nodes may be the same one. With
distinct names, as is usual, they never are. What is enumerated is bounded: a scene with more than `most_subgraphs`, or
with too many ways to walk through it, is cut, and says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING, NamedTuple

from recombine.scenes.subgraphs.seen_part import seen_part
from recombine.scenes.subgraphs.shape import Branch, Flat, Names, Shape, shape_size, unflatten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.scenes.scene import Modifier, Relation, Scene, SceneObject
    from recombine.scenes.subgraph import Subgraph
    from recombine.scenes.subgraphs.limits import Limits

STEPS_PER_SUBGRAPH = 40
"""How many combinations are looked at for each sub-graph that is allowed, equal ones and forbidden ones included."""


@dataclass(frozen=True)
class Enumeration:
    """The sub-graphs of a scene."""

    roots: dict[Flat, int]
    """How many objects are the root of each; a lower bound where the scene is cut."""
    asked: frozenset[Flat] | None
    """Those that may be asked about; all where it is none."""
    cut: bool

    def subgraphs(self) -> list[Subgraph]:
        """Those that may be asked about, by size, then shape, then names."""
        kept = self.roots if self.asked is None else [each for each in self.roots if each in self.asked]
        return [unflatten(*each) for each in sorted(kept, key=by_size)]


def enumerate_subgraphs(scene: Scene, limits: Limits) -> Enumeration:
    """All sub-graphs of a scene, and which of them may be asked about."""
    seen = seen_part(scene, limits)
    everything = replace(limits, smallest_area=0, needs_attribute=frozenset())
    roots, cut = _Walk(seen, everything).enumerate()
    if everything == limits:
        return Enumeration(roots, None, cut)
    asked, _ = _Walk(seen, limits).enumerate()
    return Enumeration(roots, frozenset(each for each in asked if each in roots), cut)


def by_size(flat: Flat) -> tuple[int, Shape, Names]:
    """The key that orders sub-graphs by size, then shape, then names."""
    return shape_size(flat.shape), flat.shape, flat.names


class _Spent(Exception):  # noqa: N818
    """The steps of a walk are used up."""


class _Part(NamedTuple):
    """A sub-graph below some object, and the nouns in it."""

    shape: Shape
    names: Names
    nouns: frozenset[str]


class _Twig(NamedTuple):
    """A relation with what it leads to, and the nouns in it."""

    branch: Branch
    names: Names
    nouns: frozenset[str]


class _Walk:
    """Walks through one scene."""

    def __init__(self, scene: Scene, limits: Limits) -> None:
        self._limits, self._by_id = limits, scene.by_id
        self._objects = [each for each in scene.objects if self._large(each)]
        self._steps = limits.most_subgraphs * STEPS_PER_SUBGRAPH
        self._cut = False
        self._leaves: dict[tuple[str, Relation, bool], list[_Twig]] = {}

    def enumerate(self) -> tuple[dict[Flat, int], bool]:
        """How many roots each sub-graph has, and whether there are more sub-graphs."""
        limits = self._limits
        roots: dict[Flat, int] = {}
        most = sum(limits.relations_per_object**level for level in range(1, limits.relations_on_a_way + 1))
        try:
            for relations in range(most + 1):
                for each in self._objects:
                    kept = {Flat(part.shape, part.names) for part in self._parts(each, relations, at_root=True)}
                    # the order of a set of texts is another in each process
                    for flat in sorted(kept):
                        roots[flat] = roots.get(flat, 0) + 1
                    if len(roots) > limits.most_subgraphs:
                        raise _Spent
        except _Spent:
            self._cut = True
        return dict(list(roots.items())[: limits.most_subgraphs]), self._cut

    def _large(self, each: SceneObject) -> bool:
        return each.box is None or each.box.area > self._limits.smallest_area or not self._limits.smallest_area

    def _spend(self) -> None:
        self._steps -= 1
        if self._steps < 0:
            raise _Spent

    def _parts(
        self, each: SceneObject, relations: int, *, ways: int | None = None, at_root: bool = False, bare: bool = False
    ) -> Iterator[_Part]:
        """The sub-graphs from an object down that have so many relations."""
        ways = self._limits.relations_on_a_way if ways is None else ways
        attributes = [None] if bare else [None, *sorted(set(each.attributes))]
        for twigs in self._twigs_below(each, relations, ways, at_root=at_root):
            nouns = frozenset((each.name,)).union(*(twig.nouns for twig in twigs))
            branches = tuple(twig.branch for twig in twigs)
            below = tuple(name for twig in twigs for name in twig.names)
            for attribute in attributes:
                own = (each.name,) if attribute is None else (each.name, attribute)
                yield _Part((attribute is not None, branches), own + below, nouns)

    def _twigs_below(self, each: SceneObject, relations: int, ways: int, *, at_root: bool) -> Iterator[list[_Twig]]:
        """All choices of relations from an object, with so many relations in all."""
        if relations == 0:
            yield []
            return
        if ways == 0:
            return
        edges = self._edges(each)
        for edge in edges:
            for twig in self._twigs(each, edge, relations, ways):
                self._spend()
                yield [twig]
        if at_root or not self._limits.fork_at_root_only:
            for count in range(2, min(self._limits.relations_per_object, relations) + 1):
                yield from self._forks(each, edges, count, relations, ways)

    def _edges(self, each: SceneObject) -> list[Relation]:
        """The relations of an object that a sub-graph can have, equal ones once."""
        edges = []
        for edge in dict.fromkeys(each.relations):
            target = self._by_id[edge.object]
            if self._large(target) and not (self._limits.distinct_names and target.name == each.name):
                edges.append(edge)
        return edges

    def _forks(
        self, each: SceneObject, edges: list[Relation], count: int, relations: int, ways: int
    ) -> Iterator[list[_Twig]]:
        bare = self._limits.fork_of_bare_objects
        if bare and relations != count:
            return
        # two nodes may be one object, so that one relation can be walked twice
        chosen = combinations if self._limits.equal_edges_once else combinations_with_replacement
        for some in chosen(edges, count):
            self._spend()
            if (
                self._limits.equal_edges_once
                and len({(edge.name, self._by_id[edge.object].name) for edge in some}) < count
            ):
                continue
            for sizes in _shares(relations - count, count):
                twigs = [
                    list(self._twigs(each, edge, 1 + size, ways, bare=bare))
                    for edge, size in zip(some, sizes, strict=True)
                ]
                for choice in product(*twigs):
                    self._spend()
                    if self._compatible(choice):
                        yield sorted(choice, key=lambda twig: twig[:2])

    def _compatible(self, twigs: tuple[_Twig, ...]) -> bool:
        """Whether relations of one object differ, and share no noun where names are distinct."""
        if self._limits.distinct_names:
            return len(frozenset().union(*(twig.nouns for twig in twigs))) == sum(len(twig.nouns) for twig in twigs)
        return len({twig[:2] for twig in twigs}) == len(twigs)

    def _twigs(
        self, each: SceneObject, edge: Relation, relations: int, ways: int, *, bare: bool = False
    ) -> Iterator[_Twig]:
        """A relation with all that it can lead to, with so many relations in all."""
        if relations > 1:
            yield from self._walked_twigs(each, edge, relations, ways, bare=bare)
            return
        # they are few, and are asked for again in every fork
        key = (each.name, edge, bare)
        if key not in self._leaves:
            self._leaves[key] = list(self._walked_twigs(each, edge, 1, ways, bare=bare))
        yield from self._leaves[key]

    def _walked_twigs(
        self, each: SceneObject, edge: Relation, relations: int, ways: int, *, bare: bool
    ) -> Iterator[_Twig]:
        for mods in self._mod_choices(edge):
            if mods and self._limits.modifiers_on_leaves_only and relations > 1:
                continue
            ends = [self._by_id[edge.object], *(self._by_id[mod.object] for mod in mods)]
            for sizes in _shares(relations - 1, len(ends)):
                below = [
                    list(self._parts(end, size, ways=ways - 1, bare=bare))
                    for end, size in zip(ends, sizes, strict=True)
                ]
                for child, *others in product(*below):
                    nouns = child.nouns.union(*(other.nouns for other in others))
                    if not self._fits(each, edge, child, nouns, (child, *others)):
                        continue
                    arranged = sorted(
                        (other.shape, (mod.name, *other.names)) for mod, other in zip(mods, others, strict=True)
                    )
                    if len(set(arranged)) < len(arranged):
                        continue  # what is said twice is said once
                    yield _Twig(
                        (child.shape, tuple(shape for shape, _ in arranged)),
                        (edge.name, *child.names, *(name for _, names in arranged for name in names)),
                        nouns,
                    )

    def _fits(
        self, each: SceneObject, edge: Relation, child: _Part, nouns: frozenset[str], parts: tuple[_Part, ...]
    ) -> bool:
        if not child.shape[0] and (edge.name, child.names[0]) in self._limits.needs_attribute:
            return False
        if not self._limits.distinct_names:
            return True
        return each.name not in nouns and len(nouns) == sum(len(part.nouns) for part in parts)

    def _mod_choices(self, edge: Relation) -> Iterator[tuple[Modifier, ...]]:
        """All choices of modifiers of a relation, none first."""
        mods = [mod for mod in dict.fromkeys(edge.mods) if self._large(self._by_id[mod.object])]
        most = self._limits.modifiers_per_relation
        if most < len(mods):
            self._cut = True
        # two nodes may be one object here too, but where names are distinct
        chosen = combinations if self._limits.distinct_names else combinations_with_replacement
        if self._limits.distinct_names or not mods:
            most = min(most, len(mods))
        for count in range(most + 1):
            yield from chosen(mods, count)


def _shares(total: int, count: int) -> Iterator[tuple[int, ...]]:
    """All ways to share out a number."""
    if count == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _shares(total - first, count - 1):
            yield (first, *rest)
