"""What is near a question by the facts of a store (GrailQA, sections 4.2 and 4.4).

Entities prune the vocabulary, and literals beside them. Literals alone prune nothing, since what a question compares
with need not be in a fact: then the vocabulary is the whole schema, as it is where nothing is linked.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import KnowledgeBaseError
from recombine.kb.candidates.form_lookup import COVERED, FormLookup
from recombine.kb.candidates.search_space import SearchSpace
from recombine.kb.candidates.vocabulary import end_classes, schema_ids
from recombine.kb.term import LITERAL
from recombine.models.kbqa.arrays.codes import SYMBOLS
from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.making.candidate_codes import CandidateCodes
from recombine.models.kbqa.making.near_question import NearQuestion
from recombine.models.kbqa.making.schema_codes import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from recombine.kb.forms.form import Form
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.store import Store
    from recombine.kb.term import Term
    from recombine.models.kbqa.making.schema_codes import SchemaCodes
    from recombine.records.example import Example


class NearFacts:
    """What is near questions over one store."""

    def __init__(
        self,
        store: Store,
        ontology: Ontology | None,
        codes: SchemaCodes,
        *,
        hops: int = 2,
        count: bool = True,
        beyond: Iterable[str] = (),
        answer_class: bool = True,
    ) -> None:
        self.space = SearchSpace(store, hops=hops, count=count, beyond=beyond)
        self._ontology, self._codes = ontology, codes
        self._forms = CandidateCodes(self.space, codes, ontology, answer_class=answer_class)
        self._lookup = FormLookup(self.space, ontology)
        self._whole = np.arange(len(codes.schema), dtype=np.int32)

    def near(self, _: Example, links: Mapping[Term, int], form: Form | None, /, *, listed: bool = True) -> NearQuestion:
        """What is near a question, whose links have these codes, and whose gold form this is."""
        known = [term for term in links if self._has(term)]
        candidates = self.space.of(known)
        vocabulary = self._vocabulary(known)
        near = NearQuestion(
            self._whole if vocabulary is None else vocabulary,
            vocabulary is not None,
            self._forms.of(candidates, links) if listed else np.empty((0, 0), np.int32),
            unknown=len(links) - len(known),
        )
        if form is None:
            return near
        looked_up = self._lookup.look_up(self._lookup.read(form), candidates, known)
        if looked_up.outcome != COVERED:
            return near._replace(outcome=looked_up.outcome)
        target = tuple(self._forms.of_one(looked_up.matches[0], links))
        return near._replace(outcome=COVERED, target=target)

    def _has(self, term: Term) -> bool:
        try:
            self.space.nodes(term)
        except KnowledgeBaseError:
            return False
        return True

    def _vocabulary(self, known: list[Term]) -> NDArray[np.int32] | None:
        """The items near what is linked; none where nothing prunes."""
        if all(term.kind == LITERAL for term in known):
            return None
        relations, classes = schema_ids(self.space, known)
        near = np.zeros(len(self._whole), bool)
        near[self._relation_items[relations]] = True
        near[self._class_items[classes]] = True
        near[self._types] = True
        begins, ends = self._ends.begins, self._ends.values
        for place in self.space.steps.places[relations].tolist():
            near[ends[begins[place] : begins[place + 1]]] = True
        return np.flatnonzero(near).astype(np.int32)

    # -- items by ids --------------------------------------------------------------------------------------------------

    @cached_property
    def _relation_items(self) -> NDArray[np.int32]:
        return self._items(self.space.steps.relations, self._codes.relation)

    @cached_property
    def _class_items(self) -> NDArray[np.int32]:
        return self._items(schema_ids(self.space, ())[1], self._codes.class_)

    def _items(self, ids: NDArray[Any], code: Callable[[Term], int]) -> NDArray[np.int32]:
        """The items that ids are, for all ids of the store; what is no item is never near."""
        items = np.full(len(self.space.store.table), -1, np.int32)
        items[ids] = [code(self.space.store.term(number)) - len(SYMBOLS) for number in ids.tolist()]
        return items

    @cached_property
    def _ends(self) -> Ragged:
        """The classes that each relation leads from and to by the ontology, by the place of the relation."""
        terms, ontology = self.space.store.terms(self.space.steps.relations), self._ontology
        each = [() if ontology is None else end_classes(ontology, term) for term in terms]
        known = [[code for name in names if (code := self._codes.class_(name)) != UNKNOWN] for names in each]
        return Ragged.of([[code - len(SYMBOLS) for code in codes] for codes in known])

    @cached_property
    def _types(self) -> list[int]:
        """The predicate of types, where the schema has it since classes look like entities."""
        codes = [self._codes.relation(term) for term in self._codes.profile.predicates("type")[:1]]
        return [code - len(SYMBOLS) for code in codes if code != UNKNOWN]
