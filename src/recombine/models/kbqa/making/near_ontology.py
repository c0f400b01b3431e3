"""What is near a question by an ontology, where there are no facts: for GrailQA's questions without Freebase.

Candidates are the relations, along and against them, at the classes that the data says its entities are of
(`kb/candidates/ontology_space`), each with the class it leads to: `(AND class (JOIN relation entity))`. The vocabulary
is all that candidates are written with. An entity of which nothing says the class has no candidates and is counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from recombine.errors import FormError, ProgramError
from recombine.kb.candidates.candidate import Candidate
from recombine.kb.candidates.form_chain import form_chain
from recombine.kb.candidates.form_lookup import COVERED, FUNCTION, LONGER, NO_FACT, NOT_LINKED, UNREADABLE
from recombine.kb.candidates.ontology_space import OntologySpace
from recombine.kb.forms.form import COUNT, NONE
from recombine.kb.forms.patterns.pattern_of import pattern_of
from recombine.kb.matching.canonical_form import Canonical
from recombine.kb.matching.words import name_text
from recombine.kb.term import LITERAL
from recombine.models.kbqa.arrays.codes import CLOSE, END, OPEN, SYMBOLS
from recombine.models.kbqa.arrays.form_columns import HOLE, stacked, without_holes
from recombine.models.kbqa.making.candidate_codes import AND, COUNTED, JOIN, REVERSED
from recombine.models.kbqa.making.near_question import NearQuestion
from recombine.models.kbqa.making.schema_codes import UNKNOWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.kb.candidates.form_chain import FormChain
    from recombine.kb.candidates.ontology_space import ClassPath
    from recombine.kb.forms.form import Form
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Step
    from recombine.kb.term import Term
    from recombine.models.kbqa.making.schema_codes import SchemaCodes
    from recombine.records.example import Example

_LINK = -2
"""Stands for the code of the linked entity."""


class _AtClasses(NamedTuple):
    """The paths from some classes, as they are written for any entity of them."""

    paths: list[ClassPath]
    forms: NDArray[np.int32]
    items: NDArray[np.int32]
    by_steps: dict[tuple[str, ...], list[ClassPath]]
    """The paths by what their steps say, a relation and its reverse being one."""


class NearOntology:
    """What is near questions over an ontology."""

    def __init__(self, ontology: Ontology, codes: SchemaCodes, *, hops: int = 2, count: bool = True) -> None:
        self.space = OntologySpace(ontology, hops=hops, count=count)
        self._codes, self._canonical = codes, Canonical(ontology, codes.profile)
        self._whole = np.arange(len(codes.schema), dtype=np.int32)
        self._at = cache(self._made_at)

    def near(
        self, example: Example, links: Mapping[Term, int], form: Form | None, /, *, listed: bool = True
    ) -> NearQuestion:
        """What is near a question, whose links have these codes, and whose gold form this is."""
        classes = entity_classes(example, self._codes.profile)
        entities = [term for term in links if term.kind != LITERAL]
        at = {term: self._at(classes[term]) for term in entities if term in classes}
        parts = [np.where(each.forms == _LINK, links[term], each.forms) for term, each in at.items() if listed]
        items = np.unique(np.concatenate([np.empty(0, np.int32), *(each.items for each in at.values())]))
        near = NearQuestion(
            items if len(items) else self._whole,
            bool(len(items)),
            stacked(parts).astype(np.int32),
            unknown=len(entities) - len(at),
        )
        return near if form is None else self._with_target(near, form, at, links)

    # -- the forms of classes ------------------------------------------------------------------------------------------

    def _made_at(self, classes: tuple[Term, ...]) -> _AtClasses:
        paths = self.space.paths(classes)
        functions = (NONE, COUNT) if self.space.count else (NONE,)
        forms = [self._written(path, function) for path in paths for function in functions]
        wide = max(map(len, forms), default=0)
        columns = np.array([[*form, *[HOLE] * (wide - len(form))] for form in forms], np.int32).reshape(
            len(forms), wide
        )
        known = [code for name in classes if (code := self._codes.class_(self.space.ontology.one(name))) >= 0]
        items = np.unique(np.concatenate([np.array(known, np.int32), columns[columns >= len(SYMBOLS)]]))
        by_steps: dict[tuple[str, ...], list[ClassPath]] = {}
        for path in paths:
            by_steps.setdefault(tuple(map(self._said, path.steps)), []).append(path)
        return _AtClasses(paths, without_holes(columns), items.astype(np.int32) - len(SYMBOLS), by_steps)

    def _written(self, path: ClassPath, function: str) -> list[int]:
        inner = [_LINK]
        for relation, inverse in path.steps:
            code = self._codes.relation(relation)
            pairs = [code] if inverse else [OPEN, REVERSED, code, CLOSE]
            inner = [OPEN, JOIN, *pairs, *inner, CLOSE]
        class_ = self._codes.class_(path.class_)
        # A class of literals is no item, and a form that asks for a value says none.
        form = inner if class_ == UNKNOWN else [OPEN, AND, class_, *inner, CLOSE]
        return [*([OPEN, COUNTED, *form, CLOSE] if function == COUNT else form), END]

    def _said(self, step: Step) -> str:
        return self._canonical.tables.step(name_text(step.relation), inverse=step.inverse).text

    # -- the gold form -------------------------------------------------------------------------------------------------

    def _with_target(
        self, near: NearQuestion, form: Form, at: Mapping[Term, _AtClasses], links: Mapping[Term, int]
    ) -> NearQuestion:
        try:
            chain, key = form_chain(pattern_of(form, self._codes.profile).pattern), self._canonical.of_form(form)
        except (FormError, ProgramError):
            return near._replace(outcome=UNREADABLE)
        if isinstance(chain, str):
            return near._replace(outcome=chain)
        path = self._matching(chain, key, at)
        if isinstance(path, str) or chain.anchor is None:
            return near._replace(outcome=str(path))
        written = self._written(path, chain.function)[:-1]
        target = tuple(links[chain.anchor] if code == _LINK else code for code in written)
        return near._replace(outcome=COVERED, target=target)

    def _matching(self, chain: FormChain, key: str, at: Mapping[Term, _AtClasses]) -> ClassPath | str:
        """The path that says what a chain says, by the most of its own words; else why there is none."""
        if len(chain.steps) > self.space.hops:
            return LONGER
        if chain.anchor is None or chain.function not in ((NONE, COUNT) if self.space.count else (NONE,)):
            return FUNCTION
        if chain.anchor not in at:
            return NOT_LINKED
        alike = at[chain.anchor].by_steps.get(tuple(map(self._said, chain.steps)), [])
        matches = [path for path in alike if self._key(path, chain) == key]
        return min(matches, key=lambda path: _strangeness(path, chain)) if matches else NO_FACT

    def _key(self, path: ClassPath, chain: FormChain) -> str:
        return self._canonical.of_form(Candidate(path.steps, chain.anchor, path.class_, chain.function).graph())


def _strangeness(path: ClassPath, chain: FormChain) -> tuple[int, bool]:
    """How far a path that says the same is from how a form says it."""
    others = sum(one != other for one, other in zip(path.steps, chain.steps, strict=True))
    return others, path.class_ not in chain.classes


def entity_classes(example: Example, profile: Profile) -> dict[Term, tuple[Term, ...]]:
    """The classes that the graph query beside an example says its entities are of."""
    beside: dict[str, Any] = {**example.tags, **example.context}
    graph = beside.get("graph_query")
    nodes = graph.get("nodes") if isinstance(graph, Mapping) else None
    classes: dict[Term, tuple[Term, ...]] = {}
    for node in nodes if isinstance(nodes, list | tuple) else ():
        if isinstance(node, Mapping) and node.get("node_type") == "entity":
            name, class_ = node.get("id"), node.get("class")
            if isinstance(name, str) and isinstance(class_, str) and name and class_:
                term = profile.term(name)
                classes[term] = tuple(dict.fromkeys([*classes.get(term, ()), profile.term(class_)]))
    return classes
