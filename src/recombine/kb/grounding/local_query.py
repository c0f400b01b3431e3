"""A query over the pairs of an index: entities drawn by counts along its tree, and answers by joins.

The terms of a query and its links are a graph, as a rule a tree. From the leaves to the root each candidate of a term
is given the number of ways in which the placeholders below it can be filled; then entities are drawn from the root down
in proportion to these numbers. What variables between placeholders add to the ways of a combination is taken out again
by accepting it with one over its ways, so that every combination of entities is drawn with the same probability, up to
`THINNINGS` rejections, after which the next one is taken. What the tree does not see, links that close a circle and
entities that must differ, is checked, and a draw that fails is drawn again. Where `DRAWS` are used up, a search in
random order finds a combination that satisfies the query, not all with the same probability, or finds that there is
none, or gives up after `BUDGET` candidates.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.kb.embedded.set_kernels import intersect
from recombine.kb.grounding.asked_query import SEARCH_ENDED, UNSATISFIABLE, places_drawn
from recombine.kb.grounding.local_search import searched
from recombine.kb.grounding.pair_kernels import draw_joined, has_pair, row_of, weigh
from recombine.kb.grounding.pair_sets import union
from recombine.kb.grounding.property_path import TYPE

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    import numpy.typing as npt

    from recombine.kb.grounding.pair_sets import Pairs, PairSets
    from recombine.kb.grounding.query_terms import End, QueryTerms

    Ids = npt.NDArray[np.int32]
    Weights = npt.NDArray[np.float64]

DRAWS = 32
THINNINGS = 16
BUDGET = 200_000
_NOTHING = np.zeros(0, np.int32)


class Branch(NamedTuple):
    """A term of a tree with its place in it."""

    term: str
    parent: str | None
    counted: bool
    """Whether its ways are counted: it is a placeholder, or stands between two."""


class Tree(NamedTuple):
    """Connected terms, each after its parent."""

    branches: tuple[Branch, ...]
    closed: bool
    """Whether links close a circle, so that the tree does not have all of them."""


class LocalQuery:
    """A query over pairs; `named` are the ids that may stand for placeholders, none is all."""

    def __init__(self, sets: PairSets, terms: QueryTerms, named: Ids | None) -> None:
        self._sets = sets
        self._terms = terms
        self._named = named
        self._links: dict[str, dict[str, Pairs]] = {term: {} for term in terms.terms}
        self._link_keys: dict[tuple[str, str], Hashable] = {}
        for link in terms.links:
            pairs = sets.linked(link.paths, unequal=link.unequal)
            self._links[link.one][link.other] = pairs
            self._links[link.other][link.one] = pairs.turned()
            self._link_keys[link.one, link.other] = (link.paths, link.unequal, False)
            self._link_keys[link.other, link.one] = (link.paths, link.unequal, True)
        self.searches = 0
        """How many combinations were found by search, and not by counts."""

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, rng: np.random.Generator) -> dict[str, int] | str:
        """Entities that satisfy the query, or why there are none."""
        if self._ways is None:
            return UNSATISFIABLE
        if not self._terms.placeholders:
            holds = self.holds({})
            return SEARCH_ENDED if holds is None else {} if holds else UNSATISFIABLE
        fallback: dict[str, int] | None = None
        thinned = 0
        for _ in range(DRAWS):
            entities = self._drawn(rng)
            if len(set(entities.values())) < len(entities):
                continue
            if self._is_free:
                return entities
            ways = self._count(entities)
            if ways is None or ways == 0:
                continue
            if ways <= 1 or thinned >= THINNINGS or rng.random() * ways < 1:
                return entities
            thinned += 1
            fallback = entities
        return fallback if fallback is not None else self._search(rng)

    @cached_property
    def _trees(self) -> tuple[Tree, ...]:
        return forest(self._terms.terms, self._links, frozenset(self._terms.placeholders))

    @cached_property
    def _is_free(self) -> bool:
        """Whether a draw along the trees needs no further check, and no variable stands between placeholders."""
        return not self._terms.apart and not any(
            tree.closed or any(branch.counted and branch.term.startswith("?") for branch in tree.branches)
            for tree in self._trees
        )

    @cached_property
    def _ways(self) -> dict[str, tuple[Ids, Weights]] | None:
        """The candidates of every term with the ways below them; none where a term has none."""
        ways: dict[str, tuple[Ids, Weights]] = {}
        domains = {term: self._domain(term) for term in self._terms.terms}
        for tree in self._trees:
            if not self._climb(tree, domains, ways):
                return None
        return ways

    @cached_property
    def _sums(self) -> dict[str, Weights]:
        """Of the root of each tree, the weights of its candidates added up."""
        roots = [tree.branches[0].term for tree in self._trees]
        return {term: np.cumsum((self._ways or {})[term][1]) for term in roots}

    def _domain(self, term: str) -> Ids:
        """All that can stand for a term by what is asked of it alone, and by the link with the fewest ends."""
        ends, loops = self._asked_alone(term)
        named = self._named if not term.startswith("?") else None
        if not self._links[term]:
            return self._sets.kept((ends, loops, named is None), lambda: self._narrowed(term, None, named), len)
        other = min(sorted(self._links[term]), key=lambda each: len(self._links[term][each].forward.firsts))
        firsts = self._links[term][other].forward.firsts
        key = (ends, loops, named is None, self._link_keys[term, other])
        return self._sets.kept(key, lambda: self._narrowed(term, firsts, named), len)

    def _narrowed(self, term: str, firsts: Ids | None, named: Ids | None) -> Ids:
        sets = [each for each in (self._having(term), firsts, named) if each is not None]
        return self._sets.store.intersection(*sets) if sets else _NOTHING

    def _having(self, term: str) -> Ids | None:
        return self._sets.having(*self._asked_alone(term))

    def _asked_alone(self, term: str) -> tuple[frozenset[End], frozenset[str]]:
        return self._terms.ends.get(term, frozenset()), self._terms.loops.get(term, frozenset())

    def _first_ends(self, term: str) -> Ids:
        """The fewest ids among which a term without conditions of its own must be."""
        return min((pairs.forward.firsts for pairs in self._links[term].values()), key=len, default=_NOTHING)

    def _climb(self, tree: Tree, domains: Mapping[str, Ids], ways: dict[str, tuple[Ids, Weights]]) -> bool:
        """Weigh the candidates of a tree from its leaves to its root, and say whether any are left."""
        below: dict[str, list[Branch]] = {}
        for branch in reversed(tree.branches):
            ids = domains[branch.term]
            weights = self._sets.ones[: len(ids)]
            children = sorted(below.get(branch.term, ()), key=lambda child: len(ways[child.term][0]))
            for child in children:
                rows = self._links[child.term][branch.term].forward
                ids, weights = weigh(*rows, *ways[child.term], ids, weights, child.counted, self._sets.sums)
            if not len(ids):
                return False
            ways[branch.term] = ids, weights
            if branch.parent is not None:
                below.setdefault(branch.parent, []).append(branch)
        return True

    def _drawn(self, rng: np.random.Generator) -> dict[str, int]:
        """One combination by the weights."""
        ways = self._ways or {}
        drawn: dict[str, int] = {}
        for tree in self._trees:
            for branch in tree.branches:
                if not branch.counted:
                    continue
                ids, weights = ways[branch.term]
                if branch.parent is None:
                    sums = self._sums[branch.term]
                    place = int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
                    drawn[branch.term] = int(ids[min(place, len(ids) - 1)])
                else:
                    rows = self._links[branch.parent][branch.term].forward
                    one = np.int32(drawn[branch.parent])
                    drawn[branch.term] = int(draw_joined(*rows, one, ids, weights, rng.random()))
        return {term: drawn[term] for term in self._terms.placeholders}

    def _search(self, rng: np.random.Generator) -> dict[str, int] | str:
        self.searches += 1
        ways = self._ways or {}
        domains = {term: ids for term, (ids, _) in ways.items()}
        placeholders = self._terms.placeholders
        apart = set(self._terms.apart)
        apart |= {(one, other) for one in placeholders for other in placeholders if one < other}
        found = searched(self._sets, domains, self._links, apart, rng=rng, budget=BUDGET)
        if found is None:
            return SEARCH_ENDED
        return {term: found[term] for term in placeholders} if found else UNSATISFIABLE

    # -- answers -------------------------------------------------------------------------------------------------------

    def holds(self, entities: Mapping[str, int]) -> bool | None:
        """Whether entities satisfy the query."""
        ways = self._count(entities)
        return None if ways is None else ways > 0

    def answers(self, entities: Mapping[str, int]) -> Sequence[int] | None:
        """The ids that the query asks for, sorted."""
        asked = self._terms.asked
        if asked is None:
            raise ValueError("a closed query asks for nothing")
        domains = self._fixed(entities)
        if domains is None:
            return []
        ways: dict[str, tuple[Ids, Weights]] = {}
        for tree in self._variable_trees:
            if not self._climb(tree, domains, ways):
                return []
        if not self._is_entangled:
            return ways[asked][0].tolist()  # type: ignore[no-any-return]
        return self._searched_answers(asked, domains)

    def _count(self, entities: Mapping[str, int]) -> float | None:
        """In how many ways the variables between placeholders can be filled: 1 where none are, 0 for false."""
        domains = self._fixed(entities)
        if domains is None:
            return 0.0
        total = 1.0
        ways: dict[str, tuple[Ids, Weights]] = {}
        for tree in self._counted_trees:
            if not self._climb(tree, domains, ways):
                return 0.0
            if tree.branches[0].counted:
                total *= float(ways[tree.branches[0].term][1].sum())
        if self._is_entangled:
            found = searched(self._sets, domains, self._links, set(self._terms.apart), rng=None, budget=BUDGET)
            return None if found is None else float(bool(found))
        return total

    def _searched_answers(self, asked: str, domains: dict[str, Ids]) -> Sequence[int] | None:
        answers = []
        for place in range(len(domains[asked])):
            own = {**domains, asked: domains[asked][place : place + 1]}
            found = searched(self._sets, own, self._links, set(self._terms.apart), rng=None, budget=BUDGET)
            if found is None:
                return None
            if found:
                answers.append(found[asked])
        return answers

    @cached_property
    def _variable_links(self) -> dict[str, dict[str, Pairs]]:
        variables = self._terms.variables
        return {one: {to: pairs for to, pairs in self._links[one].items() if to in variables} for one in variables}

    @cached_property
    def _variable_trees(self) -> tuple[Tree, ...]:
        """The trees of variables alone, that of what is asked for with it as its root."""
        first = () if self._terms.asked is None else (self._terms.asked,)
        return forest((*first, *self._terms.variables), self._variable_links, frozenset())

    @cached_property
    def _counted_trees(self) -> tuple[Tree, ...]:
        """The trees of variables alone, from variables between placeholders down."""
        counted = [branch.term for tree in self._trees for branch in tree.branches if branch.counted]
        between = frozenset(term for term in counted if term.startswith("?"))
        first = [term for term in self._terms.variables if term in between]
        trees = forest((*first, *self._terms.variables), self._variable_links, frozenset())
        return tuple(
            Tree(tuple(branch._replace(counted=branch.term in between) for branch in tree.branches), tree.closed)
            for tree in trees
        )

    @cached_property
    def _is_entangled(self) -> bool:
        """Whether joins along trees of variables do not tell all, and have to be followed by a search."""
        among = any(one.startswith("?") and other.startswith("?") for one, other in self._terms.apart)
        return among or any(tree.closed for tree in self._variable_trees)

    def _fixed(self, entities: Mapping[str, int]) -> dict[str, Ids] | None:
        """The candidates of variables beside entities; none where something asked of entities alone is not so."""
        for one, number in entities.items():
            said = self._having(one)
            if said is not None and not _is_in(said, number):
                return None
            for other, pairs in self._links[one].items():
                if other not in entities or one > other:
                    continue
                if not has_pair(*pairs.forward, np.int32(number), np.int32(entities[other])):
                    return None
        if any(entities.get(one, -1) == entities.get(other, -2) for one, other in self._terms.apart):
            return None
        domains = {}
        for variable in self._terms.variables:
            ids = self._beside(variable, entities)
            if not len(ids):
                return None
            domains[variable] = ids
        return domains

    def _beside(self, variable: str, entities: Mapping[str, int]) -> Ids:
        sets = [
            row_of(*self._links[other][variable].forward, np.int32(entities[other]))
            for other in self._links[variable]
            if other in entities
        ]
        said = self._having(variable)
        if said is not None:
            sets.append(said)
        sets.sort(key=len)
        ids: Ids = sets[0] if sets else self._first_ends(variable)
        for other_ids in sets[1:]:
            ids = intersect(ids, other_ids)
        for one, other in self._terms.apart:
            if variable in (one, other) and (one in entities or other in entities):
                ids = ids[ids != entities[one if one in entities else other]]
        return ids

    # -- more generic entities -----------------------------------------------------------------------------------------

    def iter_generic(self, placeholder: str, entity: int, rng: np.random.Generator) -> Iterator[int]:
        """Entities that meet each condition by itself, then any of them at least in part, then those of a same type."""
        firsts = [pairs.forward.firsts for pairs in self._links[placeholder].values()]
        ends = sorted(self._asked_alone(placeholder)[0])
        strict = firsts + [self._sets.end(end) for end in ends]
        if strict:
            yield from self._iter_named(self._sets.store.intersection(*strict), rng)
            yield from self._iter_named(union(firsts + [self._sets.loose_end(end) for end in ends]), rng)
        types = self._sets.pairs(TYPE)
        for number in rng.permutation(row_of(*types.forward, np.int32(entity))).tolist():
            yield from self._iter_named(row_of(*types.backward, np.int32(number)), rng)

    def _iter_named(self, ids: Ids, rng: np.random.Generator) -> Iterator[int]:
        if self._named is not None:
            ids = intersect(ids, self._named)
        for place in places_drawn(len(ids), rng):
            yield int(ids[place])


def forest(terms: Sequence[str], links: Mapping[str, Mapping[str, Pairs]], counted: frozenset[str]) -> tuple[Tree, ...]:
    """The trees of linked terms; where terms are to be counted, from one of them down, which has the most links.

    Of the terms between, those are counted that stand above a counted one.
    """
    left = dict.fromkeys(terms)
    trees = []
    first = sorted((term for term in terms if term in counted), key=lambda term: (-len(links[term]), terms.index(term)))
    for root in (*first, *terms):
        if root not in left:
            continue
        parents: dict[str, str | None] = {root: None}
        order = [root]
        edges = 0
        for term in order:
            edges += len(links[term])
            for other in sorted(links[term]):
                if other not in parents:
                    parents[other] = term
                    order.append(other)
        above = set()
        for term in reversed(order):
            if term in counted or term in above:
                above.add(term)
                parent = parents[term]
                if parent is not None:
                    above.add(parent)
        for term in order:
            left.pop(term)
        branches = tuple(Branch(term, parents[term], term in above) for term in order)
        trees.append(Tree(branches, edges // 2 > len(order) - 1))
    return tuple(trees)


def _is_in(ids: Ids, number: int) -> bool:
    place = int(np.searchsorted(ids, number))
    return place < len(ids) and int(ids[place]) == number
