"""Templates grounded in a store: values at their open leaves, such that there are answers and no branch is idle.

Groundings are drawn over the whole range of popularity: of the ranges 0, 1, 2 to 3, 4 to 7 and so on each that has
something that fits is as likely as any other, and so is then each thing in it. An open leaf is drawn from what it can
be in some grounding, all others by a walk from there that always gets on, so that only what a comparison leaves may
turn out to be nothing. A grounding is redundant where a branch can go with the same answers left. What is refused is
counted by its reason in `Grounder.refused`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.errors import FormError, OptionError
from recombine.kb.embedded.literal_columns import NONE as NO_FAMILY
from recombine.kb.forms.form import ARGMAX, COMPARISONS, COUNT, GraphNode, GraphQuery
from recombine.kb.templates.ground_kernels import Given, Nodes, answers_many, draw_walks
from recombine.kb.templates.grounding import Grounding
from recombine.kb.templates.plan import Cut, Ground, Plan, Walk
from recombine.kb.templates.popularity import Popularity, facts_by_id, popularity_bins
from recombine.kb.templates.step_table import StepTable
from recombine.kb.term import Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.templates.template import Template

    Ids = npt.NDArray[np.int32]

__all__ = ["Grounder", "Grounding"]

EMPTY, REDUNDANT, REPEATED, NOWHERE = "empty", "redundant", "repeated", "nowhere"
"""Why a grounding is refused: no answers, an idle branch, had already; and a template that fits nowhere."""
_INTEGER = "http://www.w3.org/2001/XMLSchema#integer"
_MOST_PLANS = 64
_TRIES, _LEAST_TRIES = 4, 8
_NO_END = np.int64(1) << 40


class Solved(NamedTuple):
    """The answers of rows of leaves, end to end, and where each row's begin."""

    starts: npt.NDArray[np.int64]
    ids: Ids

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """How many answers each row has."""
        return np.diff(self.starts)

    def row(self, number: int) -> Ids:
        """The answers of a row."""
        return self.ids[self.starts[number] : self.starts[number + 1]]


class Grounder:
    """Grounds templates in a store.

    `popularity` is by mentions, else the number of facts; with `redundant` groundings with idle branches are given too.
    `refused` counts what was not given, by its reason.
    """

    def __init__(
        self,
        store: EmbeddedStore,
        popularity: Popularity | None = None,
        *,
        redundant: bool = False,
        table: StepTable | None = None,
    ) -> None:
        self.store, self.redundant = store, redundant
        self.refused: Counter[str] = Counter()
        self.ground_plan = Ground(store, (table or StepTable(store)).named)
        counts = facts_by_id(store) if popularity is None else popularity.by_id(store)
        self._bins = popularity_bins(counts)
        self._plans: dict[GraphQuery, Plan] = {}
        self._terms = _Terms(store)

    def ground(self, template: Template, rng: np.random.Generator, number: int = 1) -> list[Grounding]:
        """Up to so many groundings of a template, no two with the same values; fewer where no more were found."""
        if number < 1:
            raise OptionError(f"{number} groundings", "give a number of 1 or more")
        plan = self._plan(template)
        walk = plan.walk(redundant=self.redundant)
        if walk is None:
            return self._kept(plan, np.empty((1, 0), np.int32), number, set())
        if not len(walk.candidates):
            self.refused[NOWHERE] += 1
            return []
        found: list[Grounding] = []
        had: set[tuple[int, ...]] = set()
        spread = _Spread(walk.candidates, self._bins[walk.candidates], rng)
        tries, new = _LEAST_TRIES + _TRIES * number, True
        while tries > 0 and len(found) < number:
            firsts = spread.take(min(tries, number))
            if len(firsts):
                tries -= len(firsts)
                before = len(had)
                found += self._kept(plan, self._drawn(plan, walk, firsts, rng), number - len(found), had)
                new |= len(had) > before
            elif len(template.leaves) > 1 and new:  # the same first leaves with others
                spread, new = _Spread(walk.candidates, self._bins[walk.candidates], rng), False
            else:
                break
        return found

    def candidates(self, template: Template) -> Ids:
        """The ids that can stand at the first open leaf in some grounding with answers; entities come before literals.

        Where that is the only open leaf and no comparison, these are all groundings that have answers, of literals that
        are equal in value one at least. Where there are others, those that leave another leaf idle are left out.
        """
        walk = self._plan(template).walk(redundant=self.redundant)
        return np.empty(0, np.int32) if walk is None else walk.candidates

    def of_values(self, template: Template, values: Sequence[Term]) -> Grounding:
        """The grounding with some values, whatever its answers are; one of a term that no fact has is refused."""
        ids = self.store.ids(values)
        if len(ids) != len(template.leaves) or (ids < 0).any():
            raise FormError(f"{len(values)} values, not all in facts", "give one of the store for each open leaf")
        plan = self._plan(template)
        solved = self._solve(plan, ids.reshape(1, -1), None)
        if solved is None:
            raise FormError("it asks for anything at all", "say a class, an entity or a fact")
        return self._grounding(plan, ids, solved.row(0))

    def is_redundant(self, template: Template, values: Sequence[Term]) -> bool:
        """Whether a branch can go and the same answers are left."""
        plan, rows = self._plan(template), self.store.ids(values).reshape(1, -1)
        solved = self._solve(plan, rows, None)
        return solved is not None and bool(self._idle(plan, rows, solved)[0])

    def _plan(self, template: Template) -> Plan:
        plan = self._plans.get(template.query)
        if plan is None:
            if len(self._plans) >= _MOST_PLANS:
                del self._plans[next(iter(self._plans))]
            plan = self._plans[template.query] = Plan(template, self.ground_plan)
        return plan

    # -- drawing -------------------------------------------------------------------------------------------------------

    def _drawn(self, plan: Plan, walk: Walk, firsts: Ids, rng: np.random.Generator) -> Ids:
        """Rows of values for the open leaves, by walks from the first of them; -1 where a comparison has nothing."""
        nodes = walk.nodes
        if len(nodes.parents) == 1:
            rows = firsts.reshape(-1, 1)
        else:
            chances = rng.random((len(firsts), len(nodes.parents)))
            walks = draw_walks(self.store.edges, nodes, self.ground_plan.named, self._bins, firsts, chances)
            rows = np.ascontiguousarray(walks[:, list(walk.places)])
        for column, place in enumerate(plan.template.leaves):
            node = plan.template.query.nodes[place]
            if node.function in COMPARISONS:
                rows = rows.copy()
                rows[:, column] = self._compared(plan, place, rows[:, column], rng.random(len(rows)))
        return rows

    def _compared(self, plan: Plan, place: int, met: Ids, chances: npt.NDArray[np.float64]) -> Ids:
        """For values that were met, one each that they compare with as the leaf says; -1 where there is none."""
        values, keys = self._values(plan.step_to(place))
        order = self.ground_plan.order
        safe = np.where((met >= 0) & (met < len(order.families)), met, 0)
        own = _keys(order.families[safe], order.ranks[safe])
        family = order.families[safe].astype(np.int64) << 32
        comparison = plan.template.query.nodes[place].function
        if comparison in (">", ">="):
            first = np.searchsorted(keys, family)
            last = np.searchsorted(keys, own, "left" if comparison == ">" else "right")
        else:
            first = np.searchsorted(keys, own, "right" if comparison == "<" else "left")
            last = np.searchsorted(keys, family + (np.int64(1) << 32))
        number = last - first
        at = np.minimum(first + (chances * number).astype(np.int64), last - 1)
        good = (number > 0) & (met >= 0) & (met < len(order.families))
        return np.where(good, values[np.where(good, at, 0)], -1).astype(np.int32)

    def _values(self, step: int) -> tuple[Ids, npt.NDArray[np.int64]]:
        """The literals that a step leads to, one of each value, in the order of their values; and their keys."""
        ends = self.ground_plan.sources(~step)
        order = self.ground_plan.order
        literals = ends[ends < len(order.families)]
        literals = literals[order.families[literals] != NO_FAMILY]
        keys, first = np.unique(_keys(order.families[literals], order.ranks[literals]), return_index=True)
        return literals[first], keys

    # -- answers -------------------------------------------------------------------------------------------------------

    def _kept(self, plan: Plan, rows: Ids, number: int, had: set[tuple[int, ...]]) -> list[Grounding]:
        """The groundings of rows of values that are not refused, up to so many."""
        new = []
        for place, row in enumerate(map(tuple, rows.tolist())):
            if -1 in row:
                self.refused[EMPTY] += 1
            elif row in had:
                self.refused[REPEATED] += 1
            else:
                had.add(row)
                new.append(place)
        rows = rows[new]
        solved = self._solve(plan, rows, None) if len(rows) else None
        if solved is None:
            return []
        idle = np.zeros(len(rows), bool) if self.redundant else self._idle(plan, rows, solved)
        found: list[Grounding] = []
        for place, size in enumerate(solved.sizes.tolist()):
            if not size:
                self.refused[EMPTY] += 1
            elif idle[place]:
                self.refused[REDUNDANT] += 1
            elif len(found) < number:
                found.append(self._grounding(plan, rows[place], solved.row(place)))
        return found

    def _idle(self, plan: Plan, rows: Ids, solved: Solved) -> npt.NDArray[np.bool_]:
        """Which rows have the same answers without some branch."""
        idle = np.zeros(len(rows), bool)
        for cut in plan.cuts:
            # With fewer conditions there are as many answers or more, but for those of another superlative.
            other = self._solve(plan, rows, cut, keep=plan.extreme is not None)
            if other is None:
                continue
            same = other.sizes == solved.sizes
            if plan.extreme is not None:
                for place in np.flatnonzero(same).tolist():
                    same[place] = np.array_equal(other.row(place), solved.row(place))
            idle |= same
        return idle

    def _solve(self, plan: Plan, rows: Ids, without: Cut | None, *, keep: bool = True) -> Solved | None:
        """The answers of rows of values, with a branch or without; none where anything at all would do."""
        asked = plan.template.query.asked
        given = self._given(plan, rows)
        if plan.extreme is None or (without is not None and plan.holds_extreme(without)):
            nodes = plan.answers(asked, without=without)
            return None if nodes is None else self._answers(nodes, given, keep=keep)
        literals = plan.answers(plan.extreme, without=without)
        nodes = plan.answers(asked, without=without, extreme=True)
        if literals is None or nodes is None:
            raise AssertionError("a superlative has a relation to its literals")
        met = self._answers(literals, given, keep=True)
        sign = 1 if plan.template.query.nodes[plan.extreme].function == ARGMAX else -1
        extremes = [self.ground_plan.sets.extreme(met.row(row), sign) for row in range(len(rows))]
        return self._answers(nodes, _with_last(given, extremes), keep=True)

    def _answers(self, nodes: Nodes, given: Given, *, keep: bool) -> Solved:
        ground = self.ground_plan
        return Solved(*answers_many(self.store.edges, nodes, given, ground.order, ground.marks, keep))

    def _given(self, plan: Plan, rows: Ids) -> Given:
        """What stands at the leaves of rows of values: the ids of equal literals, and the ranks of compared ones."""
        bounds = np.zeros((len(rows), plan.width, 3), np.int64)
        leaves = [plan.template.query.nodes[place] for place in plan.template.leaves]
        if plan.extreme is None and len(leaves) and all(leaf.kind == "entity" for leaf in leaves):
            return Given(np.arange(rows.size + 1, dtype=np.int64), np.ascontiguousarray(rows).reshape(-1), bounds)
        pieces: list[Ids] = []
        nothing = np.empty(0, np.int32)
        order = self.ground_plan.order
        for row, values in enumerate(rows.tolist()):
            for column, (leaf, value) in enumerate(zip(leaves, values, strict=True)):
                if leaf.function in COMPARISONS:
                    bounds[row, column] = _bounds(leaf.function, int(order.families[value]), int(order.ranks[value]))
                    pieces.append(nothing)
                elif leaf.kind == "literal":
                    pieces.append(self._terms.equal(value, self.ground_plan))
                else:
                    pieces.append(np.array([value], np.int32))
            pieces += [nothing] * (plan.width - len(leaves))
        return _given_of(pieces, bounds)

    def _grounding(self, plan: Plan, row: Ids, answers: Ids) -> Grounding:
        template, terms = plan.template, self._terms
        values = tuple(terms[number] for number in row.tolist())
        nodes = list(self._shown(plan))
        for place, value in zip(template.leaves, values, strict=True):
            node = nodes[place]
            nodes[place] = GraphNode(node.kind, value, node.of_class, node.function, node.name)
        form = GraphQuery(tuple(nodes), template.query.edges, template.query.asked)
        if template.function == COUNT:
            given: tuple[Term, ...] = (Term.literal(str(len(answers)), datatype=_INTEGER),)
        else:
            given = tuple(map(terms.__getitem__, answers.tolist()))
        return Grounding(template, values, form, given)

    def _shown(self, plan: Plan) -> tuple[GraphNode, ...]:
        """The nodes of a template, in which a class that is no condition is for people alone."""
        return tuple(
            GraphNode("class", None, node.value, node.function, node.name)
            if node.kind == "class" and node.value is not None and self.ground_plan.members(node.value) is None
            else node
            for node in plan.template.query.nodes
        )


class _Terms(dict[int, Term]):
    """The terms of ids, each made once; and the literals that are equal to one."""

    def __init__(self, store: EmbeddedStore) -> None:
        super().__init__()
        self._store = store
        self._equal: dict[int, Ids] = {}

    def __missing__(self, number: int) -> Term:
        term = self[number] = self._store.term(number)
        return term

    def equal(self, literal: int, ground: Ground) -> Ids:
        """The ids of the literals that are equal to one by value."""
        known = self._equal.get(literal)
        if known is None:
            known = self._equal[literal] = ground.sets.equal(self[literal]).astype(np.int32, copy=False)
        return known


class _Spread:
    """Candidates in an order that goes through the ranges of popularity by turns, each range in an order by chance."""

    def __init__(self, candidates: Ids, bins: npt.NDArray[np.int8], rng: np.random.Generator) -> None:
        order = np.argsort(bins, kind="stable")
        self._candidates, self._rng = candidates[order], rng
        _, starts = np.unique(bins[order], return_index=True)
        ends = np.append(starts[1:], len(candidates))
        turns = rng.permutation(len(starts))
        self._ranges = [[int(starts[turn]), int(ends[turn])] for turn in turns]

    def take(self, number: int) -> Ids:
        """The next candidates, up to so many: each is taken once, and then none is left."""
        taken: list[int] = []
        while len(taken) < number and self._ranges:
            first, last = bounds = self._ranges.pop(0)
            at = first + int(self._rng.integers(last - first))
            taken.append(int(self._candidates[at]))
            self._candidates[at] = self._candidates[last - 1]
            bounds[1] -= 1
            if bounds[1] > first:
                self._ranges.append(bounds)
        return np.array(taken, np.int32)


def _keys(families: npt.NDArray[np.int8], ranks: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """One number for a family and a rank in it, in the order of values."""
    return families.astype(np.int64) << 32 | ranks.astype(np.int64)


def _bounds(comparison: str, family: int, rank: int) -> tuple[int, int, int]:
    """The family and the ranks of what compares so with a literal."""
    first = {"<": 0, "<=": 0, ">": rank + 1, ">=": rank}[comparison]
    last = {"<": rank, "<=": rank + 1, ">": int(_NO_END), ">=": int(_NO_END)}[comparison]
    return family, first, last


def _given_of(pieces: list[Ids], bounds: npt.NDArray[np.int64]) -> Given:
    starts = np.zeros(len(pieces) + 1, np.int64)
    np.cumsum([len(piece) for piece in pieces], out=starts[1:])
    return Given(starts, np.concatenate([*pieces, np.empty(0, np.int32)]), bounds)


def _with_last(given: Given, last: list[Ids]) -> Given:
    """What is given with other ids at the last leaf of each row."""
    width = given.bounds.shape[1]
    pieces = [given.ids[given.starts[at] : given.starts[at + 1]] for at in range(len(last) * width)]
    pieces[width - 1 :: width] = last
    return _given_of(pieces, given.bounds)
