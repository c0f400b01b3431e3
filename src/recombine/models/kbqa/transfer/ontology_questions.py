"""Generated questions over an ontology alone: made-up names stand for entities of its classes.

Where there is an ontology and no facts, a parser can still be trained on what the ontology lets one ask: a path of one
or two relations from an entity of a class, worded by the grammar that words generated questions (`kb/wording`). A
relation and its reverse say the same, and the one that leads to the entity is written, as GrailQA mostly does. All
relations are drawn evenly. What is asked for is a class of entities and no value, as in GrailQA's templates; nothing is
known of answers, and none are given.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.kb.candidates.candidate import Candidate
from recombine.kb.candidates.ontology_space import OntologySpace
from recombine.kb.forms.form import COUNT, NONE, GraphQuery
from recombine.kb.forms.write_graph import write_graph
from recombine.kb.made_up.made_up_names import made_up_names
from recombine.kb.many_domains.domain_plan import packaged_plan
from recombine.kb.store import Step
from recombine.kb.term import Term
from recombine.kb.wording.wordings import Wordings
from recombine.records.example import Example
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np

    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile

_TRIES = 20
"""How often a path is drawn anew for a question, where one cannot be worded or has been asked."""


@dataclass(frozen=True)
class OntologyQuestions:
    """What is asked: an ontology, the names of a profile, and the shares of two relations and of counts."""

    ontology: Ontology
    profile: Profile
    two_relations: float = 0.25
    counts: float = 0.05

    def __post_init__(self) -> None:
        for name in ("two_relations", "counts"):
            if not 0 <= getattr(self, name) <= 1:
                raise OptionError(f"{name} is {getattr(self, name)}", "give a share between 0 and 1")

    def draw(self, number: int, *, seed: int) -> list[Example]:
        """So many questions, no two alike but for names; fewer where the ontology has not so many."""
        return list(self._iter_drawn(number, make_generator(seed)))

    # -- what is asked -------------------------------------------------------------------------------------------------

    def _iter_drawn(self, number: int, rng: np.random.Generator) -> Iterator[Example]:
        names = made_up_names(self._templates, packaged_plan().lists, number, rng)
        asked: set[tuple[object, ...]] = set()
        for place, name in enumerate(names):
            entity = Term.name(f"m.0q{place:x}")
            for _ in range(_TRIES):
                path, wordings = self._path(entity, name, rng)
                if not wordings:
                    continue
                text = wordings[int(rng.integers(len(wordings)))]
                key = (*path.steps, path.class_, path.function, text.replace(name, ""))
                if key not in asked:
                    asked.add(key)
                    yield self._example(path, self._graph(path, name), text)
                    break

    def _path(self, entity: Term, name: str, rng: np.random.Generator) -> tuple[Candidate, list[str]]:
        """A path drawn from an entity, and its questions."""
        starts = self._starts
        class_ = starts[int(rng.integers(len(starts)))]
        first = self._of(class_)
        step, end = first[int(rng.integers(len(first)))]
        steps: tuple[Step, ...] = (step,)
        if rng.random() < self.two_relations and (second := self._of(end)):
            after, end = second[int(rng.integers(len(second)))]
            steps = (step, after)
        function = COUNT if rng.random() < self.counts else NONE
        path = Candidate(tuple(map(self._toward, steps)), entity, class_=end, function=function)
        return path, [wording.plain for wording in self._wordings.questions(self._graph(path, name))]

    def _graph(self, path: Candidate, name: str) -> GraphQuery:
        """The path as a graph query that says the classes of all nodes, for the wording."""
        asked, *middle, entity = path.graph().nodes
        first, *others = [self.ontology.domain(step.relation, inverse=step.inverse)[0] for step in path.steps]
        nodes = [replace(node, value=class_) for node, class_ in zip(middle, reversed(others), strict=True)]
        entity = replace(entity, of_class=first, name=name)
        return replace(path.graph(), nodes=(asked, *nodes, entity))

    def _example(self, path: Candidate, graph: GraphQuery, text: str) -> Example:
        tags = {"function": path.function, "num_edge": len(path.steps), "graph_query": write_graph(graph, self.profile)}
        return Example.of(text, path.text(self.profile), tags=tags)  # type: ignore[arg-type]

    # -- what may be asked ---------------------------------------------------------------------------------------------

    @cached_property
    def _space(self) -> OntologySpace:
        return OntologySpace(self.ontology)

    @cached_property
    def _wordings(self) -> Wordings:
        return Wordings(None, self.ontology)

    @cached_property
    def _templates(self) -> Sequence[str]:
        return sorted({template for each in packaged_plan().classes.values() for template in each.templates})

    @cached_property
    def _starts(self) -> list[Term]:
        """The class of the entity for each way to ask for a relation: one with many relations is there as often."""
        return [name for name in self.ontology.classes for _ in self._of(name)]

    def _of(self, name: Term) -> list[tuple[Step, Term]]:
        if self.ontology.literal(name):
            return []
        paths = self._space.paths([name])
        return [(path.steps[0], path.class_) for path in paths if not self.ontology.literal(path.class_)]

    def _toward(self, step: Step) -> Step:
        """A step as it is written: by its reverse where that leads to the entity."""
        other = None if step.inverse else self.ontology.reverse(step.relation)
        return step if other is None or other not in self.ontology.relations else Step(other, inverse=True)
