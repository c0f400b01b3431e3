"""What a walk over a knowledge base can ask: the templates that ontology and facts allow (GrailQA, section 3.1).

Two steps can meet at a node where some node of the data has both, and where the ontology knows classes of both, these
are equal or one is below the other. A node between steps is of the lowest of their classes. Of a relation and its
reverse that both have facts, each is gone along and neither against, as the other says that already; a relation that
is its own reverse is gone both ways.

A chain asks for what a step leads to over a node in the middle; a fork for what two steps lead from. A step that leads
back against the one before it, and a branch that stands twice at a node, are in no template here; `counts` says how
many chains and forks there are with them. Labels, types and other facts of the schema are no steps (see `StepTable`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import OptionError, UnknownNameError
from recombine.kb.embedded.literal_columns import NONE as NO_FAMILY
from recombine.kb.forms.form import ARGMAX, ARGMIN, COMPARISONS, COUNT, NONE, GraphEdge, GraphNode, GraphQuery
from recombine.kb.ontology.ontology_of_paths import ontology_of_paths
from recombine.kb.templates.step_table import StepTable
from recombine.kb.templates.template import COMPARATIVE, SUPERLATIVE, TEMPLATE_FUNCTIONS, Template
from recombine.kb.templates.well_formed import MOST_RELATIONS, classes_from, go_together

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.store import Step
    from recombine.kb.term import Term

TRIES = 32
"""How often a drawn walk that cannot go on is begun anew."""
_FUNCTIONS = {SUPERLATIVE: (ARGMAX, ARGMIN), COMPARATIVE: tuple(COMPARISONS)}


class SpaceCounts(NamedTuple):
    """How many templates without a function there are."""

    one_relation: int
    chains: int
    """Chains of two relations that the facts allow, those with a step that leads back too."""
    forks: int
    """Forks of two relations that the facts allow, those of one step twice too."""
    undone_chains: int
    """The chains among them whose second step leads back against the first."""
    repeated_forks: int
    """The forks among them of one step twice."""
    well_formed_chains: int
    """The chains that are given: their classes go together, and nothing is undone or without a name."""
    well_formed_forks: int


@dataclass
class _Walk:
    """A tree of steps while it grows: for each node where it was come from, by which step, and the steps from it."""

    parents: list[int]
    steps: list[int]
    leaving: list[list[int]]

    def add(self, place: int, step: int) -> None:
        """Go a step on from a node."""
        self.parents.append(place)
        self.steps.append(step)
        self.leaving[place].append(step)
        self.leaving.append([step ^ 1])


class TemplateSpace:
    """The templates of a store under an ontology; what that does not know is found in the data.

    `ontology` is completed by `ontology_of_paths`; with `classes=False` nothing is asked of classes, and steps meet
    wherever a node has both.
    """

    def __init__(self, store: EmbeddedStore, ontology: Ontology | None = None, *, classes: bool = True) -> None:
        self.store = store
        self.ontology = ontology_of_paths(store, ontology)
        self.table = StepTable(store)
        self._by_classes = classes
        self._meeting: dict[int, frozenset[int]] = {}
        self._together: dict[tuple[tuple[Term, ...], tuple[Term, ...]], bool] = {}

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """The numbers of the steps that walks go: none from a literal, and none against what has a reverse."""
        return tuple(number for number in range(len(self.table)) if self._is_open(number))

    def _is_open(self, number: int) -> bool:
        if self.table.is_literal[number ^ 1] or (self.table.is_literal[number] and not self._has_value(number)):
            return False
        return not self.table.terms[number].inverse or self._reverse(number) is None

    def _reverse(self, number: int) -> Term | None:
        """The other relation that says the same as that of a step the other way round, where it has facts."""
        relation = self.table.terms[number].relation
        reverse = self.ontology.reverse(relation)
        if reverse is None or reverse == relation or self.store.id(reverse) not in self.store.relation_counts:
            return None
        return reverse

    def _has_value(self, number: int) -> bool:
        """Whether the literals of a step are values that a question can name: texts of a language are not."""
        return bool((self.store.literals.families[self.table.ends(number)] != NO_FAMILY).any())

    @cached_property
    def _open(self) -> frozenset[int]:
        return frozenset(self.steps)

    @cached_property
    def counts(self) -> SpaceCounts:
        """How many templates of one and two relations there are."""
        chains = forks = undone = repeated = good_chains = good_forks = 0
        for number in self.steps:
            met = [other for other in self.table.meeting(number).tolist() if other in self._open]
            forks += sum(other >= number for other in met)
            repeated += 1
            good_forks += sum(1 for other in self._after(number) if other > number and self._is_fork(number, other))
            if self.table.is_literal[number]:
                continue
            back = [other for other in self.table.meeting(number ^ 1).tolist() if other in self._open]
            chains += len(back)
            undone += self._is_undone(number, back)
            good_chains += sum(1 for other in self._after(number ^ 1) if self._is_chain(number, other))
        one = sum(1 for number in self.steps if self._is_one(number))
        return SpaceCounts(one, chains, forks, undone, repeated, good_chains, good_forks)

    def iter_one_relation(self) -> Iterator[Template]:
        """All templates of one relation without a function, in the order of their steps."""
        for number in self.steps:
            if self._is_one(number):
                yield self._template([-1, 0], [-1, number])

    def iter_two_relations(self) -> Iterator[Template]:
        """All chains and then all forks of two relations without a function, in the order of their steps."""
        for number in self.steps:
            if not self.table.is_literal[number]:
                for other in sorted(self._after(number ^ 1)):
                    if self._is_chain(number, other):
                        yield self._template([-1, 0, 1], [-1, number, other])
        for number in self.steps:
            for other in sorted(self._after(number)):
                if other > number and self._is_fork(number, other):
                    yield self._template([-1, 0, 0], [-1, number, other])

    def draw(self, rng: np.random.Generator, relations: int, function: str = NONE) -> Template | None:
        """A template of so many relations and a function, drawn step by step; none where no walk was found.

        A walk begins with any step, for a superlative or comparative with one to a number or date, and goes on from
        any of its nodes. Of its nodes that can be, any is asked for.
        """
        if not 1 <= relations <= MOST_RELATIONS:
            raise OptionError(f"templates of {relations} relations", f"give 1 to {MOST_RELATIONS}")
        if function not in TEMPLATE_FUNCTIONS:
            raise UnknownNameError("function of a template", function, TEMPLATE_FUNCTIONS)
        first = self._ordered if function in _FUNCTIONS else self.steps
        for _ in range(TRIES if first else 0):
            template = self._drawn(rng, first, relations, function)
            if template is not None:
                return template
        return None

    @property
    def has_order(self) -> bool:
        """Whether walks come to numbers or dates, which superlatives and comparatives need."""
        return bool(self._ordered)

    # -- what goes together --------------------------------------------------------------------------------------------

    @cached_property
    def _ordered(self) -> tuple[int, ...]:
        return tuple(number for number in self.table.ordered if number in self._open)

    def _is_one(self, number: int) -> bool:
        return not self.table.is_nameless[number] and not self.table.is_nameless[number ^ 1]

    def _is_fork(self, one: int, other: int) -> bool:
        nameless = self.table.is_nameless
        return not (nameless[one] or nameless[other] or nameless[one ^ 1])

    def _is_chain(self, one: int, other: int) -> bool:
        return not (self.table.is_nameless[one ^ 1] or self.table.is_nameless[other])

    def _is_undone(self, number: int, others: list[int]) -> bool:
        """Whether the steps after a step have the one that leads back."""
        return self._back(number) in others

    def _back(self, number: int) -> int:
        """The step of walks that says what a step says against its direction; -1 where walks have none."""
        if number ^ 1 in self._open:
            return number ^ 1
        reverse = self._reverse(number)
        return -1 if reverse is None else self.table.number(self.table.terms[number]._replace(relation=reverse))

    def _after(self, number: int) -> frozenset[int]:
        """The steps of walks that can leave a node that a step leaves, that step left out."""
        known = self._meeting.get(number)
        if known is None:
            own = self._classes(number)
            same = {number, self._back(number ^ 1)}
            known = self._meeting[number] = frozenset(
                other
                for other in self.table.meeting(number).tolist()
                if other in self._open and other not in same and self._go_together(own, self._classes(other))
            )
        return known

    def _classes(self, number: int) -> tuple[Term, ...]:
        """The classes that a step leads from; none where they are alternatives."""
        known = self._all_classes.get(number)
        if known is None:
            known = classes_from(self.table.terms[number], self.ontology)
            if self.ontology.alternatives and len(known) > 1:
                known = ()
            self._all_classes[number] = known
        return known

    @cached_property
    def _all_classes(self) -> dict[int, tuple[Term, ...]]:
        return {}

    def _go_together(self, one: tuple[Term, ...], other: tuple[Term, ...]) -> bool:
        if not one or not other or not self._by_classes:
            return True
        known = self._together.get((one, other))
        if known is None:
            known = self._together[one, other] = go_together(one, other, self.ontology)
        return known

    # -- templates -----------------------------------------------------------------------------------------------------

    def _drawn(
        self, rng: np.random.Generator, first: tuple[int, ...], relations: int, function: str
    ) -> Template | None:
        start = first[int(rng.integers(len(first)))]
        walk = _Walk([-1], [-1], [[]])
        walk.add(0, start)
        while len(walk.parents) <= relations:
            places = [place for place, step in enumerate(walk.steps) if step < 0 or not self.table.is_literal[step]]
            place = places[int(rng.integers(len(places)))]
            onward = sorted(frozenset.intersection(*map(self._after, walk.leaving[place])))
            if not onward:
                return None
            walk.add(place, onward[int(rng.integers(len(onward)))])
        asked = [place for place in range(len(walk.parents)) if self._can_be_asked(walk, place)]
        if not asked:
            return None
        place = asked[int(rng.integers(len(asked)))]
        choices = _FUNCTIONS.get(function, (function,))
        chosen = choices[int(rng.integers(len(choices)))] if len(choices) > 1 else choices[0]
        return self._rooted(walk, place, chosen)

    def _can_be_asked(self, walk: _Walk, place: int) -> bool:
        """Whether a node can be asked for: it has a name, and so have all others that are then leaves."""
        arriving = [leaving[0] ^ 1 for leaving in walk.leaving]  # a step that leads to each node
        table = self.table
        if table.is_nameless[arriving[place]] or table.is_literal[arriving[place]]:
            return False
        leaves = [other for other, leaving in enumerate(walk.leaving) if len(leaving) == 1 and other != place]
        return not any(table.is_nameless[arriving[leaf]] for leaf in leaves)

    def _rooted(self, walk: _Walk, asked: int, function: str) -> Template:
        """The template of a walk from the node that is asked for; node 1 of the walk has the function's literal."""
        beside: list[list[tuple[int, int]]] = [[] for _ in walk.parents]
        for place in range(1, len(walk.parents)):
            beside[walk.parents[place]].append((place, walk.steps[place]))
            beside[place].append((walk.parents[place], walk.steps[place] ^ 1))
        order, parents, steps = [asked], [-1], [-1]
        for number, place in enumerate(order):
            for other, step in beside[place]:
                if other not in order:
                    order.append(other)
                    parents.append(number)
                    steps.append(step)
        at = 0 if function == COUNT else order.index(1)
        return self._template(parents, steps, {at: function})

    def _template(self, parents: list[int], steps: list[int], functions: dict[int, str] | None = None) -> Template:
        """The template of a tree of steps, its root asked for."""
        leaving: list[list[int]] = [[] for _ in parents]
        edges = []
        for place in range(1, len(parents)):
            parent, step = parents[place], self.table.terms[steps[place]]
            leaving[parent].append(steps[place])
            leaving[place].append(steps[place] ^ 1)
            start, end = (place, parent) if step.inverse else (parent, place)
            edges.append(GraphEdge(start, end, step.relation))
        nodes = [
            self._node(each, (functions or {}).get(place, NONE), is_root=place == 0)
            for place, each in enumerate(leaving)
        ]
        return Template(GraphQuery(tuple(nodes), tuple(edges), 0))

    def _node(self, leaving: list[int], function: str, *, is_root: bool) -> GraphNode:
        class_ = self.class_of(leaving)
        if is_root or len(leaving) > 1:
            return GraphNode("class", class_, function=function)
        if self.table.is_literal[leaving[0] ^ 1]:
            return GraphNode("literal", None, class_, function)
        return GraphNode("entity", None, class_, function)

    def class_of(self, leaving: list[int]) -> Term | None:
        """The lowest class of the steps that leave a node; none where nothing is known of any."""
        lowest: Term | None = None
        for number in leaving:
            for name in self._classes(number):
                if lowest is None or (name != lowest and self.ontology.is_subclass(name, lowest)):
                    lowest = name
        return lowest

    def step(self, number: int) -> Step:
        """The step of a number."""
        return self.table.terms[number]
